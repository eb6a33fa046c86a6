import EngramTesting
import EventCoding
import LMDB
import Testing
import TextFolding

@testable import Words

@Suite struct WordIndexTests {
    private static let shelf = [
        "Haus", "haus", "Hausbau", "hausen", "Häuser", "HÄUSER", "Häusle", "Haushalt", "aus", "Auster", "auf gutem Fuß", "auf", "Aufgabe",
        "ёж", "еж", "ежевика", "Ёжик", "йод", "иод", "100%", "100 Prozent", "a_b", "axb", "한글", "하늘", "ὁδός", "ΟΔΟΣ", "שָׁלוֹם", "école",
        "E-Mail", "Straße", "Strasse", "STRASSE", "strassen",
    ]

    @Test(
        "Words that equal what was typed come first, then by key, text and identity",
        arguments: [
            ("haus", ["haus", "Haus", "Hausbau", "hausen", "HÄUSER", "Häuser", "Haushalt", "Häusle"]),
            ("Haus", ["Haus", "haus", "Hausbau", "hausen", "HÄUSER", "Häuser", "Haushalt", "Häusle"]),
            ("HAUS", ["Haus", "haus", "Hausbau", "hausen", "HÄUSER", "Häuser", "Haushalt", "Häusle"]),
            ("hause", ["hausen", "HÄUSER", "Häuser"]),
            ("häuser", ["HÄUSER", "Häuser"]),
            ("Ha\u{308}user", ["Häuser", "HÄUSER"]),
            ("haeuser", []),
            ("auf", ["auf", "auf gutem Fuß", "Aufgabe"]),
            ("auf ", ["auf", "auf gutem Fuß"]),
            ("auf  G", ["auf gutem Fuß"]),
            ("еж", ["еж", "ёж", "ежевика", "Ёжик"]),
            ("ёж", ["ёж", "еж", "ежевика", "Ёжик"]),
            ("й", ["йод"]), ("и\u{306}", ["йод"]), ("и", ["иод"]),
            ("100%", ["100%"]), ("%", []), ("a_", ["a_b"]), ("_", []),
            ("하", ["한글", "하늘"]), ("한", ["한글", "하늘"]), ("한그", ["한글"]), ("ㅎ", ["한글", "하늘"]),
            ("οδος", ["ΟΔΟΣ", "ὁδός"]), ("שלו", ["שָׁלוֹם"]), ("E", ["E-Mail", "école"]),
            ("strasse", ["STRASSE", "Strasse", "Straße", "strassen"]), ("Straße", ["Straße", "STRASSE", "Strasse", "strassen"]),
            ("\u{301}", []), ("nothing of that kind", []),
        ])
    func order(_ typed: String, _ expected: [String]) throws {
        let fixture = try IndexFixture()
        try fixture.install(1, Self.shelf.map { WordEntry($0) })
        let found = try fixture.headwords(typed)
        #expect(found == expected, "\(typed)")
        #expect(try fixture.words(typed, limit: 2).map(\.headword) == Array(found.prefix(2)))
        #expect(try fixture.words(typed, limit: 0) == [])
    }

