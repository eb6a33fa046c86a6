import CommandLineKit
import Engram
import Foundation
import Testing

/// The executable on a store of its own: what scripts rely on.
struct CommandTests {
    // MARK: JSON

    private static let deck = "id:s title:s colour:- cards:n learned:n due:n boxes:[n]"
    private static let card =
        "id:s deck:s front:s back:s created_at:s last_reviewed_at:- passed:n failed:n level:n box:n interval_days:n due:s favourite:b"
    private static let statistics = """
        reviews.total:n reviews.again:n reviews.hard:n reviews.good:n reviews.easy:n reviews.pass_rate:- practised:n \
        cards.total:n cards.new:n cards.learned:n cards.deleted:n boxes:[n] due.total:n due.overdue:n due.forecast.0.day:s \
        due.forecast.0.cards:n days:[] hours:[n] streak.current:n streak.longest:n seconds:n
        """
    private static let standing = ["before", "after"].map { "\($0).level:n \($0).box:n \($0).interval_days:n \($0).due:-" }
        .joined(separator: " ")
    private static let merge = "events.new:n events.known:n quarantined:n held_aside:n refused:[] digest:s"

    /// Lines in the order in which they are run, `$deck` and `$card` the first of each, `$review` the first review, and what
    /// each prints: s text, n number, b truth, [] list, [n] numbers, - null or text or number.
    private static let forms: [(line: String, keys: String)] = [
        ("deck add Spanish --colour blue", deck), ("deck list", prefixed("decks.0.", deck)), ("deck show Spanish", deck),
        ("deck rename Spanish 'Spanish, first year'", deck), ("deck recolour $deck none", deck),
        ("card add $deck --front 'la casa' --back 'the house'", card + " event:s"),
        ("card list", prefixed("cards.0.", card)), ("card list $deck", prefixed("cards.0.", card)), ("card show $card", card),
        ("card edit $card --back home", card + " event:s"), ("review $card good --took 5400", card + " event:s"),
        ("practise $card again", card + " event:s"), ("undo", card + " event:s target:s"),
        ("correct $review easy", card + " event:s target:s"), ("void $review", card + " event:s target:s"),
        ("card move $card $deck", card + " event:s"), ("card delete $card", card + " event:s"), ("card restore $card", card + " event:s"),
        ("favourite add $card", card + " event:s"), ("favourite add $card", card + " event:-"),
        ("favourite list", "items.0.id:s items.0.text:s items.0.since:s items.0.count:n items.0.kind:s"),
        ("favourite toggle $card", card), ("favourite remove $card", card), ("mistakes list", "items:[]"),
        ("due", "day:s total:n decks.0.id:s decks.0.title:s decks.0.due:n cards:[]"), ("stats", statistics), ("stats $deck", statistics),
        ("timeline $card", "event:s type:s at:s day:s grade:- took_ms:- voided:b " + standing),
        (
            "replay",
            "events:n commits:n origins:n decks:n cards:n reviews:n digest:s stored_digest:s equal:b seconds:n "
                + prefixed("statistics.", statistics)
        ),
        ("replay --as-of \(Executable.now)", "events:n digest:s !equal"), ("replay --scheduler boxes:count=5", "digest:s !equal"),
        (
            "verify",
            """
            ok:b level:s findings:[] checked.pages:n checked.commits:n checked.events:n checked.projections:n head.$origin:s seconds:n \
            finding_count:n pages.0.used:n pages.0.free:n pages.0.leaked:n remarks:[]
            """
        ), ("rebuild", "changed:b"), ("verify --level log --sample 50%", "ok:b part.first:n part.last:n part.of:n part.sample:b"),
        ("verify --level log --max-time 60", "ok:b checked.commits:n"), ("backup copy", "changed:b events:n backup:s lost:n digest:s"),
        ("backup copies/second --ndjson --drill", "changed:b events:n backup:s lost:n drill:s"),
        ("salvage copy rescued", "changed:b events:n backup:- lost:n gaps:[] rescued:[] kept:n digest:s"),
        ("compact", "changed:b events:n backup:- lost:n bytes:n"),
        ("log", "sequence:n event:s type:s version:n logical_time:n at:s subject:s payload.title:s"),
        ("scheduler show", "scheduler:s revision:n parameters.count:n parameters.first:n parameters.multiplier:s spec:s"),
        ("scheduler set boxes:count=5,first=1,multiplier=2", "scheduler:s revision:n parameters.count:n spec:s"),
        ("undo", "event:s target:s"), ("day set 3", "day:s rollover_hour:n"), ("day show", "day:s rollover_hour:n"),
        (
            "import reviews.csv --dry-run",
            "source:s cards.new:n cards.updated:n cards.unchanged:n reviews.new:n reviews.known:n skipped:[] quarantined:n"
        ), ("import reviews.csv --deck Known --zone UTC", "source:s cards.new:n practised.new:n practised.known:n adjusted:[]"),
        ("merge $store", merge), ("log import events.ndjson", merge), ("deck delete $deck", deck), ("undo", deck + " event:s target:s"),
        (
            "words import words.txt --name Animals",
            "id:s name:s digest:s words:n questions:n types:n source:s entries:n changed:b skipped:[] faults.0.file:s faults.0.line:n faults.0.message:s"
        ), ("words import words.txt --dry-run", "id:s changed:b"),
        ("words ez --limit 1", prefixed("words.0.", "id:s word:s entry:s favourite:b")), ("version", "version:s"),
    ]

