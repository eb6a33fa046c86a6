import EventCoding
import LMDB
import Testing

@testable import Words

struct DamagedWordsTests {
    private static let entries = [
        WordEntry(headwords: ["Haus", "Häuser"], text: "house"), WordEntry("Maus", "mouse"), WordEntry("Hausboot", "houseboat"),
    ]

    private static func records(
        _ database: Database, _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [(key: [UInt8], value: [UInt8])] {
        var found: [(key: [UInt8], value: [UInt8])] = []
        var cursor = try transaction.cursor(in: database)
        var isThere = try cursor.first()
        while isThere {
            found.append((cursor.key.copied(), cursor.value.copied()))
            isThere = try cursor.next()
        }
        return found
    }

    private static func put(_ key: [UInt8], _ value: [UInt8]?, _ database: Database, _ fixture: IndexFixture) throws {
        try fixture.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            if let value { try transaction.put(key, value, in: database) } else { try transaction.delete(key, in: database) }
        }
    }

    private static func findings(_ fixture: IndexFixture) throws -> [String] {
        try fixture.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            try fixture.index.check(transaction).map(\.message)
        }
    }

    @Test("Every changed byte of the words is found, misleads nobody, and is cured by installing again; so is every record that is gone")
    func changed() throws {
        let fixture = try IndexFixture()
        func install() throws {
            try fixture.install(1, Self.entries)
            try fixture.install(2, [WordEntry("Hausmaus", "pet")])
        }
        try install()
        let right = try ["haus", "", "maus "].map { try fixture.words($0) }
        #expect(try Self.findings(fixture).isEmpty && right[0].count == 4)
        for database in [fixture.index.sources, fixture.index.entries, fixture.index.words, fixture.index.keys] {
            let records = try fixture.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                try Self.records(database, transaction)
            }
            for (key, value) in records where key != WordIndex.rulesKey {
                for place in value.indices {
                    var other = value
                    other[place] ^= 1 << UInt8(place % 8)
                    try Self.put(key, other, database, fixture)
                    #expect(try !Self.findings(fixture).isEmpty, "\(database.name), byte \(place)")
                    for (prefix, words) in zip(["haus", "", "maus "], right) {
                        if let found = try? fixture.words(prefix) { #expect(found == words, "\(database.name), byte \(place)") }
                    }
                    try Self.put(key, value, database, fixture)
                }
                try Self.put(key, nil, database, fixture)
                #expect(try key == WordIndex.layoutKey || !Self.findings(fixture).isEmpty, "a record of \(database.name) is gone")
                try install()
                #expect(try Self.findings(fixture).isEmpty, "\(database.name): not cured")
                #expect(try fixture.words("haus") == right[0])
            }
        }
    }

    @Test("Words without checksums are read as they are, and get them with the next installation of any dictionary")
    func unsealed() throws {
        let fixture = try IndexFixture()
        let source = try fixture.install(1, Self.entries)
        var plain = source
        plain.sum = nil
        let right = try fixture.words("haus")
        for database in [fixture.index.entries, fixture.index.words, fixture.index.keys] {
            let records = try fixture.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                try Self.records(database, transaction)
            }
            for (key, value) in records { try Self.put(key, Array(value.dropLast(Seal.size)), database, fixture) }
        }
        try Self.put(source.id.bytes, plain.encoded, fixture.index.sources, fixture)
        try Self.put(WordIndex.layoutKey, nil, fixture.index.sources, fixture)
        #expect(try fixture.words("haus") == right && Self.findings(fixture).isEmpty)
        try fixture.install(2, [WordEntry("Esel", "donkey")])
        #expect(try fixture.words("haus") == right && Self.findings(fixture).isEmpty)
        let isSealed = try fixture.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            guard try fixture.index.isSealed(transaction) else { return false }
            return try fixture.index.sources(transaction).allSatisfy { $0.sum != nil }
        }
        #expect(isSealed)
    }
}
