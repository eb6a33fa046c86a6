import EventCoding
import Foundation
import StudyModel
import Testing

@testable import Exchange

private func card(
    _ number: UInt64, _ front: String, _ back: String = "back", deck: String = "Words", created: Int64 = 1_700_000_000_000,
    interval: Int = 0, due: Int32 = 19_700, last: Int64? = nil, passed: Int64 = 0, failed: Int64 = 0, favourite: Bool = false
) -> ExportedCard {
    ExportedCard(
        id: UniqueID(high: 1, low: number), deck: deck, front: front, back: back,
        createdAt: ZonedTime(wallMilliseconds: created, zoneMinutes: 60),
        lastReviewedAt: last.map { ZonedTime(wallMilliseconds: $0, zoneMinutes: 60) },
        levelHalfSteps: 3, box: 1, intervalDays: interval, due: StudyDay(days: due), passed: passed, failed: failed, isFavourite: favourite)
}

struct ExportTests {
    private static let awkward = [
        "plain", "a,b", "a\tb", "\"quoted\"", "two\nlines", "CR\rLF\r\n", "#hash", " spaces ", "🐕", "<b>1 & 2</b> &amp; 3", "= 1 + 1",
        "l'été",
        "{{Front}} {{c1::x}}", "a\u{1F}b",
    ]

    @Test(arguments: [UInt8(ascii: ","), UInt8(ascii: "\t")]) func tablesAreReadAgain(separator: UInt8) throws {
        var table = CardTable(separator: separator)
        let cards = Self.awkward.enumerated().map { card(UInt64($0), $1, $1, deck: $1) }
        for card in cards { table.append(card) }
        let list = try ImportedList.read(table.take(), path: "t", name: "t", stem: "t")
        #expect(list.skipped.isEmpty)
        let expected = Self.awkward
        #expect(list.rows.map(\.front) == expected && list.rows.map(\.back) == expected && list.rows.map(\.deck) == expected)
        #expect(list.rows.map(\.identity) == cards.map(\.id))
        #expect(table.take().isEmpty)
    }

    /// Any texts of what formulas, marks, separators and quotes are made of.
    @Test(arguments: [UInt8(ascii: ","), UInt8(ascii: "\t")], [true, false])
    func textsComeBackAsTheyWere(separator: UInt8, marksFormulas: Bool) throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SplitMix64(seed: seed)
        let pieces = [
            "=", "+", "-", "@", "'", "\"", "\t", "\r", "\n", "\r\n", " ", ",", ";", "5", "a", "é", "\u{301}", "\u{FF1D}", "\u{FF0D}",
            "\u{A0}",
            "\u{200B}", "\u{FEFF}", "#", "|", "日", "\u{1}",
        ]
        let texts = (0..<3000).map { _ in
            (0..<Int.random(in: 1...6, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }
        var table = CardTable(separator: separator, marksFormulas: marksFormulas)
        for (index, text) in texts.enumerated() { table.append(card(UInt64(index + 1), text, text, deck: text)) }
        let bytes = table.take()
        let list = try ImportedList.read(bytes, path: "t", name: "t", stem: "t", isRaw: !marksFormulas)
        #expect(list.skipped.isEmpty && list.rows.count == texts.count, "seed \(seed)")
        for (row, text) in zip(list.rows, texts) {
            for found in [row.front, row.back, row.deck ?? ""] {
                #expect(Array(found.utf8) == Array(text.utf8), "\(text.debugDescription), seed \(seed)")
            }
        }
        guard marksFormulas else { return }
        // What a spreadsheet finds in each cell.
        var reader = CSVReader(bytes, separator: separator)
        _ = try reader.next()
        while try reader.next() {
            let cell = reader.text(reader.fields[1]).unicodeScalars
            let sign = cell.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" && $0 != "\u{200B}" && $0 != "\u{1}" }
            let isRun = sign.map { ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0D}"].contains($0) } ?? false
            #expect(!isRun && !(cell.first.map { ["\t", "\r", "\n"].contains($0) } ?? false), "seed \(seed)")
        }
    }

    @Test(arguments: [
        ("-5", "'-5"), ("=1+1", "'=1+1"), ("+49", "'+49"), ("@home", "'@home"), ("\tx", "'\tx"), ("\rx", "'\rx"), ("  =x", "'  =x"),
        ("\u{FF1D}x", "'\u{FF1D}x"), ("'=x", "''=x"), ("''-5", "'''-5"), ("\"=x\"", "'\"=x\""), ("\u{200B}=x", "'\u{200B}=x"),
        ("'tis", "'tis"), ("''quoted''", "''quoted''"), ("'", "'"), ("", ""), ("a=b", "a=b"), ("5-3", "5-3"), ("' '=x", "' '=x"),
    ])
    func formulasAreMarked(text: String, marked: String) {
        #expect(FormulaMark.marked(text) == marked)
        #expect(FormulaMark.unmarked(marked) == text)
    }

    @Test(arguments: [UInt8(ascii: ","), UInt8(ascii: "\t")]) func aTableIsKnownWhateverItsTextsHold(separator: UInt8) throws {
        var table = CardTable(separator: separator)
        let text = String(String.UnicodeScalarView((1...0x7F).compactMap { Unicode.Scalar(UInt8($0)) }))
        table.append(card(1, text))
        let bytes = table.take()
        #expect(ImportFormat(beginning: bytes) == .list)
        // What only begins like one isn't one.
        #expect(ImportFormat(beginning: Array("deck\u{1}".utf8)) == nil)
    }

    @Test func otherProgramsListsKeepTheirApostrophes() throws {
        let list = try ImportedList.read(
            Array("'tis,'-5\n''x'',y\nz,\"  '=1\"\n".utf8), path: "t", name: "t", stem: "t")
        #expect(list.rows.map(\.front) == ["'tis", "''x''", "z"] && list.rows.map(\.back) == ["-5", "y", "=1"])
        let raw = try ImportedList.read(Array("a,'-5\n".utf8), path: "t", name: "t", stem: "t", isRaw: true)
        #expect(raw.rows.map(\.back) == ["'-5"])
    }

    @Test func aTableSaysHowCardsStand() {
        var table = CardTable(separator: UInt8(ascii: ","))
        table.append(card(7, "a", "x, y", interval: 3, last: 1_700_000_060_500, passed: 2, failed: 1, favourite: true))
        #expect(
            String(decoding: table.take(), as: UTF8.self) == """
                deck,front,back,id,created_at,last_reviewed_at,level,box,interval_days,due,passed,failed,favourite\r
                Words,a,"x, y",00000000-0000-0001-0000-000000000007,2023-11-14T23:13:20+01:00,2023-11-14T23:14:20.500+01:00,1.5,1,3,2023-12-09,2,1,true\r

                """)
    }

