import Foundation
import Testing

@testable import LMDB

/// What other processes do to a store that is open here. Each runs as an exit test: a process of its own.
@Suite struct ProcessTests {
    private static func open(_ path: String, mapSize: Int = Environment.Options.generousMapSize) throws -> (Environment, Database) {
        let environment = try Environment.open(path: path, options: .init(folder: storeFolder, databases: ["rows"], mapSize: mapSize))
        return (environment, try environment.database("rows"))
    }

    private func count(_ environment: Environment, _ rows: Database) throws -> Int {
        try environment.read { reader throws(LMDBError) in try reader.count(in: rows) }
    }

    @Test func anotherProcessWritesWhileThisOneReads() async throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        let (environment, rows) = try Self.open(store)
        async let exit = #expect(processExitsWith: .success) { [store = store as String] in
            let (environment, rows) = try ProcessTests.open(store)
            // The other process has the store open too.
            guard try environment.replaceData({ _ throws(LMDBError) in true }) == .inUse else { throw LMDBCode.wouldBlock }
            for number in 0..<200 as Range<UInt64> {
                try environment.write { transaction throws(LMDBError) in
                    try transaction.put(number &* 2, [UInt8](repeating: 1, count: 500), in: rows)
                }
            }
        }
        for number in 0..<100 as Range<UInt64> {
            try environment.write { transaction throws(LMDBError) in try transaction.put(number &* 2 + 1, [2], in: rows) }
            let (first, second) = try environment.read { reader throws(LMDBError) in
                (try reader.count(in: rows), try reader.count(in: rows))
            }
            #expect(first == second)
        }
        _ = await exit
        #expect(try count(environment, rows) == 300)
        #expect(try environment.checkPages().findings == [])
        #expect(try environment.replaceData { _ throws(LMDBError) in false } != .inUse, "alone again")
    }

    /// The map follows another process that let the data grow, as soon as no transaction is open here.
    @Test func theMapFollowsDataThatGrewElsewhere() async throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        let (environment, rows) = try Self.open(store, mapSize: 1 << 20)
        await #expect(processExitsWith: .success) { [store = store as String] in
            let (environment, rows) = try ProcessTests.open(store, mapSize: 1 << 26)
            try environment.write { transaction throws(LMDBError) in
                for number in 0..<1000 as Range<UInt64> {
                    try transaction.put(number, [UInt8](repeating: 1, count: 5000), in: rows, mode: .append)
                }
            }
        }
        #expect(try count(environment, rows) == 1000)
        #expect(try environment.facts().mapSize == 1 << 26)
        try environment.write { transaction throws(LMDBError) in try transaction.put(5000, [1], in: rows) }
        #expect(try environment.checkPages().findings == [])
    }

    /// The slot of a reader that died would keep pages from being used again.
    @Test func slotsOfDeadReadersAreFreed() async throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        let (environment, rows) = try Self.open(store)
        await #expect(processExitsWith: .exitCode(7)) { [store = store as String] in
            let (environment, _) = try ProcessTests.open(store)
            try environment.read { (_) throws(Never) in exit(7) }
        }
        #expect(environment.clearDeadReaders() == 1)
        #expect(environment.clearDeadReaders() == 0)
        #expect(try count(environment, rows) == 0)
    }

    /// Closing any descriptor of LMDB's lock file would drop every lock that this process has on it: nothing here does.
    @Test func theLocksOfLMDBAreKept() async throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        let (environment, _) = try Self.open(store)
        try StoreCheck.quickCheck(store)
        _ = try PageCheck.run(storePath: store)
        _ = try environment.checkPages()
        _ = try Self.open(folder.path + "/./store")
        try environment.copyData(to: folder.store("copy"))
        environment.clearDeadReaders()
        await #expect(processExitsWith: .success) { [store = store as String] in
            let file = try FileHandle(forUpdating: URL(filePath: store + "/lock.mdb"))
            var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
            guard unsafe fcntl(file.fileDescriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else {
                throw LMDBCode.notFound
            }
        }
    }

    /// A writer that dies in a write leaves nothing of it, and lets the next one in.
    @Test func aDeadWriterLeavesNothing() async throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        let (environment, rows) = try Self.open(store)
        await #expect(processExitsWith: .signal(SIGKILL)) { [store = store as String] in
            let (environment, rows) = try ProcessTests.open(store)
            try environment.write { transaction throws(LMDBError) in
                try transaction.put(1, [1], in: rows)
                kill(getpid(), SIGKILL)
            }
        }
        try environment.write { transaction throws(LMDBError) in try transaction.put(2, [2], in: rows) }
        #expect(try count(environment, rows) == 1)
        #expect(try environment.checkPages().findings == [])
    }

    /// After fork() an environment is its parent's: its locks and its place in the file aren't the child's.
    @Test func aForkedChildIsRefused() async throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        await #expect(processExitsWith: .success) { [store = store as String] in
            let (environment, rows) = try ProcessTests.open(store)
            // Swift hides fork() on purpose; programs that link C code may call it all the same.
            guard let symbol = unsafe dlsym(nil, "fork") else { return }
            let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
            let child = fork()
            if child == 0 {
                var faults: [LMDBError.Reason] = []
                do throws(TransactionError<Never>) { try environment.read { _ in } } catch { faults.append(error.error.fault) }
                do throws(TransactionError<Never>) { try environment.write { _ in } } catch { faults.append(error.error.fault) }
                do throws(LMDBError) {
                    _ = try Environment.open(path: store, options: .init(folder: storeFolder, databases: ["rows"]))
                } catch {
                    faults.append(error.fault)
                }
                _exit(faults == [.forked, .forked, .forked] ? 0 : 1)
            }
            var status: Int32 = 1
            unsafe waitpid(child, &status, 0)
            guard status == 0 else { throw LMDBCode(rawValue: status) }
            try environment.write { transaction throws(LMDBError) in try transaction.put(1, [1], in: rows) }
        }
    }

    /// A limit on file sizes is an error, not the end of the process; what was committed before stays.
    @Test func aFileSizeLimitIsAnError() async throws {
        let folder = TemporaryFolder()
        let store = folder.store()
        await #expect(processExitsWith: .success) { [store = store as String] in
            let (environment, rows) = try ProcessTests.open(store)
            try environment.write { transaction throws(LMDBError) in try transaction.put(1, [1], in: rows) }
            var limit = rlimit(rlim_cur: 100_000, rlim_max: rlim_t.max)
            #if os(Linux)
                unsafe _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            #else
                unsafe _ = setrlimit(RLIMIT_FSIZE, &limit)
            #endif
            var fault: LMDBError.Reason?
            do throws(TransactionError<LMDBError>) {
                try environment.write { transaction throws(LMDBError) in
                    for number in 2..<100 as Range<UInt64> {
                        try transaction.put(number, [UInt8](repeating: 1, count: 5000), in: rows)
                    }
                }
            } catch {
                fault = error.error.fault
            }
            // LMDB calls a write that was cut short EIO.
            let codes = [EFBIG, EIO].map(LMDBCode.init(rawValue:))
            guard codes.contains(where: { fault == .commitOutcomeUnknown($0) }) else { throw LMDBCode(rawValue: 1) }
            let count = try environment.read { reader throws(LMDBError) in try reader.count(in: rows) }
            try environment.write { transaction throws(LMDBError) in try transaction.put(2, [2], in: rows) }
            guard count == 1 else { throw LMDBCode(rawValue: 2) }
        }
        let (environment, rows) = try Self.open(store)
        #expect(try count(environment, rows) == 2)
        #expect(try environment.checkPages().findings == [])
    }
}
