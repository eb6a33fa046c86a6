import EventCoding
import Foundation
import StudyModel
import Testing

@testable import Exchange

/// Reads a list out of its bytes; its name is `Words.csv`.
private func read(_ bytes: [UInt8]) throws(ImportError) -> ImportedList {
    try ImportedList.read(bytes, path: "Words.csv", name: "Words.csv", stem: "Words")
}

private func read(_ text: String) throws(ImportError) -> ImportedList { try read(Array(text.utf8)) }

extension ImportedList {
    /// Each row as `front|back`, in their order.
    fileprivate var sides: [String] { rows.map { $0.front + "|" + $0.back } }
    fileprivate var remarks: [String] { skipped.map { "\($0.line) \($0.reason.rawValue)" } }
}

struct ListTests {
    /// A list, and the cards that it holds.
    private static let lists: [(what: String, text: String, sides: [String])] = [
        ("commas", "a,b\nc,d\n", ["a|b", "c|d"]), ("no end of the last line", "a,b\nc,d", ["a|b", "c|d"]),
        ("tabs", "a, with comma\tb\nc\td", ["a, with comma|b", "c|d"]),
        ("semicolons, and decimal commas", "1,5;one and a half\n2,5;two and a half", ["1,5|one and a half", "2,5|two and a half"]),
        ("pipes", "a|b\nc|d", ["a|b", "c|d"]), ("colons", "a:b\nc:d", ["a|b", "c|d"]),
        ("a colon before every comma", "9:00,wake up\n10:30,tea", ["9:00|wake up", "10:30|tea"]),
        ("a semicolon here and there", "run,laufen; rennen\ngo,gehen\nsit,sitzen", ["run|laufen; rennen", "go|gehen", "sit|sitzen"]),
        (
            "more commas here and there", "9:00,wake up\n10:00,eat, drink\n" + (1...20).map { "\($0):00,x\n" }.joined(),
            ["9:00|wake up", "10:00|eat\ndrink"] + (1...20).map { "\($0):00|x" }
        ),
        ("separators in quotes alone", "\"a;b\",c\n\"d;e\",f", ["a;b|c", "d;e|f"]),
        ("CRLF", "a,b\r\nc,d\r\n", ["a|b", "c|d"]), ("lone CR", "a\tb\rc\td", ["a|b", "c|d"]),
        ("lines in quotes", "\"a\nb\",\"c\r\nd\"\r\ne,f", ["a\nb|c\r\nd", "e|f"]),
        ("quotes in quotes", "\"say \"\"hi\"\"\",b", ["say \"hi\"|b"]), ("empty lines", "\n\na,b\n\n\nc,d\n\n", ["a|b", "c|d"]),
        ("white space around", " a , b \nc\u{A0},\u{3000}d", ["a|b", "c|d"]), ("a byte order mark", "\u{FEFF}a,b", ["a|b"]),
        ("further columns", "a,b,c,,d", ["a|b\nc\nd"]), ("an empty back", "a,\nb,", ["a|", "b|"]),
        ("names of columns", "Front,Back\na,b", ["a|b"]), ("in another order", "ANSWER;Question\na;b", ["b|a"]),
        ("with others between", "deck,term,note,definition\nd,a,n,b", ["a|b\nn"]),
        ("what a card doesn't have", "front,back,tags,level,due\na,b,x,1.5,2024-01-01", ["a|b"]),
        ("names that are a card", "front,door\nback,rear", ["front|door", "back|rear"]),
        ("Anki's form", "#separator:tab\n#html:true\n#tags column:3\na<br>&lt;b&gt;\t<b>c</b>\tx y", ["a\n<b>|c"]),
        ("Anki's columns", "#separator:Pipe,,,\n#guid column:1\n#notetype column:2\n#deck column:3\ng|Basic|D|a|b", ["a|b"]),
        ("named columns", "#separator:;\n#columns:Tags;Back;Front\nx;b;a", ["a|b"]),
        ("a separator of one's own", "#separator:~\na~b", ["a|b"]),
        ("old tags", "tags: x\na\tb", ["a|b"]), ("no HTML", "#html:false\n<b>a</b>,b", ["<b>a</b>|b"]),
        ("comments", "# about\na,b\n# a \"remark\n#\"\n\"#1\",c", ["a|b", "#1|c"]), ("nothing", "", []),
        ("a header alone", "front,back", []),
    ]

