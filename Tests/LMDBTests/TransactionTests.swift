import Testing

@testable import LMDB

@Suite struct TransactionTests {
    @Test func whatIsWrittenIsRead() throws {
        let folder = TemporaryFolder()
        let environment = try Environment.open(path: folder.store(), options: .init(databases: ["a", "b"]))
        let a = try environment.database("a")
        try environment.write { transaction throws(LMDBError) in
            for number in 0..<1000 as Range<UInt64> {
                try transaction.put(number, [UInt8(number & 255), 7], in: a, mode: .append)
            }
        }
        let found = try environment.read { transaction throws(LMDBError) -> [UInt8]? in
            try transaction.value(for: 300, in: a)?.array
        }
        #expect(found == [44, 7])
        let sum = try environment.read { transaction throws(LMDBError) -> UInt64 in
            var sum: UInt64 = 0
            var cursor = try transaction.cursor(in: a)
            while try cursor.next() { sum += cursor.number ?? 0 }
            return sum
        }
        #expect(sum == 499_500)
        #expect(throws: TransactionError<TransactionError<Never>>.self) {
            try environment.write { (_) throws(TransactionError<Never>) in try environment.write { _ in } }
        }
    }
}
