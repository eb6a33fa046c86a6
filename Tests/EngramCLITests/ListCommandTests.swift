import Engram
import Foundation
import Testing

/// Lists in and tables out, as somebody would type it.
struct ListCommandTests {
    @Test func aListIsToldRowByRow() throws {
        let engram = try Executable()
        _ = try engram.file("words.csv", "front,back\nla casa,the house\n,nothing\nalone\nla casa,the home\n")
        let dry = try engram.run("import words.csv --deck Spanish --dry-run")
        #expect(dry.code == 0)
        #expect(try engram.run("deck list --json").document()["decks"]?.arrayValue?.isEmpty == true)
        let report = try engram.run("import words.csv --deck Spanish --json").document()
        #expect(report["source"]?.stringValue == "list" && report["cards"]?["new"]?.integerValue == 1)
        let rows = try #require(report["rows"]?.arrayValue)
        #expect(rows.compactMap { $0["line"]?.integerValue } == [2, 3, 4, 5])
        #expect(rows.compactMap { $0["outcome"]?.stringValue } == ["new", "skipped", "skipped", "duplicate"])
        #expect(rows.map { $0["reason"]?.stringValue } == [nil, "empty_front", "one_column", "back_replaced"])
        #expect(rows[3]["of_line"]?.integerValue == 2 && rows[0]["front"]?.stringValue == "la casa")
        #expect(report["skipped"]?.arrayValue?.compactMap { $0["reason"]?.stringValue } == ["one_column", "empty_front"])
        let again = try engram.run("import words.csv --deck Spanish")
        #expect(again.code == 0 && again.lines.contains("line 3: empty front") && again.errors.contains("All of it was here already."))
        for word in ["csv", "tsv", "anki-text", "list"] {
            #expect(try engram.run("import words.csv --deck Spanish --from \(word)").code == 0)
        }
        #expect(try engram.run("card list --json").document()["cards"]?.arrayValue?.compactMap { $0["back"]?.stringValue } == ["the home"])
    }

    private static let faults: [(text: String, says: String)] = [
        ("a,b\n\"c,d\n", "list.csv:2: a quoted field"), ("front,deck\na,b", "list.csv:1: back: the column is missing"),
        ("just one thing\n", "list.csv: is neither"),
    ]

    @Test(arguments: faults.indices) func aFaultNamesItsLineAndChangesNothing(_ index: Int) throws {
        let engram = try Executable()
        _ = try engram.file("list.csv", Self.faults[index].text)
        let outcome = try engram.run("import list.csv")
        #expect(outcome.code == 2 && outcome.errors.contains(Self.faults[index].says) && outcome.out.isEmpty, "\(outcome.all)")
        #expect(try engram.run("log").out.isEmpty)
    }

    @Test func severalCardsComeFromStandardInput() throws {
        let engram = try Executable()
        _ = try engram.deck("Spanish")
        let made = try engram.run("card add Spanish --stdin", input: "9:00,wake up\n10:30,tea\n")
        #expect(
            made.code == 0 && made.lines.first == "took in standard input (list)" && made.lines[1].hasPrefix("cards    2 new"),
            "\(made.all)")
        let report = try engram.run(["card", "add", "Spanish", "--stdin", "--json"], input: "9:00\twake up\nnoon\tlunch").document()
        #expect(report["cards"]?["new"]?.integerValue == 1 && report["cards"]?["unchanged"]?.integerValue == 1)
        #expect(try engram.run("undo").code == 0)
        #expect(try engram.run("card list --json").document()["cards"]?.arrayValue?.count == 2)
        let wrong: [(line: String, code: Int32, says: String)] = [
            ("card add Spanish --stdin --front x", 2, "don't go together"), ("card add Spanish", 2, "--front"),
            ("card add Spanish --front x", 2, "--back"), ("card add Nowhere --stdin", 1, "no deck is named"),
        ]
        for (line, code, says) in wrong {
            let outcome = try engram.run(line, input: "a,b")
            #expect(outcome.code == code && outcome.errors.contains(says), "\(outcome.all)")
        }
        let open = try engram.run("card add Spanish --stdin", input: "a,b\n\"c,d")
        #expect(open.code == 2 && open.errors.contains("standard input:2: "), "\(open.all)")
        #expect(try engram.run("card list --json").document()["cards"]?.arrayValue?.count == 2)
    }

    @Test func cardsGoOutAndComeBack() throws {
        let engram = try Executable()
        let deck = try engram.deck("Spanish, first year")
        let card = try engram.card(in: deck, front: "say \"hola\"")
        #expect(try engram.run("review \(card) easy").code == 0)
        let report = try engram.run("export csv cards.csv --json").document()
        #expect(report["cards"]?.integerValue == 1 && report["reviews"]?.integerValue == 0)
        let package = try engram.run("export apkg cards.apkg --json").document()
        #expect(package["cards"]?.integerValue == 1 && package["reviews"]?.integerValue == 1)
        #expect(try engram.run("export apkg other.apkg").lines == ["wrote other.apkg: 1 card, 1 review"])
        let table = try engram.run("export tsv -")
        #expect(table.lines.count == 2 && table.lines[1].hasPrefix("Spanish, first year\t\"say \"\"hola\"\"\"\tthe house\t\(card)\t"))
        #expect(try engram.shell("engram export csv - | cmp - cards.csv").code == 0)
        #expect(try engram.run("import cards.csv --json").document()["cards"]?["unchanged"]?.integerValue == 1)
        let wrong: [(line: String, code: Int32, says: String)] = [
            ("export csv cards.csv", 2, "cards.csv: is there already"), ("export apkg -", 2, "standard output"),
            ("export csv - --json", 2, "don't go together"), ("export xlsx cards.xlsx", 2, "csv, tsv or apkg"),
            ("export csv none/cards.csv", 3, "none/cards.csv"), ("export csv", 2, "wants TO"),
        ]
        for (line, code, says) in wrong {
            let outcome = try engram.run(line)
            #expect(outcome.code == code && outcome.errors.contains(says) && outcome.out.isEmpty, "\(outcome.all)")
        }
        #expect(try engram.run("export csv cards.csv --force").code == 0)
    }
}