    private static func prefixed(_ prefix: String, _ keys: String) -> String {
        keys.split(separator: " ").map { prefix + $0 }.joined(separator: " ")
    }

    @Test("With --json every command prints the keys that are promised, and nothing else on standard output")
    func forms() throws {
        let engram = try Executable(store: false)
        let made = try engram.run("init --json").document()
        #expect(made["store"]?.stringValue == engram.environment["ENGRAM_STORE"])
        var names = ["$origin": try #require(made["origin"]?.stringValue), "$store": try #require(made["store"]?.stringValue)]
        _ = try engram.file("events.ndjson", "")
        _ = try engram.file("words.txt", "Esel {m}; Langohr {n} :: donkey\nEžek {m} | Import {m} :: hedgehog | import\nbroken\n")
        _ = try engram.file("reviews.csv", "card_id,review_time,review_rating\n7,1714617763377,3\n7,1714704163377,1\n")
        for (line, keys) in Self.forms {
            let words = Executable.words(line).map { names[$0] ?? $0 } + ["--json"]
            let outcome = try engram.run(words)
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.all)")
            guard let document = line == "log" || line.hasPrefix("timeline") ? try outcome.documents().first : try outcome.document() else {
                Issue.record("\(outcome.all)")
                continue
            }
            for key in keys.split(separator: " ") {
                Self.check(names.reduce(String(key)) { $0.replacing($1.key, with: $1.value) }, document, outcome)
            }
            if line.hasPrefix("deck add") { names["$deck"] = document["id"]?.stringValue }
            if line.hasPrefix("card add") { names["$card"] = document["id"]?.stringValue }
            if line.hasPrefix("review") { names["$review"] = document["event"]?.stringValue }
        }
    }

    /// Follows a path such as `due.forecast.0.day:s` into a document.
    private static func check(_ key: String, _ document: JSONValue, _ outcome: Executable.Outcome) {
        if key.hasPrefix("!") {
            #expect(document[String(key.dropFirst())] == nil, "\(key): \(outcome.all)")
            return
        }
        let parts = key.split(separator: ":")
        var value: JSONValue? = document
        for name in parts[0].split(separator: ".") {
            if let list = value?.arrayValue, let index = Int(name) {
                value = list.indices.contains(index) ? list[index] : nil
            } else {
                value = value?[String(name)]
            }
        }
        let isRight: Bool =
            switch parts[1] {
            case "s": value?.stringValue != nil
            case "n": value?.double != nil
            case "b": value?.boolValue != nil
            case "[]": value?.arrayValue != nil
            case "[n]": value?.arrayValue.map { !$0.isEmpty && $0.allSatisfy { $0.double != nil } } ?? false
            default: value != nil
            }
        #expect(isRight, "\(key): \(outcome.all)")
    }