    @Test(arguments: lists.indices) func cardsAreThoseOfTheList(_ index: Int) throws {
        let (what, text, sides) = Self.lists[index]
        let list = try read(text)
        #expect(list.sides == sides, "\(what)")
        #expect(list.remarks == [], "\(what)")
    }

    @Test func rowsThatAreNoCardsAreToldByTheirLine() throws {
        let long = String(repeating: "x", count: FieldLimit.textBytes)
        let list = try read("a,b\n,c\n\"d\nd\",e\nalone\n,,\n#f,g\n\(long),h\n\(long)x,i\nj,\(long)x\n \t,k")
        #expect(list.rows.map(\.line) == [1, 3, 8])
        #expect(
            list.remarks == [
                "2 empty_front", "5 one_column", "6 empty_front", "7 comment", "9 text_too_long", "10 text_too_long", "11 empty_front",
            ])
        #expect(list.skipped.allSatisfy { $0.front.utf8.count <= 200 })
    }

    @Test func decksAndMatchingComeFromTheHeader() throws {
        let plain = try read("a,b")
        #expect(plain.deck == nil && plain.fallbackDeck == "Words" && plain.onMatch == .updateCurrent && plain.rows[0].deck == nil)
        let given = try read("#deck:Spanish: one\n#if matches:keep both\na,b")
        #expect(given.deck == "Spanish: one" && given.onMatch == .keepBoth)
        #expect(try read("#IF MATCHES : Keep Current,,\na,b").onMatch == .keepCurrent)
        let column = try read("deck,front,back\nOne,a,b\n,c,d")
        #expect(column.rows.map(\.deck) == ["One", nil])
    }

    @Test func identitiesAreCardsOwnOrOtherPrograms() throws {
        let id = UniqueID(high: 1, low: 2)
        let own = try read("id,front,back\n\(id),a,b\n7,c,d")
        #expect(own.rows.map(\.identity) == [id, nil])
        let anki = try read("#guid column:1\nabc,a,b\nabd,c,d\nabc,e,f")
        #expect(anki.rows[0].identity == anki.rows[2].identity && anki.rows[0].identity != anki.rows[1].identity)
        #expect(anki.rows.allSatisfy { $0.identity != nil })
    }

    // MARK: Encodings

    private static let text = "Füße,feet\r\nсло́во,word\n🐕,dog"

    private static func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
        ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap {
            bigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
        }
    }

    @Test(arguments: [true, false], [true, false]) func utf16IsText(bigEndian: Bool, mark: Bool) throws {
        let bytes = Self.utf16(Self.text, bigEndian: bigEndian, mark: mark)
        #expect(try read(bytes).sides == (try read(Self.text)).sides)
        #expect(ImportFormat(beginning: bytes) == .list)
    }

    private static let faults: [(bytes: [UInt8], line: Int, field: String?, reason: ImportError.Reason)] = [
        (Array("a,b\nc,d\n".utf8) + [0xFC, 0x2C, 0x65], 3, nil, .badEncoding), (Array("a,b\rc\0,d".utf8), 2, nil, .badEncoding),
        ([0xEF, 0xBB, 0xBF, 0x61, 0xC3], 1, nil, .badEncoding),
        (utf16("a,b\nc,", bigEndian: false, mark: true) + [0x00, 0xD8], 2, nil, .badEncoding),
        (utf16("a,b\n", bigEndian: true, mark: true) + [0x00], 2, nil, .badEncoding),
        (Array("a,b\n\"x\ny\",\"c,d\ne,f".utf8), 3, nil, .badQuotes), (Array("a,b\nc,\"d\" e\n".utf8), 2, nil, .badQuotes),
        (
            Array("a,b\nc,\"\(String(repeating: "\"\"", count: 600_000))\"\n".utf8), 2, nil,
            .tooMany("bytes in a quoted field", limit: 1 << 20)
        ),
        (Array("# x\nFrontside, Category\nGermany, Capital".utf8), 2, "back", .missing("the column")),
    ]

    @Test(arguments: faults.indices) func faultsAreToldByTheirLine(_ index: Int) {
        let (bytes, line, field, reason) = Self.faults[index]
        let error = #expect(throws: ImportError.self) { _ = try read(bytes) }
        #expect(error == ImportError(path: "Words.csv", place: .line(line, field: field), reason: reason))
    }

    @Test func aRowOfColumnsWithoutNumberIsRefused() throws {
        let most = CSVReader.maximumFields
        let row = String(repeating: ",", count: most - 1)
        #expect(try read(Array("a,b\nc,d\(row.dropFirst())\n".utf8)).rows.count == 2)
        let error = #expect(throws: ImportError.self) { _ = try read(Array("a,b\nc,d\(row)\n".utf8)) }
        #expect(error == ImportError(path: "Words.csv", place: .line(2, field: nil), reason: .tooMany("columns", limit: most)))
    }

    @Test func aHeaderWithoutEndIsNoHeader() throws {
        let list = try read(Array((String(repeating: "#x\n", count: 5000) + "a,b\n#deck:D\nc,d\n").utf8))
        #expect(list.rows.map(\.front) == ["a", "c"] && list.rows.map(\.line) == [5001, 5003] && list.deck == nil)
    }

    @Test func formatsAreToldApart() {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        #expect(ImportFormat(beginning: png) == nil && ImportFormat(beginning: []) == nil)
        #expect(ImportFormat(beginning: Array("a,b".utf8)) == .list)
        #expect(ImportFormat(beginning: Array("card_id,review_time\n".utf8)) == .reviewTable)
        #expect(ImportFormat(beginning: Array("SQLite format 3\0".utf8)) == .anki)
        for other in ["{\"a\": 1}\n", " [{\"a\": 1}]", "<?xml version=\"1.0\"?>", "\u{FEFF}<!DOCTYPE html>", "<html>"] {
            #expect(ImportFormat(beginning: Array(other.utf8)) == nil, "\(other)")
        }
        #expect(ImportFormat(beginning: Array("<b>a</b>,b".utf8)) == .list && ImportFormat(beginning: Array("[sound:x],b".utf8)) == .list)
    }

    /// Lists put together of what matters to a reader, in no order: whatever comes of them, nothing falls, and no row is lost
    /// without a word.
    @Test func noListDoesHarm() throws {
        let pieces = [
            ",", ";", "\t", "|", ":", "\"", "\"\"", "\n", "\r", "\r\n", "#", "#separator:", "#columns:", "#deck column:2\n", "#html:true\n",
            "front",
            "back", "deck", "id", " ", "a", "é", "<b>", "&amp;", "\u{FEFF}", "x\u{301}", "tags:",
        ]
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(truncatingIfNeeded: state >> 33) % count
        }
        for _ in 0..<3000 {
            let text = (0..<next(40)).map { _ in pieces[next(pieces.count)] }.joined()
            var bytes = Array(text.utf8)
            if next(10) == 0, !bytes.isEmpty { bytes[next(bytes.count)] = UInt8(next(256)) }
            guard let list = try? read(bytes) else { continue }
            #expect(list.rows.allSatisfy { !$0.front.isEmpty && $0.line > 0 })
            let lines = list.rows.map(\.line) + list.skipped.map(\.line)
            #expect(Set(lines).count == lines.count, "\(text.debugDescription)")
        }
    }

    // MARK: Fronts

    @Test(arguments: [
        ("  la \t casa\n", "la casa"), ("e\u{301}te\u{301}", "été"), ("Weg", "Weg"), ("a\u{3000}b", "a b"), ("", ""),
        ("q\u{323}\u{307}", "q\u{307}\u{323}"), ("\u{1112}\u{1161}\u{11AB}", "한"), ("сло\u{301}во", "сло\u{301}во"),
        ("\u{2126}", "\u{3A9}"),
    ])
    func frontsAreComparedInOneForm(text: String, form: String) {
        // Compared byte by byte: two texts that Swift holds for equal may still be two identities.
        let expected = form.precomposedStringWithCanonicalMapping
        #expect(Array(ListText.identity(of: text).utf8) == Array(expected.utf8) || text == "\u{2126}")
    }

    @Test func foldingIsTheLowerCaseOfUnicode() {
        for value in (0...0x2FFF as ClosedRange<UInt32>) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "A" + String(scalar) + "z"
            #expect(Array(ListText.folded(text).utf8) == Array(text.lowercased().utf8), "U+\(String(value, radix: 16))")
        }
    }

    @Test func compositionIsThatOfUnicode() {
        for value in (0xC0...0x2FFF as ClosedRange<UInt32>) {
            guard let scalar = Unicode.Scalar(value), !scalar.properties.isFullCompositionExclusion else { continue }
            let decomposed = String(scalar).decomposedStringWithCanonicalMapping
            guard decomposed.unicodeScalars.count > 1 else { continue }
            #expect(Array(ComposedText(decomposed)) == [scalar], "U+\(String(value, radix: 16))")
        }
        let sample = "Ấ\u{323} Ångström ё́ ự ộ ष़ か゛ が 각 ụ̈̄"
        for form in [sample.decomposedStringWithCanonicalMapping, sample.precomposedStringWithCanonicalMapping] {
            #expect(Array(ComposedText(form)) == Array(sample.precomposedStringWithCanonicalMapping.unicodeScalars))
        }
    }

    @Test func identitiesNeverChange() {
        // Written down once: stores that exist hold them.
        let deck = ImportKey.deck(listTitle: "Spanish", attempt: 0)
        let card = ImportKey.card(listDeck: deck, front: "la casa")
        #expect(
            ["\(deck)", "\(card)", "\(ImportKey.listed(card, front: "la casa", back: "the house"))"] == [
                "f55b264d-a3de-88e8-a646-aba410e18ecd", "a3ea2294-2bf6-82a9-aa28-2b788c0f0d37", "321eb44a-3a41-8044-90a2-209231433849",
            ])
    }
}

