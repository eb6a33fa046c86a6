import CZlib
import EventCoding
import Foundation
import Testing

@testable import Archive
@testable import Exchange

/// One gzip member that holds `content`.
private func gzip(_ content: [UInt8]) -> [UInt8] {
    var packed = [UInt8](repeating: 0, count: content.count + content.count / 100 + 64)
    var stream = unsafe z_stream()
    _ = unsafe engram_deflate_init(&stream, 15 + 16)
    let count = unsafe packed.withUnsafeMutableBufferPointer { target in
        unsafe content.withUnsafeBufferPointer { source in
            unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
            unsafe stream.avail_in = UInt32(source.count)
            unsafe stream.next_out = target.baseAddress
            unsafe stream.avail_out = UInt32(target.count)
            _ = unsafe deflate(&stream, Z_FINISH)
            return unsafe target.count - Int(stream.avail_out)
        }
    }
    _ = unsafe deflateEnd(&stream)
    return Array(packed.prefix(count))
}

@Suite struct DingTests {
    /// A line, and its entries: headwords, then the text.
    private static let lines: [(line: String, entries: [[String]])] = [
        ("Haus {n} :: house", [["Haus", "house", "Haus {n} :: house"]]),
        (
            "Haus {n} [constr.] | Häuser {pl} :: house | houses",
            [["Haus", "house", "Haus {n} [constr.] :: house"], ["Häuser", "houses", "Häuser {pl} :: houses"]]
        ),
        (
            "Aalen {n}; Aalenium {n} (erdgeschichtliche Stufe) [geol.] :: Aalenian (stage in the Earth’s history)",
            [
                [
                    "Aalen", "Aalenium", "Aalenian",
                    "Aalen {n}; Aalenium {n} (erdgeschichtliche Stufe) [geol.] :: Aalenian (stage in the Earth’s history)",
                ]
            ]
        ),
        (
            "Gestein (Erz; Fels; usw.) :: rock (ore; etc.); stone",
            [["Gestein", "rock", "stone", "Gestein (Erz; Fels; usw.) :: rock (ore; etc.); stone"]]
        ),
        (
            "Arbeit (an jdn.) vergeben {vt} :: to farm out <> work (to sb.)",
            [["Arbeit vergeben", "farm out work", "Arbeit (an jdn.) vergeben {vt} :: to farm out <> work (to sb.)"]]
        ),
        ("der Weg nach :: to the way", [["der Weg nach", "to the way", "der Weg nach :: to the way"]]),
        ("Balken {m} :: beam(s)", [["Balken", "beam", "Balken {m} :: beam(s)"]]),
        ("Abfallgesetz {n} /AbfG/ :: Waste Act", [["Abfallgesetz", "AbfG", "Waste Act", "Abfallgesetz {n} /AbfG/ :: Waste Act"]]),
        ("Atome/Moleküle :: atoms / molecules", [["Atome/Moleküle", "atoms / molecules", "Atome/Moleküle :: atoms / molecules"]]),
        ("offen (ohne Ende :: open [", [["offen (ohne Ende", "open [", "offen (ohne Ende :: open ["]]),
        ("verschachtelt ((a) {b [c} d]) :: nested", [["verschachtelt", "nested", "verschachtelt ((a) {b [c} d]) :: nested"]]),
        ("Radio {n}; Radio {n} :: Radio", [["Radio", "Radio {n}; Radio {n} :: Radio"]]),
        ("nur links :: ", [["nur links", "nur links :: "]]),
        ("a | {n} | c :: x | {pl} | z", [["a", "x", "a :: x"], ["c", "z", "c :: z"]]),
        ("zu  viel   Platz ::  too much", [["zu viel Platz", "too much", "zu  viel   Platz :: too much"]]),
        ("дом {м} :: 家", [["дом", "家", "дом {м} :: 家"]]),
    ]

    @Test("A line's parts become entries, found by the words of both sides without what is said of them", arguments: lines)
    func right(_ line: String, _ expected: [[String]]) {
        var entries: [DictionaryEntry] = []
        #expect(DingLine.read(Array(line.utf8)[...], into: &entries) == nil)
        #expect(entries.map { $0.headwords + [$0.text] } == expected, "\(line)")
    }