    // MARK: A session

    @Test("From an empty folder to statistics, and every step taken back again")
    func session() throws {
        let engram = try Executable()
        let deck = try engram.deck("Spanish")
        let card = try engram.card(in: "Spanish")
        let other = try engram.card(in: String(deck.prefix(4)), front: "el perro")
        #expect(try engram.run("due --json").document()["total"]?.integerValue == 2)
        // Levels, boxes, intervals and due days as the product says them.
        let steps: [(grade: String, now: String, level: Double, box: Int, days: Int, due: String)] = [
            ("good", "2026-03-02T10:00:00+01:00", 1, 1, 3, "2026-03-05"), ("easy", "2026-03-05T10:00:00+01:00", 2.5, 2, 7, "2026-03-12"),
            ("easy", "2026-03-12T03:59:59+01:00", 4, 4, 26, "2026-04-06"), ("hard", "2026-04-06T12:00:00+02:00", 3, 3, 13, "2026-04-19"),
            ("again", "2026-04-19T12:00:00-05:00", 0, 0, 0, "2026-04-19"),
        ]
        for step in steps {
            let view = try engram.run("review \(card.prefix(8)) \(step.grade) --took 1500 --now \(step.now) --json").document()
            let level = view["level"]?.double
            let isRight =
                level == step.level && view["box"]?.integerValue.map(Int.init) == step.box
                && view["interval_days"]?.integerValue.map(Int.init) == step.days
            #expect(
                isRight && view["due"]?.stringValue == step.due && view["last_reviewed_at"]?.stringValue == step.now, "\(step): \(view)")
        }
        let later = "--now 2026-04-19T20:00:00-05:00"
        let figures = try engram.run("stats --json \(later)").document()
        #expect(figures["reviews"]?["total"]?.integerValue == 5)
        #expect(figures["reviews"]?["pass_rate"]?.double == 0.8)
        // Five times one and a half seconds, summed and then cut.
        #expect(figures["seconds"]?.integerValue == 7)
        #expect(figures["days"]?.arrayValue?.map { $0["seconds"]?.integerValue } == [1, 1, 1, 1, 1])
        let lives = try engram.run("timeline \(card) --json").documents()
        #expect(lives.map { $0["type"]?.stringValue } == ["card_created"] + Array(repeating: "card_reviewed", count: 5))
        for (earlier, later) in zip(lives, lives.dropFirst()) { #expect(earlier["after"] == later["before"]) }
        try engram.run("deck delete Spanish \(later)")
        #expect(try engram.run("review \(other) good \(later)").code == 2)
        // The deck, five reviews, two cards, the deck's making.
        for _ in 0..<9 { #expect(try engram.run("undo \(later)").code == 0) }
        #expect(try engram.run("undo \(later)").code == 1)
        #expect(try engram.run("deck list \(later)").out.isEmpty)
        #expect(try engram.run("replay --json \(later)").document()["equal"]?.boolValue == true)
        #expect(try engram.run("verify").code == 0)
    }

    @Test("A dictionary is taken in, words are found and favoured; nothing found is 1, with an empty list")
    func dictionary() throws {
        let engram = try Executable()
        let nothing = try engram.run("words ez --json")
        #expect(
            nothing.code == 1 && nothing.out == "{\"words\":[]}\n" && nothing.errors.contains("engram words import FILE"), "\(nothing.all)")
        _ = try engram.file("animals.txt", "Esel {m} :: donkey\nёж {м}; ёжик :: hedgehog\nbroken\n")
        _ = try engram.file("Шутка.index", "00-database-short\tA\tJ\nшутка\tJ\tQ\n")
        _ = try engram.file("Шутка.dict", "A name \n\nшутка\njoke\n")
        let first = try engram.run("words import animals.txt")
        #expect(first.code == 0 && first.out.contains("5, in 2 entries") && first.errors.contains("animals.txt:3: "), "\(first.all)")
        let again = try engram.run("words import animals.txt --json").document()
        #expect(again["changed"]?.boolValue == false && again["words"]?.integerValue == 5)
        #expect(try engram.run("words import Шутка.dict --json").document()["name"]?.stringValue == "A name")
        let found = try engram.run("words еж --json").document()["words"]?.arrayValue ?? []
        #expect(found.map { $0["word"]?.stringValue } == ["ёж", "ёжик"])
        #expect(found.first?["entry"]?.stringValue == "ёж {м}; ёжик :: hedgehog")
        #expect(try engram.run("words шу --json").document()["words"]?.arrayValue?.first?["entry"]?.stringValue == "шутка\njoke")
        let id = found.first?["id"]?.stringValue ?? ""
        let made = try engram.run("favourite toggle \(id.prefix(8)) --json").document()
        #expect(made["favourite"]?.boolValue == true && made["text"]?.stringValue == "ёж" && made["event"]?.stringValue != nil)
        #expect(try engram.run("words Ёж --limit 1 --json").document()["words"]?.arrayValue?.map { $0["favourite"]?.boolValue } == [true])
        let list = try engram.run("favourite list --json").document()["items"]?.arrayValue?.first
        #expect(list?["text"]?.stringValue == "ёж" && list?["kind"]?.stringValue == "word")
        #expect(
            try engram.run("words еж").out == "\(id)\tёж\tёж {м}; ёжик :: hedgehog\n"
                + "\(found.last?["id"]?.stringValue ?? "")\tёжик\tёж {м}; ёжик :: hedgehog\n")
        for width in [30, 80] {
            let drawn = try engram.onTerminal("words е", width: width)
            #expect(drawn.code == 0 && drawn.out.contains("★") && drawn.lines.allSatisfy { $0.displayWidth <= width }, "\(drawn.all)")
        }
        #expect(try engram.run("verify").code == 0)
    }

    @Test("One log carried by file, by pipe and by store gives one state")
    func carrying() throws {
        let engram = try Executable()
        _ = try engram.card(in: try engram.deck("Spanish"))
        let digest = try engram.run("replay --json").document()["digest"]?.stringValue
        let script = """
            set -e
            engram log export > events.ndjson
            for store in a b c; do engram init -q --store $store > /dev/null; done
            engram log import events.ndjson --store a --json
            engram log export | engram log import - --store b --json
            engram merge "$ENGRAM_STORE" --store c --json
            engram log export --store b | cmp - events.ndjson
            engram merge a --store c --json
            """
        let outcome = try engram.shell(script)
        let reports = try outcome.documents()
        #expect(outcome.code == 0 && reports.count == 4 && reports.allSatisfy { $0["digest"]?.stringValue == digest }, "\(outcome.all)")
        #expect(reports.map { $0["events"]?["new"]?.integerValue } == [2, 2, 2, 0])
    }

    @Test("A deck has a scheduler of its own where one is set for it, and undo takes it back")
    func schedulerOfADeck() throws {
        let engram = try Executable()
        let deck = try engram.deck("Spanish")
        let set = try engram.run("scheduler set fixed:days=2/9 --deck Spanish --json").document()
        #expect(set["scheduler"]?.stringValue == "boxes" && set["decks"]?.arrayValue?.count == 1)
        #expect(set["decks"]?.arrayValue?[0]["id"]?.stringValue == deck)
        #expect(set["decks"]?.arrayValue?[0]["title"]?.stringValue == "Spanish")
        #expect(set["decks"]?.arrayValue?[0]["scheduler"]?.stringValue == "fixed:days=2/9")
        #expect(try engram.run("scheduler show").out.contains("Spanish: fixed:days=2/9"))
        let card = try engram.card(in: deck)
        #expect(try engram.run("review \(card) good --json").document()["interval_days"]?.integerValue == 2)
        #expect(try engram.run("scheduler set boxes --deck Nowhere").code == 1)
        for _ in 0..<3 { try engram.run("undo") }
        #expect(try engram.run("scheduler show --json").document()["decks"]?.arrayValue?.isEmpty == true)
    }

    @Test("An app's event is recorded, listed, voided and erased like any other")
    func appEvents() throws {
        let engram = try Executable()
        let card = try engram.card(in: try engram.deck("Spanish"))
        _ = try engram.file("heard.json", "{\"minutes\": 12}")
        let first = try engram.run("log append listened heard.json --subject \(card) --revision 2 --json").document()
        #expect(first["subject"]?.stringValue == card)
        let second = try engram.shell("printf 'hush, \\377' | engram log append walked - --bytes --json").document()
        #expect(second["subject"]?.stringValue.map { $0 != card } == true)
        let logged = try engram.run("log --type app_event").documents().map { $0["payload"] }
        #expect(logged.map { $0?["name"]?.stringValue } == ["listened", "walked"])
        #expect(logged[0]?["text"]?.stringValue == "{\"minutes\": 12}" && logged[0]?["revision"]?.integerValue == 2)
        #expect(logged[1]?["bytes"]?.stringValue == "687573682c20ff")
        #expect(try engram.run("timeline \(card) --json").out.contains("app_event"))
        let gone = try engram.run("erase \(second["subject"]?.stringValue ?? "") --json").document()
        #expect(gone["erased"]?.integerValue == 1 && gone["left"]?.integerValue == 0)
        #expect(try engram.run("log export").out.contains("687573682c20ff") == false)
        #expect(try engram.run("undo").code == 0)
        #expect(try engram.run("verify").code == 0)
    }

    // MARK: What goes wrong

    @Test("What is wrong is said on standard error, with its exit code, and changes nothing")
    func failures() throws {
        let engram = try Executable()
        let deck = try engram.deck("Spanish")
        let card = try engram.card(in: deck)
        for _ in 0..<2 { _ = try engram.deck("Twice") }
        let gone = try engram.card(in: deck)
        try engram.run("card delete \(gone)")
        _ = try engram.file("text", "no events\n")
        _ = try engram.file("cut.csv", "card_id,review_time,review_rating\n7,yesterday,3\n")
        let before = try engram.run("log export").out
        let unknown = "00000000-0000-4000-8000-000000000000"
        let cases: [(line: String, code: Int32, says: String)] = [
            ("", 2, "a command is missing"), ("revew x good", 2, "Did you mean 'engram review'?"), ("deck", 2, "sub-command"),
            ("deck ad x", 2, "'engram deck add'"), ("due --jsn", 2, "'--json'"), ("due --json=1", 2, "takes no value"),
            ("log append", 2, "wants NAME"), ("log append x --subject abc", 2, "36 characters"), ("log append x text", 2, "JSON"),
            ("log append x nowhere", 2, "nowhere"), ("review", 2, "wants CARD"), ("review \(card) goood", 2, "did you mean good?"),
            ("review \(card) good --took 1.5", 2, "--took"),
            ("review \(card) good --took 86400001", 2, "86400000"), ("review \(card) good twice", 2, "'twice'"),
            ("due --now 2026-03-02T10:00:00", 2, "zone offset"), ("due --now 2026-02-30T10:00:00Z", 2, "--now"),
            ("deck add x --now 9999-01-01T00:00:00Z", 2, "years 1 to 6429"), ("deck add x --colour bluish", 2, "a colour"),
            ("deck add ''", 2, "the title is empty"), ("card edit \(card)", 2, "--front"),
            ("card add \(deck) --front ''  --back x", 2, "empty"),
            ("card add \(deck) --front x", 2, "--back"), ("scheduler set sm2", 2, "sm2"), ("scheduler set fsrs6:retention=0.9", 2, "fsrs6"),
            ("scheduler set boxes:count=none", 2, "count"), ("replay --scheduler boxes:half=1", 2, "half"),
            ("replay --as-of today", 2, "--as-of"), ("day set 24", 2, "0 to 23"), ("verify --level all", 2, "quick, pages, log or deep"),
            ("log --type cards", 2, "card_reviewed"), ("log --since -1", 2, "--since"), ("void 1", 2, "ORIGIN/NUMBER"),
            ("import text", 2, "text"), ("import cut.csv", 2, "cut.csv:2: review_time"), ("import missing", 2, "missing"),
            ("import cut.csv --zone Atlantis", 2, "time zone"), ("import cut.csv --from xml", 2, "anki"), ("merge missing", 2, "missing"),
            ("merge text", 2, "line 1"), ("log import missing", 2, "missing"), ("log import text", 2, "line 1"),
            ("words", 2, "wants PREFIX"), ("words ''", 2, "empty"), ("words a --limit 0", 2, "1 to 1000"), ("words a b", 2, "quotes"),
            ("words imprt x", 2, "engram words import"), ("words import", 2, "wants FILE"), ("words import missing", 2, "missing"),
            ("words import text", 2, "dictd"), ("words import text --from ding", 2, "line 1"),
            ("words import text --from dictd", 2, ".index"),
            ("words import text --from stardict", 2, "dictd or ding"), ("words a --store missing", 3, "engram init"),
            ("words import text --store missing", 3, "engram init"),
            ("completion tcsh", 2, "bash, zsh or fish"), ("man --json", 2, "--json"), ("help nothing", 2, "nothing"),
            ("deck show Nothing", 1, "engram deck list"), ("deck show Spa", 1, "Spa"), ("card show \(unknown)", 1, unknown),
            ("card show \(card.prefix(3))", 1, "4 characters"), ("stats Nothing", 1, "Nothing"), ("due Nothing", 1, "Nothing"),
            ("timeline \(unknown)", 1, unknown), ("void 0000000000000001/1", 1, "0000000000000001/1"),
            ("correct 0000000000000001/1 good", 1, "0000000000000001/1"), ("mistakes dismiss \(card)", 1, "mistakes list"),
            ("favourite add \(unknown)", 1, unknown), ("deck show Twice", 2, "Twice"), ("review \(gone) good", 2, "deleted"),
            ("card restore \(card)", 2, "deleted"),
            ("deck show '\u{1B}[31mred'", 1, "\\e[31mred"), ("init", 3, "is a store already"), ("init --store text", 3, "is a file"),
            ("init --store text/below", 3, "Not a directory"), ("due --store missing", 3, "engram init"),
            ("review \(card) good --store missing", 3, "engram init"), ("import cut.csv --store missing", 3, "engram init"),
            ("verify --sample 0%", 2, "5%"), ("verify --sample 5% --max-time 1", 2, "don't go together"),
            ("verify --level pages --sample 5%", 2, "log and deep"), ("verify --expect 12=34", 2, "ORIGIN=DIGEST"),
            ("backup text", 3, "nothing was touched"), ("salvage store text", 3, "nothing was touched"),
            ("salvage missing new", 3, "no data file"), ("salvage text new", 3, "no intact event"),
            ("salvage store new --with missing", 3, "no data file"), ("compact --store missing", 3, "engram init"),
            ("verify --store missing", 3, "engram init"), ("replay --store text", 3, "text"),
        ]
        for (line, code, says) in cases {
            for words in [Executable.words(line), Executable.words(line) + ["--json"]]
            where !(line.contains("--json") && words.last == "--json") {
                let outcome = try engram.run(words)
                #expect(outcome.code == code && outcome.out.isEmpty, "\(outcome.all)")
                #expect(outcome.errors.contains(says) && outcome.errors.hasPrefix("engram: "), "\(outcome.all)")
                #expect(!outcome.errors.contains("\u{1B}"), "\(outcome.all)")
            }
        }
        #expect(try engram.run("log export").out == before)
        #expect(!FileManager.default.fileExists(atPath: engram.home.path + "/missing"))
    }

    @Test("A damaged store is a finding for verify and an error for everybody else, never a crash")
    func damage() throws {
        let engram = try Executable()
        for number in 0..<40 { _ = try engram.deck("Deck \(number)") }
        let file = engram.home.appendingPathComponent("store/data.mdb")
        let sound = try Data(contentsOf: file)
        var patched = sound
        let text = try #require(sound.range(of: Data("Deck 7".utf8)))
        patched[text.lowerBound] ^= 1
        for (name, data, opens) in [("cut", sound.prefix(9000), false), ("empty", Data(), false), ("patched", patched, true)] {
            try data.write(to: file)
            let verdict = try engram.run("verify --json")
            let report = try verdict.document()
            #expect(verdict.code == 1 && report["ok"]?.boolValue == false, "\(name): \(verdict.all)")
            let findings = try #require(report["findings"]?.arrayValue)
            let areWhole = findings.allSatisfy { finding in
                ["kind", "where", "message", "next"].allSatisfy { finding[$0]?.stringValue != nil }
            }
            #expect(!findings.isEmpty && areWhole, "\(name)")
            let listing = try engram.run("deck list")
            #expect(opens ? [0, 3].contains(listing.code) : listing.code == 3, "\(name): \(listing.all)")
            #expect(listing.code == 0 || listing.errors.contains("engram verify"), "\(name): \(listing.all)")
            let plain = try engram.run("verify")
            #expect(plain.code == 1 && plain.errors.contains("Next: ") && plain.out.contains("finding"), "\(name): \(plain.all)")
        }
    }

    @Test("A backup taken before brings back what a damaged store lost, and the exit codes say so")
    func rescue() throws {
        let engram = try Executable()
        for number in 0..<20 { _ = try engram.deck("Deck \(number)") }
        #expect(try engram.run("backup kept --drill").code == 0)
        for number in 20..<40 { _ = try engram.deck("Deck \(number)") }
        let head = try #require(try engram.run("verify --json").document()["head"]?.objectValue?.first)
        let expect = "--expect \(head.key)=\(head.value.stringValue ?? "")"
        #expect(try engram.run("verify \(expect)").out.contains("is the last"))
        let cut = try engram.run("verify --store kept \(expect) --json")
        #expect(cut.code == 1 && cut.out.contains("head_missing") && cut.out.contains("engram merge BACKUP"), "\(cut.all)")
        let file = engram.home.appendingPathComponent("store/data.mdb")
        var data = try Data(contentsOf: file)
        var from = data.startIndex
        while let range = data.range(of: Data("Deck 7".utf8), in: from..<data.endIndex) {
            data[range.lowerBound] ^= 1
            from = range.upperBound
        }
        data.replaceSubrange(0..<8192, with: Data(count: 8192))
        try data.write(to: file)
        let verdict = try engram.run("verify --json")
        #expect(verdict.code == 1 && verdict.out.contains("engram salvage"), "\(verdict.all)")
        let alone = try engram.run("salvage store alone --json")
        #expect(alone.code == 1, "\(alone.all)")
        #expect(try alone.document()["lost"]?.integerValue == 1)
        #expect(try engram.run("deck list --titles --store alone").lines.count == 39)
        let plain = try engram.run("salvage store/data.mdb helped --with kept")
        // Both heads of the file are lost, so nobody knows whether there was more.
        #expect(plain.code == 1 && plain.out.contains("unknown") && !plain.errors.contains("Nothing was lost"), "\(plain.all)")
        #expect(try engram.run("deck list --titles --store helped").lines.count == 40)
        #expect(try engram.run("verify --store helped").code == 0)
    }

    @Test("A store that somebody has open isn't compacted, and stays as it is")
    func compactingNeedsTheStoreAlone() throws {
        let engram = try Executable()
        _ = try engram.deck("Spanish")
        try #require(try engram.run("rebuild").code == 0)
        do {
            let store = try StudyStore.open(at: engram.home.path + "/store")
            let refused = try engram.run("compact")
            #expect(refused.code == 3 && refused.errors.contains("open elsewhere"), "\(refused.all)")
            #expect(try store.decks(at: ZonedTime(wallMilliseconds: 0, zoneMinutes: 0)).count == 1)
        }
        #expect(try engram.run("compact").code == 0)
        #expect(try engram.run("verify").code == 0)
    }

    // MARK: Where it is and what it draws on

    @Test("The store is --store, else $ENGRAM_STORE, else the user's data folder, which need not be there yet")
    func places() throws {
        let engram = try Executable(store: false)
        engram.environment["ENGRAM_STORE"] = ""
        let cases: [(environment: [String: String], words: String, store: String)] = [
            (["ENGRAM_STORE": engram.home.path + "/named"], "--store given", "given"),
            (["ENGRAM_STORE": engram.home.path + "/named", "XDG_DATA_HOME": engram.home.path + "/data"], "", "named"),
            (["XDG_DATA_HOME": engram.home.path + "/data"], "", "data/engram"), (["XDG_DATA_HOME": "relative"], "", Self.usual),
            (["XDG_DATA_HOME": ""], "--store deep/in/here", "deep/in/here"),
        ]
        for (environment, words, store) in cases {
            #expect(try engram.run("init \(words)", environment: environment).code == 0, "\(store)")
            #expect(FileManager.default.fileExists(atPath: engram.home.path + "/\(store)/data.mdb"), "\(store)")
            #expect(try engram.run("deck list --json \(words)", environment: environment).code == 0, "\(store)")
        }
    }

    #if os(macOS)
        private static let usual = "Library/Application Support/engram"
    #else
        private static let usual = ".local/share/engram"
    #endif

    @Test("A terminal gets tables, pictures and colour; a pipe gets fields; NO_COLOR and its kind take the colour away")
    func surfaces() throws {
        let engram = try Executable()
        let deck = try engram.run("deck add 'A deck with quite a long title' --colour red --json").document()["id"]?.stringValue ?? ""
        let card = try engram.card(in: deck, front: "日本語の\u{1B}[31mとても長い質問がここにあります")
        for grade in ["good", "again", "easy"] { try engram.run("review \(card) \(grade) --took 61000") }
        let pages = [
            "deck list", "deck show \(deck)", "card list", "card show \(card)", "timeline \(card)", "stats", "stats \(deck)", "due",
            "replay",
            "replay --as-of \(Executable.now)", "verify", "scheduler show", "day show", "undo",
        ]
        for page in pages {
            for width in [30, 80, 160] {
                let drawn = try engram.onTerminal(page, width: width)
                let wide = drawn.lines.filter { $0.displayWidth > width }
                // Digests, ids and sentences wrap by themselves; tables and pictures must not.
                let isTable = ["deck list", "card list", "timeline", "stats", "due"].contains { page.hasPrefix($0) }
                #expect(
                    drawn.code == 0 && !drawn.out.isEmpty && (wide.isEmpty || !isTable || width < 80), "\(width): \(drawn.all)\n\(wide)")
                #expect(!drawn.out.contains("\u{1B}"), "\(width): \(drawn.all)")
            }
            let piped = try engram.run(page)
            #expect(piped.code == 0 && !(piped.out + piped.errors).contains { "\u{1B}\r█░●".contains($0) }, "\(piped.all)")
        }
        let bright = ["TERM": "xterm-256color"]
        #expect(try engram.onTerminal("deck list", width: 80, environment: bright).out.contains("\u{1B}[38;5;"))
        for (line, environment) in [
            ("deck list", ["TERM": "xterm-256color", "NO_COLOR": "1"]), ("deck list", ["TERM": "dumb"]), ("deck list --no-color", bright),
        ] {
            #expect(try !engram.onTerminal(line, width: 80, environment: environment).out.contains("\u{1B}"), "\(line) \(environment)")
        }
        // Readers that leave early and disks that are full.
        let pipes = try engram.shell("engram log | head -n 1; engram deck list | true; engram deck list --titles")
        #expect(pipes.code == 0 && pipes.lines.count == 2 && pipes.errors.isEmpty, "\(pipes.all)")
        if FileManager.default.fileExists(atPath: "/dev/full") {
            let full = try engram.shell("engram deck list > /dev/full")
            #expect(full.code == 3 && full.errors.contains("can't be written"), "\(full.all)")
        }
        #expect(try engram.run("init -q --store other").errors.isEmpty)
    }
}

extension JSONValue {
    /// A number, whether it is whole or not.
    fileprivate var double: Double? {
        if case .number(let value) = self { return value }
        return integerValue.map(Double.init)
    }
}
