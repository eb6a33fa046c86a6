import EventCoding
import Foundation
import Testing

@testable import LMDB

extension SplitMix64 {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}

/// A store with all that a page can hold: branches, large values, deletions, an empty database, free pages.
enum StoreFixture {
    static let databases = ["empty", "events", "index", "rows"]

    struct Shape: CustomTestStringConvertible, Sendable {
        var seed: UInt64
        var commits: Int
        var eventsPerCommit: Int
        /// Empties a database of many pages in one commit, so that lists of free pages need overflow runs.
        var emptiesLargeDatabase = false

        var testDescription: String { "seed \(seed), \(commits) commits of \(eventsPerCommit)" }
    }

    static let shapes = [
        Shape(seed: 1, commits: 0, eventsPerCommit: 0),
        Shape(seed: 2, commits: 1, eventsPerCommit: 1),
        Shape(seed: 3, commits: 40, eventsPerCommit: 20),
        Shape(seed: 4, commits: 5, eventsPerCommit: 700),
        Shape(seed: 5, commits: 6, eventsPerCommit: 1500, emptiesLargeDatabase: true),
    ]

    static func make(_ path: String, _ shape: Shape) throws {
        var random = SplitMix64(seed: shape.seed)
        let environment = try Environment.open(path: path, options: .init(folder: storeFolder, databases: databases))
        let (events, index, rows) = (
            try environment.database("events"), try environment.database("index"), try environment.database("rows")
        )
        var number: UInt64 = 0
        for _ in 0..<shape.commits {
            try environment.write { transaction throws(LMDBError) in
                for _ in 0..<shape.eventsPerCommit {
                    number += 1
                    let isLarge = random.next() % 40 == 0
                    let size = isLarge ? 1000 + Int(random.next() % 20_000) : 16 + Int(random.next() % 200)
                    try transaction.put(number, random.bytes(size), in: events, mode: .append)
                    try transaction.put(random.bytes(1 + Int(random.next() % 60)), [1, 2, 3], in: index)
                    let row = random.next() % 500
                    try transaction.put(row, random.bytes(Int(random.next() % 3000)), in: rows)
                    try transaction.delete(random.next() % 500, in: rows)
                }
                if shape.eventsPerCommit > 10 { try transaction.put(random.bytes(511), random.bytes(40), in: index) }
            }
        }
        if shape.emptiesLargeDatabase {
            try environment.write { transaction throws(LMDBError) in try transaction.deleteAll(in: events) }
            try environment.write { transaction throws(LMDBError) in try transaction.put(1, [1], in: rows) }
        }
    }

    /// All that LMDB itself reads: the entries of each database, in order.
    static func content(_ path: String) throws -> [String: [[UInt8]]] {
        let environment = try Environment.open(path: path, options: .init(folder: storeFolder, databases: databases, readOnly: true))
        var content: [String: [[UInt8]]] = [:]
        for name in databases {
            let database = try environment.database(name)
            var entries: [[UInt8]] = []
            try environment.read { transaction throws(TransactionError<Never>) in
                try transaction.forEach(in: database) { key, value in
                    entries.append(key.array)
                    entries.append(value.array)
                    return true
                }
            }
            content[name] = entries
        }
        return content
    }
}
