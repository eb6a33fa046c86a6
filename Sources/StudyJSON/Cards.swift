public import Engram

extension DeckView: JSONRepresentable {
    /// `id`, `title`, `colour`, `cards`, `learned`, `due`, `boxes`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id.description)
        writer.member("title", title)
        writer.member("colour", colour?.description)
        writer.member("cards", cards)
        writer.member("learned", learned)
        writer.member("due", due)
        writer.numbers("boxes", boxes)
    }
}

extension CardView: JSONRepresentable {
    /// `id`, `deck`, `front`, `back`, `created_at`, `last_reviewed_at`, `passed`, `failed`, how it stands, `favourite`, `live`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id.description)
        writer.member("deck", deck == .none ? nil : deck.description)
        writer.member("front", front)
        writer.member("back", back)
        writer.member("created_at", createdAt?.iso)
        writer.member("last_reviewed_at", lastReviewedAt?.iso)
        writer.member("passed", passed)
        writer.member("failed", failed)
        writer.standing(level, box, memory, intervalDays, due)
        writer.member("favourite", isFavourite)
        writer.member("live", isLive)
    }
}

extension CardSnapshot: JSONRepresentable {
    /// How a card stands by its scheduler: `level` and `box`, `memory` with all that it remembers, `interval_days`, `due`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.standing(level, box, memory, intervalDays, due)
    }
}

extension JSONWriter {
    fileprivate mutating func standing(_ level: Double?, _ box: Int?, _ memory: CardMemory, _ intervalDays: Int, _ due: StudyDay?) {
        member("level", level)
        member("box", box)
        object("memory") { writer in
            for (name, value) in memory.figures { writer.member(name, value) }
        }
        member("interval_days", intervalDays)
        member("due", due?.description)
    }
}

extension TimelineLine: JSONRepresentable {
    /// `event`, `type`, `at`, `day`, `grade`, `took_ms`, `voided`, `target` where it has one, `before`, `after`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("event", event.description)
        writer.member("type", type)
        writer.member("at", at.iso)
        writer.member("day", day.description)
        writer.member("grade", grade?.name)
        writer.member("took_ms", tookMilliseconds)
        writer.member("voided", isVoided)
        if let target { writer.member("target", target.description) }
        writer.member("before", before)
        writer.member("after", after)
    }
}

extension ExplainedEvent: JSONRepresentable {
    /// `event`, `type`, `card`, `at`, `day`, `grade`, `took_ms`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("event", event.description)
        writer.member("type", type)
        writer.member("card", card.description)
        writer.member("at", at.iso)
        writer.member("day", day.description)
        writer.member("grade", grade?.name)
        writer.member("took_ms", tookMilliseconds)
    }
}

extension DueList: JSONRepresentable {
    /// `day`, `total`, `decks`, `cards`; `unknown_schedulers` and `undated` where there are such schedulers.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("day", day.description)
        writer.member("total", cards.count)
        writer.objects("decks", decks) { writer, deck in
            writer.member("id", deck.id.description)
            writer.member("title", deck.title)
            writer.member("due", deck.due)
        }
        writer.array("cards", cards) { writer, card in
            let text = card.text
            writer.value(plain: text.span)
        }
        writer.unknownSchedulers(unknownSchedulers)
        if !unknownSchedulers.isEmpty { writer.member("undated", undated) }
    }
}

extension WordView: JSONRepresentable {
    /// `id`, `word`, `entry`, `favourite`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id.description)
        writer.member("word", word)
        writer.member("entry", entry)
        writer.member("favourite", isFavourite)
    }
}

extension ItemView: JSONRepresentable {
    /// `id`, `kind`, `text`, `since`, `count`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id.description)
        writer.member("kind", kind.name)
        writer.member("text", text)
        writer.member("since", since.iso)
        writer.member("count", count)
    }
}

extension ConfiguredScheduler: JSONRepresentable {
    /// `scheduler`, `revision`, `parameters` (numbers where they are whole ones), `spec`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("scheduler", name)
        writer.member("revision", revision)
        writer.object("parameters") { writer in
            for (name, value) in parameters {
                if let number = Int64(value) { writer.member(name, number) } else { writer.member(name, value) }
            }
        }
        writer.member("spec", spec)
    }
}

extension DeckScheduler: JSONRepresentable {
    /// `id`, `title`, `scheduler`: its SPEC.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", deck.description)
        writer.member("title", title)
        writer.member("scheduler", scheduler.spec)
    }
}

extension JSONAnswer {
    /// The scheduler of the store, and `decks` that have one of their own.
    public static func scheduler(_ scheduler: ConfiguredScheduler, _ decks: [DeckScheduler]) -> Self {
        Self { writer in
            scheduler.writeMembers(to: &writer)
            writer.array("decks", decks)
        }
    }

    /// `event`, `subject`: what an app recorded.
    public static func recording(of result: ActionResult, about subject: UniqueID) -> Self {
        Self { writer in
            writer.member("event", result.events.first?.description)
            writer.member("subject", subject.description)
        }
    }

    /// `decks`.
    public static func decks(_ decks: [DeckView]) -> Self { Self { $0.array("decks", decks) } }

    /// `cards`.
    public static func cards(_ cards: [CardView]) -> Self { Self { $0.array("cards", cards) } }

    /// `words`.
    public static func words(_ words: [WordView]) -> Self { Self { $0.array("words", words) } }

    /// `items`: favourites or mistakes.
    public static func items(_ items: [ItemView]) -> Self { Self { $0.array("items", items) } }

    /// What became of an action: what it was about as it is now, `event`, `target` for what it took back or corrected,
    /// `unknown_schedulers` where there are some.
    public static func outcome(
        of result: ActionResult, target: EventID? = nil, card: CardView? = nil, deck: DeckView? = nil, word: WordView? = nil,
        unknownSchedulers: [String] = []
    ) -> Self {
        Self { writer in
            card?.writeMembers(to: &writer)
            deck?.writeMembers(to: &writer)
            word?.writeMembers(to: &writer)
            writer.member("event", result.events.first?.description)
            if let target { writer.member("target", target.description) }
            writer.unknownSchedulers(unknownSchedulers)
        }
    }

    /// What became of an action about a word or a question: `id`, `kind`, `text`, `favourite`, `event`.
    public static func outcome(of result: ActionResult, item: UniqueID, kind: ItemKind, text: String, isFavourite: Bool) -> Self {
        Self { writer in
            writer.member("id", item.description)
            writer.member("kind", kind.name)
            writer.member("text", text)
            writer.member("favourite", isFavourite)
            writer.member("event", result.events.first?.description)
        }
    }

    /// A deck's deletion: `event`, and the deck as it was.
    public static func deletion(of deck: DeckView?, _ result: ActionResult) -> Self {
        Self { writer in
            writer.member("event", result.events.first?.description)
            deck?.writeMembers(to: &writer)
        }
    }

    /// `day` and `rollover_hour`: the study day, and the hour at which the next one begins.
    public static func day(_ day: StudyDay, rolloverHour: Int) -> Self {
        Self { writer in
            writer.member("day", day.description)
            writer.member("rollover_hour", rolloverHour)
        }
    }
}