    @Test(arguments: [
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"), ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    ])
    func checksumsAreSHA1(text: String, digest: String) {
        #expect(sha1(Array(text.utf8)).map { String(format: "%02x", $0) }.joined() == digest)
    }

    @Test func deckNamesAreThoseThatAnkiKeeps() {
        for (title, name) in [
            ("A::B", "A::B"), ("A:: B ", "A::B"), ("::x", "blank::x"), ("a:::b", "a:::b"), (" \n", "blank"), ("say \"hi\"", "say  hi"),
        ] {
            #expect(AnkiCollectionForm.deckName(title) == name, "\(title)")
        }
    }

    /// A package, and what our own import makes of it: an oracle for Anki's is in Tests/Acceptance.
    private func packed(_ cards: [(ExportedCard, [ExportedAnswer])]) throws -> ImportedHistory {
        var writer = AnkiPackageWriter(
            moment: ZonedTime(wallMilliseconds: 1_710_000_000_000, zoneMinutes: 60), rolloverHour: 4, firstDay: StudyDay(days: 19_675))
        for (card, answers) in cards { writer.append(card, answers) }
        let folder = try TemporaryFolder()
        return try ImportedHistory.read(path: try folder.write(writer.bytes(), "p.apkg"), format: .anki)
    }

    @Test func packagesHoldEveryText() throws {
        let history = try packed(Self.awkward.enumerated().map { (card(UInt64($0), $1, "back of \($0)", deck: "D \($0)"), []) })
        func line(_ text: String) -> String { text.split { $0.isWhitespace || $0 == "\u{1F}" }.joined(separator: " ") }
        #expect(Set(history.cards.map { line($0.front) }) == Set(Self.awkward.map { line($0) }))
        #expect(history.decks.count == Self.awkward.count && history.cards.count == Self.awkward.count)
        #expect(history.skipped.isEmpty)
    }

    @Test func answersKeepTheirTimesGradesAndKinds() throws {
        let start: Int64 = 1_700_000_000_000
        func answer(_ kind: ExportedAnswer.Kind, _ at: Int64, _ grade: UInt8, _ before: Int, _ after: Int) -> ExportedAnswer {
            ExportedAnswer(kind: kind, milliseconds: start + at, grade: grade, tookMilliseconds: 1500, daysBefore: before, daysAfter: after)
        }
        let history = try packed([
            (card(1, "a", interval: 3), [answer(.reviewed, 1, 3, 0, 3), answer(.practised, 2, 2, 3, 3), answer(.reset, 3, 0, 3, 0)]),
            // Answers of one moment, to this card and to others, keep apart and in order.
            (card(2, "b"), [answer(.reviewed, 1, 1, 0, 0), answer(.reviewed, 1, 4, 0, 3), answer(.reviewed, 9, 2, 3, 0)]),
        ])
        #expect(history.reviewCount == 4 && history.practiceCount == 1 && history.resetCount == 1 && history.skipped.isEmpty)
        let times = history.events.filter { $0.counter >= 3 << 13 }.map { $0.wallMilliseconds - start }
        #expect(times == [1, 2, 3, 4, 5, 9])
        #expect(history.gradeCounts == [1, 1, 1, 1] && history.tookMilliseconds == 6000)
        #expect(history.events.allSatisfy { $0.zoneMinutes == 60 })
    }

    @Test func decksOfOneNameAreOne() throws {
        let titles = ["Default", "default", "Spanish", "SPANISH", "Spanish::Verbs"]
        let history = try packed(titles.enumerated().map { (card(UInt64($0), "front \($0)", deck: $1), []) })
        #expect(history.decks.map(\.title).sorted() == ["Default", "Spanish", "Spanish::Verbs"])
    }

    @Test func anEmptyPackageIsOne() throws {
        let history = try packed([])
        #expect(history.cards.isEmpty && history.events.isEmpty)
    }

    @Test func cardsOfOneMomentAndOfNoneAreTold() throws {
        let history = try packed([(card(1, "a"), []), (card(2, "b"), []), (card(3, "c", created: -5), []), (card(4, "d", created: 0), [])])
        #expect(history.cards.count == 4)
        #expect(Set(history.events.map(\.key)).count == history.events.count)
    }
}