    @Test(
        "A line that isn't right says why, and brings nothing",
        arguments: [
            ("no separator", DictionaryFaults.Reason.badSeparator), ("a :: b :: c", .badSeparator), ("a | b :: c", .unequalParts),
            ("{n} :: (x)", .noHeadword), (" :: ", .noHeadword), (String(repeating: "x", count: 1025) + " :: y", .headwordTooLong),
            (String(repeating: "(x) ", count: 1 << 18) + ":: y", .entryTooLong),
        ])
    func wrong(_ line: String, _ reason: DictionaryFaults.Reason) {
        var entries: [DictionaryEntry] = []
        #expect(DingLine.read(Array(line.utf8)[...], into: &entries) == reason)
        #expect(entries.isEmpty)
    }

    @Test("Comments and empty lines are passed over; what can't be read is counted, with its line")
    func file() throws {
        let folder = try TemporaryFolder()
        let text =
            Array("\u{FEFF}# Version :: devel\r\n\r\nHaus :: house\r\nBaum\n\tx | y :: z\nweiß :: wh".utf8) + [0xFF, 0x0A]
            + Array("Hof :: yard".utf8)
        let path = try folder.write(text, "my words.txt")
        let dictionary = try ImportedDictionary.read(path: path)
        #expect(dictionary.format == .ding && dictionary.name == "my words")
        #expect(dictionary.entries.map(\.headwords) == [["Haus", "house"], ["Hof", "yard"]])
        #expect(dictionary.faults.listed.map(\.line) == [4, 5, 6] && dictionary.faults.listed.allSatisfy { $0.path == path })
        #expect(dictionary.faults.listed.map(\.reason) == [.badSeparator, .unequalParts, .notUTF8] && dictionary.faults.count == 3)
        #expect(try ImportedDictionary.read(path: path, format: .ding, name: "other").name == "other")
    }

    @Test("Heaps of brackets, bars and semicolons end soon")
    func hostile() {
        var entries: [DictionaryEntry] = []
        for heap in ["(", "{[(<", ")", "()", "/", " /a/", ";", "|", ":", "<>", "(;)"] {
            let side = String(repeating: heap, count: 40_000 / heap.utf8.count)
            _ = DingLine.read(Array("\(side) :: \(side)".utf8)[...], into: &entries)
        }
        let words = (0..<40_000).map { "w\($0)" }.joined(separator: ";")
        entries.removeAll()
        #expect(DingLine.read(Array("\(words) :: \(words)".utf8)[...], into: &entries) == nil)
        #expect(entries.first?.headwords.count == 40_000)
    }
}

@Suite struct DictdTests {
    /// A dictionary of those entries: the two files' bytes.
    static func files(_ entries: [(headword: String, text: String, written: String?)]) -> (index: String, text: String) {
        var index = ""
        var text = ""
        for entry in entries {
            index += "\(entry.headword)\t\(number(text.utf8.count))\t\(number(entry.text.utf8.count))"
            index += (entry.written.map { "\t" + $0 } ?? "") + "\n"
            text += entry.text
        }
        return (index, text)
    }