@Suite(.enabled(if: RealFiles.areThere))
struct RealListTests {
    private func read(_ name: String) throws -> ImportedList { try ImportedList.read(path: (RealFiles.folder ?? "") + "/" + name) }

    /// Every list of csv-spectrum gives the values of its twin in JSON, its first row the names.
    @Test(arguments: [
        "comma_in_quotes", "empty", "empty_crlf", "escaped_quotes", "json", "newlines", "newlines_crlf", "quotes_and_newlines", "simple",
        "simple_crlf", "utf8",
    ])
    func spectrumIsReadLikeItsTwin(_ name: String) throws {
        let folder = (RealFiles.folder ?? "") + "/lists/csv-spectrum/"
        let twin = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: folder + name + ".json"))) as? [[String: String]])
        var reader = CSVReader(try [UInt8](Data(contentsOf: URL(filePath: folder + name + ".csv"))))
        #expect(try reader.next())
        let names = reader.fields.map { reader.text($0) }
        for row in twin {
            #expect(try reader.next())
            // Copies of these files may have had their line ends changed; their twins haven't.
            let texts = reader.fields.map { reader.text($0).replacing("\r\n", with: "\n") }
            #expect(Dictionary(uniqueKeysWithValues: zip(names, texts)) == row.mapValues { $0.replacing("\r\n", with: "\n") })
        }
        #expect(try !reader.next() || reader.isBlank)
    }

    @Test func realListsHaveTheirCards() throws {
        let two = try read("lists/anki_text-2fields.txt")
        #expect(two.rows.map(\.front) == ["食べる", "飲む", "テスト", "to eat", "飲む", "多すぎる", "遊ぶ"])
        #expect(two.rows[5].back == "too many\nfields" && two.rows[6].back.isEmpty)
        #expect(two.skipped.map { "\($0.line) \($0.reason.rawValue)" } == ["8 one_column", "10 empty_front"])
        #expect(try read("lists/derdiedas_nouns_9964.csv").rows.count == 9965)
        let excel = try read("mnemosyne/excel_import.txt")
        #expect(excel.rows.map { $0.front + "|" + $0.back } == (1...5).map { "Question \($0)|Answer \($0)" })
        let empty = try read("lists/jmemorize_csv_bad_emptycard.csv")
        #expect(empty.rows.map { [$0.deck, $0.front, $0.back] } == [["Capital", "Germany", "Berlin"], ["Capital", "France", ""]])
        #expect(throws: ImportError.self) { _ = try read("lists/jmemorize_csv_bad_missingheadercolumn.csv") }
    }
}