    @Test("A word says what its entry says, of which source it is, and is found by its identity")
    func entries() throws {
        let fixture = try IndexFixture()
        let source = try fixture.install(
            7, [WordEntry(headwords: ["Haus", "Heim", "haus", "Haus"], text: "house"), WordEntry("Haus", "a second one")])
        #expect(source.words == 4 && source.entries == 2)
        let found = try fixture.words("haus")
        #expect(found.map(\.headword) == ["haus", "Haus", "Haus"] && Set(found.map(\.text)) == ["house", "a second one"])
        #expect(found.allSatisfy { $0.source == UniqueID(high: 0, low: 7) })
        for word in found {
            #expect(
                try fixture.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                    try fixture.index.word(word.id, transaction)
                } == word)
        }
        #expect(
            try fixture.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                try fixture.index.word(.none, transaction)
            } == nil)
    }

    @Test("Identities follow from the source, the headword and its place among equal ones, so that a new edition keeps them")
    func identities() throws {
        let fixture = try IndexFixture()
        try fixture.install(1, [WordEntry("Bank", "bench"), WordEntry("Bank", "bank"), WordEntry("Tisch")])
        let first = try fixture.words("")
        let old = Dictionary(uniqueKeysWithValues: first.map { ($0.id, $0.headword + $0.text) })
        #expect(old.count == 3)
        try fixture.install(1, [WordEntry("Abend"), WordEntry("Bank", "bench"), WordEntry("Tisch"), WordEntry("Bank", "bank")])
        for word in try fixture.words("") where word.headword != "Abend" { #expect(old[word.id] == word.headword + word.text) }
        let other = try IndexFixture()
        try other.install(2, [WordEntry("Bank", "bench")])
        #expect(try other.words("").allSatisfy { old[$0.id] == nil })
        // The same however a headword is composed.
        try other.install(1, [WordEntry("ё")])
        try fixture.install(1, [WordEntry("е\u{308}")])
        #expect(try other.words("ё").map(\.id) == fixture.words("ё").map(\.id))
    }

    @Test("A source may name its words itself; a name that another source has isn't taken twice")
    func givenIdentities() throws {
        let fixture = try IndexFixture()
        let id = UniqueID(high: 5, low: 5)
        try fixture.install(1, [WordEntry(headwords: ["eins"], text: "1", id: id), WordEntry(headwords: ["zwei"], text: "2", id: id)])
        #expect(try fixture.words("").map(\.headword) == ["eins"] && fixture.words("").map(\.id) == [id])
        try fixture.install(2, [WordEntry(headwords: ["drei"], text: "3", id: id), WordEntry("vier")])
        #expect(try fixture.headwords("") == ["eins", "vier"])
        #expect(try fixture.counts() == [2, 2, 2])
    }

    @Test("Installing replaces what a source had, removing takes all of it, and other sources stay")
    func sources() throws {
        let fixture = try IndexFixture()
        try fixture.install(1, ["a", "b", "c"].map { WordEntry($0) }, name: "one")
        try fixture.install(2, ["b", "d"].map { WordEntry($0) }, name: "two")
        #expect(try fixture.headwords("") == ["a", "b", "b", "c", "d"])
        try fixture.install(1, ["b", "e"].map { WordEntry($0) }, name: "one")
        #expect(try fixture.headwords("") == ["b", "b", "d", "e"])
        #expect(try fixture.counts() == [4, 4, 4])
        #expect(try fixture.remove(2))
        #expect(try !fixture.remove(2))
        #expect(try fixture.headwords("") == ["b", "e"])
        #expect(try fixture.counts() == [2, 2, 2])
        try fixture.install(3, ["f"].map { WordEntry($0) }, name: "three")
        let names = try fixture.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
            try fixture.index.sources(transaction).map(\.name)
        }
        #expect(names == ["one", "three"])
        #expect(try fixture.remove(1))
        #expect(try fixture.remove(3))
        #expect(try fixture.counts() == [0, 0, 0])
    }

    @Test("An entry may have any number of headwords, each once")
    func manyHeadwords() throws {
        let fixture = try IndexFixture()
        let words = (0..<20_000).map { "w\($0 / 2)" }
        #expect(try fixture.install(1, [WordEntry(headwords: words, text: "all")]).words == 10_000)
        #expect(try fixture.headwords("w9999") == ["w9999"])
    }

    @Test("Words of hidden sources aren't found, and make no gap")
    func hidden() throws {
        let fixture = try IndexFixture()
        let long = String(repeating: "x", count: 300)
        try fixture.install(1, ["a", "ab", "ac", long].map { WordEntry($0) })
        try fixture.install(2, ["a", "aa", "ad", long].map { WordEntry($0) })
        func words(_ prefix: String, _ hidden: Set<UniqueID>) throws -> [String] {
            try fixture.read { (transaction: borrowing ReadTransaction) throws(LMDBError) in
                try fixture.index.words(prefix: prefix, limit: 3, hiding: hidden, transaction).map(\.headword)
            }
        }
        let (one, two) = (UniqueID(high: 0, low: 1), UniqueID(high: 0, low: 2))
        #expect(try words("a", []) == ["a", "a", "aa"])
        #expect(try words("a", [one]) == ["a", "aa", "ad"])
        #expect(try words("a", [two]) == ["a", "ab", "ac"])
        #expect(try words("a", [one, two]) == [])
        #expect(try words(String(long.prefix(250)), [one]) == [long])
    }

    @Test("What can't be looked for isn't taken: no headword, one too long, a text too long")
    func limits() throws {
        let fixture = try IndexFixture()
        let long = String(repeating: "x", count: WordEntry.headwordLimit)
        let source = try fixture.install(
            1,
            [
                WordEntry(""), WordEntry(" \u{0}\n"), WordEntry(long + "x"), WordEntry(long, "kept"),
                WordEntry("text", String(repeating: "y", count: WordEntry.textLimit + 1)), WordEntry(headwords: [], text: "none"),
                WordEntry("with\u{0}zero\u{1}bytes", "kept"),
            ])
        #expect(source.words == 2 && source.entries == 2)
        #expect(try fixture.headwords(long) == [long])
        #expect(try fixture.headwords(String(long.prefix(300))) == [long])
        #expect(try fixture.headwords(long + "x") == [])
        #expect(try fixture.headwords("with zero") == ["with\u{0}zero\u{1}bytes"])
    }

    @Test("Keys made by other rules are made anew by the next installation")
    func rules() throws {
        let fixture = try IndexFixture()
        try fixture.install(1, [WordEntry("Haus"), WordEntry("ёж")])
        try fixture.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            try transaction.deleteAll(in: fixture.index.keys)
            try transaction.put([0x7A], [0], in: fixture.index.keys)
            try transaction.put(WordIndex.rulesKey, Array("0/1.0.0".utf8), in: fixture.index.sources)
        }
        try fixture.install(2, [WordEntry("Hof")])
        #expect(try fixture.headwords("") == ["Haus", "Hof", "ёж"])
        #expect(try fixture.counts() == [3, 3, 3])
    }

    @Test("A damaged record is an error")
    func damage() throws {
        let fixture = try IndexFixture()
        try fixture.install(1, [WordEntry("Haus")])
        for database in [fixture.index.words, fixture.index.entries] {
            let copy = try IndexFixture()
            try copy.install(1, [WordEntry("Haus")])
            try copy.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                try transaction.deleteAll(in: database == fixture.index.words ? copy.index.words : copy.index.entries)
            }
            #expect(throws: (any Error).self) { try copy.words("h") }
        }
        try fixture.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            try transaction.put([0x68, 0x7A], [1], in: fixture.index.keys)
        }
        #expect(throws: (any Error).self) { try fixture.words("h") }
    }
}