    static func number(_ value: Int) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return (value >= 64 ? number(value / 64) : "") + String(digits[value % 64])
    }

    private static let shelf: [(headword: String, text: String, written: String?)] = [
        ("00databaseshort", "00-database-short\n   Deutsch-Russisch ver. 2022.11.18\n", nil), ("00databaseutf8", "\n", nil),
        ("00databaseinfo", "made by hand\n", nil), ("haus", "Haus /haʊs/ <n>\nдом\n", nil), ("fuß", "Fuß, der\nнога\n", nil),
        ("entweder oder", "entweder … oder /x/\nили\n", nil), ("email", "E-Mail <n>\nписьмо\n", nil), ("bäume", "see Baum\n", nil),
        ("acdc", "AC/DC\nband\n", nil), ("ja ja", "Ja, ja!\nда\n", "Ja, ja!"),
    ]

    private static func write(_ folder: TemporaryFolder, _ index: String, _ text: [UInt8], ending: String = ".dict.dz") throws -> String {
        try folder.write(text, "d\(ending)")
        return try folder.write(Array(index.utf8), "d.index")
    }

    @Test("Headwords are as their entries write them, the name comes without its version, facts are no words")
    func right() throws {
        let (index, text) = Self.files(Self.shelf)
        let folder = try TemporaryFolder()
        let path = try Self.write(folder, index, gzip(Array(text.utf8)))
        let dictionary = try ImportedDictionary.read(path: path)
        #expect(dictionary.format == .dictd && dictionary.name == "Deutsch-Russisch" && dictionary.faults.count == 0)
        let headwords = ["Haus", "Fuß", "entweder … oder", "E-Mail", "bäume", "AC/DC", "Ja, ja!"]
        #expect(dictionary.entries.map(\.headwords) == headwords.map { [$0] })
        #expect(dictionary.entries.first?.text == "Haus /haʊs/ <n>\nдом")
        // From either file, packed or not, it is the same.
        let other = try TemporaryFolder()
        let plain = try Self.write(other, index, Array(text.utf8), ending: ".dict")
        for path in [plain, other.path + "/d.dict", folder.path + "/d.dict.dz"] {
            let again = try ImportedDictionary.read(path: path)
            #expect(again.digest == dictionary.digest && again.entries == dictionary.entries, "\(path)")
        }
    }

    @Test("Headwords of one entry share it")
    func aliases() throws {
        let folder = try TemporaryFolder()
        let path = try Self.write(folder, "haus\tA\tJ\nheim\tA\tJ\nhof\tA\tB\n", Array("Haus: дом\n".utf8), ending: ".dict")
        let entries = try ImportedDictionary.read(path: path).entries
        #expect(entries.map(\.headwords) == [["Haus", "heim"], ["hof"]])
    }

    @Test("What doesn't say that it is UTF-8 may be Latin-1")
    func latin() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("fu".utf8) + [0xDF] + Array("\tA\tE\n".utf8), "d.index")
        try folder.write(Array("Fu".utf8) + [0xDF, 0x0A], "d.dict")
        let entries = try ImportedDictionary.read(path: folder.path + "/d.index").entries
        #expect(entries == [DictionaryEntry(headwords: ["Fuß"], text: "Fuß")])
    }

    @Test(
        "A line that isn't right is passed over, counted and named",
        arguments: [
            ("haus", DictionaryFaults.Reason.badColumns), ("haus\tA", .badColumns), ("haus\tA\tB\tx\ty", .badColumns),
            ("haus\t\tB", .badNumber), ("haus\tA\t=", .badNumber), ("haus\tA\tAAAAAAAAAA", .badNumber), ("haus\t-1\tB", .badNumber),
            ("haus\tA\tBA", .outOfBounds), ("haus\tZ\tA", .outOfBounds), ("haus\t////////\t////////", .outOfBounds),
            ("\tA\tB", .noHeadword),
            (" \tA\tB", .noHeadword), (String(repeating: "x", count: 1025) + "\tA\tB", .headwordTooLong),
        ])
    func wrong(_ line: String, _ reason: DictionaryFaults.Reason) throws {
        let folder = try TemporaryFolder()
        let path = try Self.write(folder, "00-database-utf8\tA\tA\nhof\tA\tC\n\(line)\n", Array("Hof\n".utf8), ending: ".dict")
        let dictionary = try ImportedDictionary.read(path: path)
        #expect(dictionary.faults.listed == [DictionaryFaults.SkippedLine(path: path, line: 3, reason: reason)])
        #expect(dictionary.entries.map(\.headwords) == [["hof"]])
    }

    @Test(
        "A file that can't be read says so, by its name",
        arguments: [
            ("missing text", "d.dict", "can't be read"), ("damaged text", "d.dict.dz", "is damaged"),
            ("cut text", "d.dict.dz", "ends early"),
            ("no entries", "d.index", "there is no entry"), ("overlaps", "d.index", "overlap"),
            ("missing index", "d.index", "can't be read"),
        ])
    func unreadable(_ what: String, _ file: String, _ says: String) throws {
        let folder = try TemporaryFolder()
        let (index, text) = Self.files(Self.shelf)
        var packed = gzip(Array(text.utf8))
        var lines = index
        switch what {
        case "damaged text": packed[packed.count - 6] ^= 1
        case "cut text": packed.removeLast(20)
        case "no entries": lines = "haus\tA\n"
        case "overlaps":
            packed = gzip([UInt8](repeating: 0x78, count: 1 << 20))
            lines = (0..<8).map { "x\($0)\t\(Self.number($0))\t\(Self.number((1 << 20) - 8))\n" }.joined()
        default: break
        }
        if what != "missing text" { try folder.write(packed, "d.dict.dz") }
        if what != "missing index" { try folder.write(Array(lines.utf8), "d.index") }
        let path = folder.path + (what == "missing index" ? "/d.dict.dz" : "/d.index")
        let error = #expect(throws: ImportError.self) { try ImportedDictionary.read(path: path) }
        let words = error.map { "\($0)" } ?? ""
        #expect(words.contains(says) && (what == "missing text" || words.contains("/" + file)), "\(words)")
    }

    @Test("Text of neither format is refused; so is a format that doesn't fit the file's name")
    func otherFiles() throws {
        let folder = try TemporaryFolder()
        for content in ["", "some text\n", "# only :: a comment\n", "{\"a\": 1}"] {
            let path = try folder.write(Array(content.utf8), "file")
            #expect(throws: ImportError(path: path, reason: .notADictionary)) { try ImportedDictionary.read(path: path) }
            #expect(throws: ImportError.self) { try ImportedDictionary.read(path: path, format: .dictd) }
            #expect(throws: ImportError.self) { try ImportedDictionary.read(path: path, format: .ding) }
        }
    }

    @Test("No damage to either file crashes")
    func fuzz() throws {
        let (index, text) = Self.files(Self.shelf)
        let bytes = Array(index.utf8)
        for place in bytes.indices {
            for flip in [1, 0x20, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[place] ^= flip
                var reader = DictdReader(index: damaged, text: Array(text.utf8), indexPath: "i", textPath: "t")
                try? reader.read()
                #expect(reader.entries.count <= Self.shelf.count)
            }
        }
    }
}

