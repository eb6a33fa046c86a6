internal import JSONText
internal import SQLite
internal import StudyModel
internal import TextFolding

/// The parts of an Anki collection of schema 11 that are the same whatever cards it holds.
struct AnkiCollectionForm {
    /// Before this, in 2005, there was no Anki, and no number that is a time.
    static let earliestNumber: Int64 = 1_104_537_600_000
    /// The number of the note type. Anki takes types of one number and the same fields for one.
    static let noteType: Int64 = 1_700_000_000_000
    /// The number of the deck that every collection has.
    static let defaultDeck: Int64 = 1

    let firstDay: StudyDay
    private let moment: ZonedTime
    private let rolloverHour: UInt8

    /// Ease that review cards begin with: 250 %.
    var standardFactor: Int64 { 2500 }

    init(moment: ZonedTime, rolloverHour: UInt8, firstDay: StudyDay) {
        self.moment = moment
        self.rolloverHour = rolloverHour
        // Days count from the collection's creation, and Anki takes no time before 1970.
        self.firstDay = max(firstDay, StudyDay(days: Int32(Self.earliestNumber / 86_400_000)))
    }

    static let tables = """
        CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, scm integer NOT NULL,
            ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL, conf text NOT NULL,
            models text NOT NULL, decks text NOT NULL, dconf text NOT NULL, tags text NOT NULL);
        CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL,
            usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL, csum integer NOT NULL,
            flags integer NOT NULL, data text NOT NULL);
        CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT NULL,
            mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL, due integer NOT NULL,
            ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL, lapses integer NOT NULL, left integer NOT NULL,
            odue integer NOT NULL, odid integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
        CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT NULL,
            ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL, type integer NOT NULL);
        CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
        """

    static let indexes = """
        CREATE INDEX ix_notes_usn ON notes (usn); CREATE INDEX ix_cards_usn ON cards (usn); CREATE INDEX ix_revlog_usn ON revlog (usn);
        CREATE INDEX ix_cards_nid ON cards (nid); CREATE INDEX ix_cards_sched ON cards (did, queue, due);
        CREATE INDEX ix_revlog_cid ON revlog (cid); CREATE INDEX ix_notes_csum ON notes (csum);
        """

    /// A title as Anki has it: parts of a name stand between “::”, none is empty, and none begins or ends with a space.
    static func deckName(_ title: String) -> String {
        var parts: [String] = []
        var rest = title.prefix(utf8Count: 1000)[...]
        while let colons = rest.firstRange(of: "::") {
            parts.append(String(rest[..<colons.lowerBound]))
            rest = rest[colons.upperBound...]
        }
        parts.append(String(rest))
        let names = parts.map { part in
            let name = ListText.trimmed(String(part.map { $0.isNewline || $0 == "\u{1F}" || $0 == "\"" ? " " : $0 }))
            return name.isEmpty ? "blank" : name
        }
        return names.joined(separator: "::")
    }

    /// Creation, changes, settings, note types, decks and their options: the values of the one row of `col`.
    func columns(decks: [(number: Int64, title: String)]) -> [SQLiteValue] {
        let seconds = Int64(firstDay.days) * 86_400 + Int64(rolloverHour) * 3600 - Int64(moment.zoneMinutes) * 60
        let changed = max(Self.earliestNumber, moment.wallMilliseconds)
        return [
            .integer(seconds), .integer(changed), .integer(changed), .text(settings), .text(noteTypes(changed / 1000)),
            .text(self.decks(decks, changed / 1000)), .text(Self.options),
        ]
    }

    private var settings: String {
        """
        {"nextPos": 1, "estTimes": true, "activeDecks": [1], "sortType": "noteFld", "timeLim": 0, "sortBackwards": false, \
        "addToCur": true, "curDeck": 1, "newSpread": 0, "dueCounts": true, "curModel": "\(Self.noteType)", "collapseTime": 1200, \
        "schedVer": 2, "rollover": \(rolloverHour), "creationOffset": \(-Int(moment.zoneMinutes)), "localOffset": \(-Int(moment.zoneMinutes))}
        """
    }

    private func noteTypes(_ seconds: Int64) -> String {
        let fields = ["Front", "Back"].enumerated().map { place, name in
            #"{"name": "\#(name)", "ord": \#(place), "sticky": false, "rtl": false, "font": "Arial", "size": 20, "media": []}"#
        }
        let type =
            #"{"id": \#(Self.noteType), "name": "Basic (Engram)", "type": 0, "mod": \#(seconds), "usn": 0, "sortf": 0, "did": 1, "#
            + #""tmpls": [{"name": "Card 1", "ord": 0, "qfmt": "{{Front}}", "#
            + #""afmt": "{{FrontSide}}\n\n<hr id=answer>\n\n{{Back}}", "bqfmt": "", "bafmt": "", "did": null, "bfont": "", "bsize": 0}], "#
            + #""flds": [\#(fields.joined(separator: ", "))], "css": ".card { font-family: arial; font-size: 20px; text-align: center; }", "#
            + #""latexPre": "\\documentclass[12pt]{article}\n\\begin{document}\n", "latexPost": "\\end{document}", "latexsvg": false, "#
            + #""req": [[0, "any", [0]]], "tags": [], "vers": []}"#
        return #"{"\#(Self.noteType)": \#(type)}"#
    }

    private func decks(_ decks: [(number: Int64, title: String)], _ seconds: Int64) -> String {
        let all = [(number: Self.defaultDeck, title: "Default")] + decks
        let members = all.map { deck in
            #""\#(deck.number)": {"id": \#(deck.number), "mod": \#(seconds), "name": \#(Self.quoted(deck.title)), "usn": 0, "#
                + #""lrnToday": [0, 0], "revToday": [0, 0], "newToday": [0, 0], "timeToday": [0, 0], "collapsed": false, "#
                + #""browserCollapsed": false, "desc": "", "dyn": 0, "conf": 1, "extendNew": 0, "extendRev": 0}"#
        }
        return "{" + members.joined(separator: ", ") + "}"
    }

    private static let options = """
        {"1": {"id": 1, "mod": 0, "name": "Default", "usn": 0, "maxTaken": 60, "autoplay": true, "timer": 0, "replayq": true, \
        "new": {"bury": false, "delays": [1.0, 10.0], "initialFactor": 2500, "ints": [1, 4, 0], "order": 1, "perDay": 20}, \
        "rev": {"bury": false, "ease4": 1.3, "ivlFct": 1.0, "maxIvl": 36500, "perDay": 200, "hardFactor": 1.2}, \
        "lapse": {"delays": [10.0], "leechAction": 1, "leechFails": 8, "minInt": 1, "mult": 0.0}, "dyn": false}}
        """

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
