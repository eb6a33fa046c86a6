import Testing

@testable import LMDB

/// A new store with one database, `rows`.
struct RowStore {
    let folder = TemporaryFolder()
    let environment: Environment
    let rows: Database

    init(mapSize: Int = Environment.Options.generousMapSize) throws {
        environment = try Environment.open(path: folder.store(), options: .init(folder: storeFolder, databases: ["rows"], mapSize: mapSize))
        rows = try environment.database("rows")
    }

    /// All entries, as LMDB gives them.
    func entries() throws -> [[UInt8]: [UInt8]] {
        var entries: [[UInt8]: [UInt8]] = [:]
        try environment.read { transaction throws(TransactionError<Never>) in
            try transaction.forEach(in: rows) { key, value in
                entries[key.array] = value.array
                return true
            }
        }
        return entries
    }
}

@Suite struct TransactionTests {
    /// Operations of one write, what it throws, and what the store holds afterwards.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var operations: @Sendable (inout WriteTransaction, Database) throws(LMDBError) -> Void
        var code: LMDBCode?
        var entries: [[UInt8]: [UInt8]]
    }

    static let one: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    static let before: [[UInt8]: [UInt8]] = [one: [10]]

    static let cases = [
        Case(
            testDescription: "a value replaces another",
            operations: { transaction, rows throws(LMDBError) in try transaction.put(1, [11, 12], in: rows) },
            entries: [one: [11, 12]]),
        Case(
            testDescription: "an empty value is a value",
            operations: { transaction, rows throws(LMDBError) in try transaction.put(1, [], in: rows) }, entries: [one: []]),
        Case(
            testDescription: "only what is new is inserted",
            operations: { transaction, rows throws(LMDBError) in try transaction.put(1, [11], in: rows, mode: .insertOnly) },
            code: .keyExists, entries: before),
        Case(
            testDescription: "a key that is there dooms nothing",
            operations: { transaction, rows throws(LMDBError) in
                try? transaction.put(1, [11], in: rows, mode: .insertOnly)
                try transaction.put(2, [20], in: rows)
            }, entries: [one: [10], [0, 0, 0, 0, 0, 0, 0, 2]: [20]]),
        Case(
            testDescription: "only a key above all others is appended",
            operations: { transaction, rows throws(LMDBError) in try transaction.put(1, [11], in: rows, mode: .append) },
            code: .keyExists, entries: before),
        Case(
            testDescription: "keys have at least a byte",
            operations: { transaction, rows throws(LMDBError) in try transaction.put([], [1], in: rows) }, code: .badValueSize,
            entries: before),
        Case(
            testDescription: "and at most 511",
            operations: { transaction, rows throws(LMDBError) in
                try transaction.put([UInt8](repeating: 1, count: 512), [1], in: rows)
            }, code: .badValueSize, entries: before),
        Case(
            testDescription: "what is deleted is gone, also twice",
            operations: { transaction, rows throws(LMDBError) in
                guard try transaction.delete(1, in: rows), try !transaction.delete(1, in: rows) else { return }
                try transaction.put([5], [50], in: rows)
            }, entries: [[5]: [50]]),
        Case(
            testDescription: "all is deleted at once",
            operations: { transaction, rows throws(LMDBError) in
                try transaction.put(2, [20], in: rows)
                try transaction.deleteAll(in: rows)
            }, entries: [:]),
        Case(
            testDescription: "a value is written in place",
            operations: { transaction, rows throws(LMDBError) in
                let key: [8 of UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
                try transaction.put(unsafe key.span.bytes, reserving: 3, in: rows) { output in
                    for byte in 7...9 as ClosedRange<UInt8> { output.append(byte) }
                }
            }, entries: [one: [7, 8, 9]]),
        Case(
            testDescription: "a value that wasn't written wholly dooms the write",
            operations: { transaction, rows throws(LMDBError) in
                let key: [8 of UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
                // The error is swallowed here, and still nothing is committed.
                try? transaction.put(unsafe key.span.bytes, reserving: 3, in: rows) { output in output.append(UInt8(7)) }
            }, entries: before),
    ]

    @Test(arguments: cases) func aWriteIsAllOrNothing(_ test: Case) throws {
        let store = try RowStore()
        try store.environment.write { transaction throws(LMDBError) in try transaction.put(1, [10], in: store.rows) }
        var thrown: LMDBError?
        do throws(TransactionError<LMDBError>) {
            try store.environment.write { transaction throws(LMDBError) in try test.operations(&transaction, store.rows) }
        } catch {
            thrown = error.error
        }
        #expect(thrown?.code == test.code)
        #expect(thrown == nil || test.code != nil || thrown?.fault == .valueNotFilled(expected: 3, written: 1))
        #expect(try store.entries() == test.entries)
        #expect(try PageCheck.run(storePath: store.environment.path).findings == [])
    }

    struct Refusal: Error, Equatable {}

    @Test func whatTheClosureThrowsComesOutAndNothingIsWritten() throws {
        let store = try RowStore()
        #expect(throws: TransactionError<Refusal>.body(Refusal())) {
            try store.environment.write { transaction throws(Refusal) in
                try? transaction.put(1, [1], in: store.rows)
                throw Refusal()
            }
        }
        #expect(throws: TransactionError<Refusal>.body(Refusal())) {
            try store.environment.read { _ throws(Refusal) in throw Refusal() }
        }
        #expect(try store.entries() == [:])
    }

    /// A write inside a write on one thread would wait for itself for ever; a read inside either is as good as any other.
    @Test func aNestedWriteIsRefused() throws {
        let store = try RowStore()
        var inner: LMDBError?
        try store.environment.write { transaction throws(LMDBError) in
            try transaction.put(1, [1], in: store.rows)
            do throws(TransactionError<Never>) { try store.environment.write { _ in } } catch { inner = error.error }
            do throws(TransactionError<LMDBError>) {
                let count = try store.environment.read { reader throws(LMDBError) in try reader.count(in: store.rows) }
                #expect(count == 0)
            } catch {
                throw error.error
            }
        }
        #expect(inner?.fault == .nestedWrite)
        #expect(try store.entries().count == 1)
        try store.environment.read { _ throws(TransactionError<Never>) in try store.environment.write { _ in } }
    }

    /// A full map loses nothing: not what was there, nor the chance to write less.
    @Test func aFullMapIsAnErrorAndNothingIsLost() throws {
        let store = try RowStore(mapSize: 1 << 20)
        try store.environment.write { transaction throws(LMDBError) in try transaction.put(1, [1], in: store.rows) }
        var thrown: LMDBError?
        do throws(TransactionError<LMDBError>) {
            try store.environment.write { transaction throws(LMDBError) in
                for number in 2..<100_000 as Range<UInt64> {
                    try transaction.put(number, [UInt8](repeating: 1, count: 1000), in: store.rows)
                }
            }
        } catch {
            thrown = error.error
        }
        #expect(thrown?.fault == .mapFull(mapSize: 1 << 20))
        #expect(try store.entries() == [Self.one: [1]])
        try store.environment.write { transaction throws(LMDBError) in try transaction.put(2, [2], in: store.rows) }
        #expect(try store.entries().count == 2)
        #expect(try PageCheck.run(storePath: store.environment.path).findings == [])
    }

    /// Each read sees one commit, whatever is written meanwhile; reader slots are those of transactions, not of threads.
    @Test func readsSeeOneCommitEach() throws {
        let store = try RowStore()
        func commit(_ byte: UInt8) throws {
            try store.environment.write { transaction throws(LMDBError) in try transaction.put(1, [byte], in: store.rows) }
        }
        try commit(1)
        let seen = try store.environment.read { outer throws(TransactionError<LMDBError>) -> [[UInt8]] in
            do { try commit(2) } catch { Issue.record(error) }
            return try store.environment.read { inner throws(LMDBError) -> [[UInt8]] in
                #expect(inner.commitNumber == outer.commitNumber + 1)
                return [try outer.value(for: 1, in: store.rows)?.array ?? [], try inner.value(for: Self.one, in: store.rows)?.array ?? []]
            }
        }
        #expect(seen == [[1], [2]])
        #expect(try store.environment.facts().usedReaderSlots >= 2)
    }

    /// Many threads write: each gets its turn, and every write is there.
    @Test func writersTakeTurns() async throws {
        let store = try RowStore()
        let (environment, rows) = (store.environment, store.rows)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<25 {
                        try environment.write { transaction throws(LMDBError) in
                            let count = try transaction.count(in: rows)
                            try transaction.put(UInt64(count), [1], in: rows, mode: .append)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.entries().count == 200)
    }
}