@Suite(.enabled(if: RealFiles.areThere)) struct RealDictionaryTests {
    private func read(_ name: String) throws -> ImportedDictionary {
        try ImportedDictionary.read(path: (RealFiles.folder ?? "") + "/dict/" + name)
    }

    @Test("FreeDict's German-Russian dictionary, whole")
    func freedict() throws {
        let dictionary = try read("freedict-deu-rus.index")
        #expect(dictionary.name == "Deutsch-Русский FreeDict+WikDict dictionary" && dictionary.faults.count == 0)
        // 22,642 lines, of which six tell of the dictionary.
        #expect(dictionary.entries.count == 22_636)
        let kupfererz = try #require(dictionary.entries.first { $0.headwords == ["Kupfererz"] })
        #expect(
            kupfererz.text.hasPrefix("Kupfererz /ˈkʊp͡fɐˌʔeːɐ̯t͡s/ /ˈkʊp͡fɐˌʔɛʁt͡s/ <n, neut>\nмедная руда\nGestein, aus dem Kupfer gewonnen w"))
        // Every headword is as its entry begins.
        #expect(dictionary.entries.count { !$0.text.hasPrefix($0.headwords[0]) } == 0)
    }

    @Test("Twenty thousand lines of Ding's German-English dictionary, whole")
    func ding() throws {
        let dictionary = try read("ding_de-en_sample_20k.txt")
        #expect(dictionary.name == "ding_de-en_sample_20k" && dictionary.faults.count == 0)
        #expect(dictionary.entries.count == 38_696)
        let honey = dictionary.entries.first { $0.headwords.contains("Purpurzügel-Honigfresser") }
        #expect(honey?.headwords == ["Purpurzügel-Honigfresser", "purple-gaped honeyeater"])
        let signs = Set("{}[]()".utf8)
        let brackets = dictionary.entries.flatMap(\.headwords).filter { !signs.isDisjoint(with: $0.utf8) }
        // The brackets themselves, and an abbreviation.
        #expect(brackets == ["{", "}", "Hg(CNO)2"])
    }
}
