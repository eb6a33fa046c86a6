import EventCoding
import LMDB
import Testing

@testable import EventLog

/// The records beside the log end with checksums, so that whoever reads them notices.
struct SealedIndexTests {
    private static let key = UniqueID(high: 8, low: 8)
    private static let subjects = (UInt64(1)...3).map { UniqueID(high: 0, low: $0) }

    private func store(_ folder: TemporaryFolder) throws -> CommitLog {
        let log = try folder.log()
        try log.act([toy("one"), toy("two", about: 2)])
        try log.act([toy("three", about: 3)], origin: 2, key: Self.key)
        var tail = TimelineTail()
        var heads = LogHeads()
        try log.read { transaction throws(LogError) in
            try log.forEachEvent(inCommits: 1...2, transaction) { header, _, position in tail.append(position, of: header.subject) }
            heads = try log.heads(transaction)
        }
        let (covered, places) = (heads, tail)
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            try log.write(places, &transaction)
            try log.write(Checkpoint(heads: covered, blocks: [[1]]), &transaction)
        }
        return log
    }

    /// What ordinary commands ask of the records.
    private func asked(_ log: CommitLog) throws -> [String] {
        var answers = try Self.subjects.map { "\(try log.storedPositions(of: $0))" }
        answers.append("\(try log.read { transaction throws(LogError) in try log.sequence(ofAction: Self.key, transaction) } as Any)")
        answers.append("\(try log.read { transaction throws(LogError) in try log.sequence(ofAction: .none, transaction) } as Any)")
        answers.append("\(try log.storedOrigin() as Any)")
        return answers
    }

    private func records(_ database: Database, _ log: CommitLog) throws -> [(key: [UInt8], value: [UInt8])] {
        var found: [(key: [UInt8], value: [UInt8])] = []
        try log.read { transaction throws(LogError) in
            do throws(LMDBError) {
                var cursor = try transaction.cursor(in: database)
                var isThere = try cursor.first()
                while isThere {
                    found.append((cursor.key.copied(), cursor.value.copied()))
                    isThere = try cursor.next()
                }
            } catch { throw .storage(error) }
        }
        return found
    }

    private func put(_ key: [UInt8], _ value: [UInt8]?, _ database: Database, _ log: CommitLog) throws {
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            do throws(LMDBError) {
                if let value { try transaction.put(key, value, in: database) } else { try transaction.delete(key, in: database) }
            } catch { throw .storage(error) }
        }
    }

    @Test("Every changed byte of a record beside the log, and every record that is gone, is found by verify, and misleads nobody")
    func changed() throws {
        let folder = try TemporaryFolder()
        let log = try store(folder)
        let right = try asked(log)
        #expect(try log.verified().findings.isEmpty)
        for database in [log.timelines, log.actions, log.records] {
            for (key, value) in try records(database, log) {
                for place in value.indices {
                    var other = value
                    other[place] ^= 1 << UInt8(place % 8)
                    try put(key, other, database, log)
                    #expect(try !log.verified().findings.isEmpty, "\(database.name), byte \(place)")
                    if let answers = try? asked(log) { #expect(answers == right, "\(database.name), byte \(place)") }
                }
                for short in [Array(value.dropLast(8)), []] {
                    try put(key, short, database, log)
                    #expect(try !log.verified().findings.isEmpty, "\(database.name), \(short.count) bytes")
                    if let answers = try? asked(log) { #expect(answers == right, "\(database.name), \(short.count) bytes") }
                }
                try put(key, value, database, log)
                guard database.name != log.records.name else { continue }
                try put(key, nil, database, log)
                #expect(try !log.verified().findings.isEmpty, "\(database.name): a record is gone")
                #expect(throws: (any Error).self, "\(database.name): a record is gone") { try asked(log) }
                try put(key, value, database, log)
            }
        }
        #expect(try log.verified().findings.isEmpty && asked(log) == right)
    }

    @Test("A store whose records have no checksums is read as it is, and gets them when its indexes are made again")
    func unsealed() throws {
        let folder = try TemporaryFolder()
        let log = try store(folder)
        let right = try asked(log)
        for database in [log.timelines, log.actions, log.records] {
            for (key, value) in try records(database, log) { try put(key, Array(value.dropLast(Seal.size)), database, log) }
        }
        for key in ["layout", "timelines", "actions"] { try put(Array(key.utf8), nil, log.records, log) }
        #expect(try asked(log) == right && log.verified().findings.isEmpty)
        try log.act([toy("four", about: 3)], origin: 2, key: UniqueID(high: 8, low: 9))
        #expect(try log.verified().findings.isEmpty)
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            var tail = TimelineTail()
            try log.forEachEvent(inCommits: 1...2, transaction.reader) { header, _, position in tail.append(position, of: header.subject) }
            try log.sealRecords(&transaction)
            try log.deleteTimelines(&transaction)
            try log.rewriteActions(&transaction)
            try log.write(tail, &transaction)
        }
        #expect(try asked(log) == right && log.verified().findings.isEmpty)
        #expect(try records(log.actions, log).allSatisfy { $0.value.count == 16 })
    }

    @Test("A sample proves at least one commit, however small it is, and a commit that is missing at the end is missed by it too")
    func sample() throws {
        let folder = try TemporaryFolder()
        let log = try store(folder)
        for number in 0..<40 { try log.act([toy("more \(number)")]) }
        for seed in 0..<20 as Range<UInt64> {
            let proved = try log.read { transaction throws(LogError) in
                try log.verify(transaction, scope: .sample(share: 0, seed: seed), payloadVerdict: { _, _ in .unknown })
            }
            #expect(proved.commits == 1 && !proved.isComplete && proved.findings.isEmpty)
        }
    }
}
