import EventCoding
import Foundation
import Testing

@testable import LMDB

@Suite struct CursorTests {
    struct Walk: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var start: ReadTransaction.Start = .beginning
        var reversed = false
        var limit = Int.max
        var numbers: [UInt64]
    }

    static let walks = [
        Walk(testDescription: "all", numbers: [10, 20, 30, 300]),
        Walk(testDescription: "backwards", reversed: true, numbers: [300, 30, 20, 10]),
        Walk(testDescription: "from a key", start: .number(20), numbers: [20, 30, 300]),
        Walk(testDescription: "from between keys", start: .number(21), numbers: [30, 300]),
        Walk(testDescription: "from beyond the last", start: .number(301), numbers: []),
        Walk(testDescription: "from before the first", start: .number(0), numbers: [10, 20, 30, 300]),
        Walk(testDescription: "backwards from a key", start: .number(30), reversed: true, numbers: [30, 20, 10]),
        Walk(testDescription: "backwards from between keys", start: .number(29), reversed: true, numbers: [20, 10]),
        Walk(testDescription: "backwards from beyond the last", start: .number(.max), reversed: true, numbers: [300, 30, 20, 10]),
        Walk(testDescription: "backwards from before the first", start: .number(9), reversed: true, numbers: []),
        Walk(testDescription: "from bytes", start: .key([0, 0, 0, 0, 0, 0, 0, 20]), numbers: [20, 30, 300]),
        Walk(testDescription: "backwards from a prefix", start: .key([0, 0, 0, 0, 0, 0, 1]), reversed: true, numbers: [30, 20, 10]),
        Walk(testDescription: "no further than asked", limit: 2, numbers: [10, 20]),
    ]

    @Test(arguments: walks) func aWalkGoesInTheOrderOfTheKeys(_ walk: Walk) throws {
        let store = try RowStore()
        try store.environment.write { transaction throws(LMDBError) in
            for number in [30, 10, 300, 20] as [UInt64] { try transaction.put(number, [UInt8(number / 10)], in: store.rows) }
        }
        var numbers: [UInt64] = []
        try store.environment.read { transaction throws(TransactionError<Never>) in
            try transaction.forEach(in: store.rows, from: walk.start, reversed: walk.reversed) { key, value in
                let number = key.array.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                #expect(value.array == [UInt8(number / 10)])
                numbers.append(number)
                return numbers.count < walk.limit
            }
        }
        #expect(numbers == walk.numbers)
    }

    @Test func cursorsMoveByThemselves() throws {
        let store = try RowStore()
        try store.environment.write { transaction throws(LMDBError) in
            for number in 0..<5000 as Range<UInt64> { try transaction.put(number, [UInt8(number & 255)], in: store.rows, mode: .append) }
        }
        try store.environment.read { transaction throws(LMDBError) in
            var low = try transaction.cursor(in: store.rows)
            var high = try transaction.cursor(in: store.rows)
            #expect(try low.first())
            let first = low.value
            #expect(try high.seek(4000))
            for number in 1..<1000 as Range<UInt64> {
                #expect(try low.next())
                #expect(try high.next())
                #expect(low.number == number)
                #expect(high.number == 4000 + number)
            }
            // The end of one is no end for the other, and what a cursor gave stays good.
            #expect(try !high.next())
            #expect(high.number == nil)
            #expect(high.value.byteCount == 0)
            #expect(try low.next())
            #expect(first.array == [0])
            #expect(try high.last())
            #expect(try high.previous())
            #expect(high.number == 4998)
        }
    }

    /// Long walks go from page to page, over values in the pages and in runs of their own, and turn round anywhere.
    @Test(arguments: [(1, 16...60), (2, 16...300), (3, 100...2100), (4, 1000...9000)] as [(UInt64, ClosedRange<Int>)])
    func aCursorIsAlwaysWhereAListIs(seed: UInt64, sizes: ClosedRange<Int>) throws {
        let store = try RowStore()
        var random = SplitMix64(seed: seed)
        var last: UInt64 = 0
        var expected: [(number: UInt64, value: [UInt8])] = []
        for _ in 0..<700 {
            let size = Int.random(in: sizes, using: &random)
            last += 1 + random.next() % 3
            expected.append((last, random.bytes(size)))
        }
        last += 2
        try store.environment.write { transaction throws(LMDBError) in
            for (number, value) in expected { try transaction.put(number, value, in: store.rows) }
        }
        try store.environment.read { transaction throws(LMDBError) in
            var cursor = try transaction.cursor(in: store.rows)
            var place = 0
            #expect(try cursor.first())
            for step in 0..<20_000 {
                var isThere = false
                let move = random.next() % 400
                if move == 0 {
                    isThere = try cursor.first()
                    place = 0
                } else if move == 1 {
                    isThere = try cursor.last()
                    place = expected.count - 1
                } else if move < 6 {
                    let number = random.next() % last
                    isThere = try cursor.seek(number)
                    place = expected.firstIndex { $0.number >= number } ?? expected.count
                } else if move < 30 {
                    // Before the first entry LMDB's cursor stays on it.
                    guard place > 0, place < expected.count else { continue }
                    isThere = try cursor.previous()
                    place -= 1
                } else {
                    guard place < expected.count else { continue }
                    isThere = try cursor.next()
                    place += 1
                }
                let number = cursor.number
                let value = cursor.value.array
                guard expected.indices.contains(place) else {
                    #expect(!isThere && number == nil && value.isEmpty, "step \(step)")
                    continue
                }
                let isRight = isThere && number == expected[place].number && value == expected[place].value
                #expect(isRight, "step \(step), entry \(place)")
                guard isRight else { return }
            }
        }
    }

    /// A leaf page whose last key isn't what leads to it: a walk says so, or gives every entry. It never leaves entries out, and ends.
    @Test(arguments: [1, 2, 999, 1 << 40, .max] as [UInt64])
    func aWalkOverADamagedPageEnds(wrongKey: UInt64) throws {
        let folder = TemporaryFolder()
        func open() throws -> Environment {
            try Environment.open(path: folder.store(), options: .init(folder: storeFolder, databases: ["rows"]))
        }
        try makeRows(in: try open())
        #expect(try changeLastKeyOfAPage(in: folder.store() + "/data.mdb", to: wrongKey))
        let environment = try open()
        let rows = try environment.database("rows")
        var steps = 0
        do {
            try environment.read { transaction throws(LMDBError) in
                var cursor = try transaction.cursor(in: rows)
                var isThere = try cursor.first()
                while isThere, steps < 10_000 {
                    steps += 1
                    isThere = try cursor.next()
                }
            }
            #expect(steps == 3000)
        } catch {
            #expect(steps < 3000)
        }
    }

    private func makeRows(in environment: Environment) throws {
        let rows = try environment.database("rows")
        try environment.write { transaction throws(LMDBError) in
            for number in 1...3000 as ClosedRange<UInt64> {
                try transaction.put(number, [UInt8](repeating: 1, count: 100), in: rows, mode: .append)
            }
        }
    }

    /// Looks for a leaf page in the middle of the rows; false where there is none.
    private func changeLastKeyOfAPage(in path: String, to key: UInt64) throws -> Bool {
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        func number(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        for page in stride(from: 0, to: bytes.count, by: 4096) where number(page + 10) == 2 && number(page + 12) > 40 {
            let place = page + number(page + number(page + 12) - 2) + 8
            guard (1500...1600).contains(Int(bytes[place + 6]) << 8 | Int(bytes[place + 7])) else { continue }
            bytes.replaceSubrange(place..<place + 8, with: (0..<8).map { UInt8(truncatingIfNeeded: key >> UInt64(56 - 8 * $0)) })
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return true
        }
        return false
    }

    @Test func aWriteReadsWhatItWrote() throws {
        let store = try RowStore()
        try store.environment.write { transaction throws(LMDBError) in
            try transaction.put(1, [1], in: store.rows)
            #expect(try transaction.value(for: 1, in: store.rows)?.array == [1])
            var cursor = try transaction.cursor(in: store.rows)
            #expect(try cursor.last())
            #expect(cursor.number == 1)
        }
        try store.environment.write { transaction throws(LMDBError) in
            #expect(try transaction.delete([0, 0, 0, 0, 0, 0, 0, 1], in: store.rows))
        }
    }
}
