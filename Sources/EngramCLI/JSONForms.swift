import Engram

/// The JSON of what the engine answers. Scripts rely on the keys.
enum JSONForms {
    /// An object whose members `members` writes.
    static func object(_ writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void) {
        writer.beginObject()
        members(&writer)
        writer.endObject()
    }

    /// An array with an element for each of `values`.
    static func array<Value>(_ writer: inout JSONWriter, _ values: some Sequence<Value>, _ element: (inout JSONWriter, Value) -> Void) {
        writer.beginArray()
        for value in values { element(&writer, value) }
        writer.endArray()
    }

    static func deck(_ deck: DeckView, _ writer: inout JSONWriter) {
        writer.member("id", deck.id.description)
        writer.member("title", deck.title)
        writer.member("colour", deck.colour?.description)
        writer.member("cards", deck.cards)
        writer.member("learned", deck.learned)
        writer.member("due", deck.due)
        writer.key("boxes")
        array(&writer, deck.boxes) { $0.value($1) }
    }

    static func finding(_ finding: VerifyReport.Finding, in path: String, _ writer: inout JSONWriter) {
        object(&writer) { writer in
            writer.member("kind", finding.kind)
            writer.member("where", finding.place)
            writer.member("message", StoreFailure.message(finding))
            writer.member("next", "engram " + StoreFailure.next(after: finding.kind, in: path))
        }
    }

    static func explained(_ event: ExplainedEvent, _ writer: inout JSONWriter) {
        writer.member("event", event.event.description)
        writer.member("type", event.type)
        writer.member("card", event.card.description)
        writer.member("at", event.at.iso)
        writer.member("day", event.day.description)
        writer.member("grade", event.grade?.name)
        writer.key("took_ms")
        if let took = event.tookMilliseconds { writer.value(took) } else { writer.null() }
    }

    static func card(_ card: CardView, _ writer: inout JSONWriter) {
        writer.member("id", card.id.description)
        writer.member("deck", card.deck == .none ? nil : card.deck.description)
        writer.member("front", card.front)
        writer.member("back", card.back)
        writer.member("created_at", card.createdAt?.iso)
        writer.member("last_reviewed_at", card.lastReviewedAt?.iso)
        writer.member("passed", card.passed)
        writer.member("failed", card.failed)
        state(card.level, card.box, card.memory, &writer)
        writer.member("interval_days", card.intervalDays)
        writer.member("due", card.due?.description)
        writer.key("favourite")
        writer.value(card.isFavourite)
        writer.key("live")
        writer.value(card.isLive)
    }

    /// Where a card stands by its scheduler: level and box, null where it has none, and all that it remembers.
    static func state(_ level: Double?, _ box: Int?, _ memory: CardMemory, _ writer: inout JSONWriter) {
        writer.key("level")
        number(level, &writer)
        writer.key("box")
        if let box { writer.value(box) } else { writer.null() }
        writer.key("memory")
        object(&writer) { writer in
            for (name, value) in memory.figures {
                writer.key(name)
                number(value, &writer)
            }
        }
    }

    private static func number(_ value: Double?, _ writer: inout JSONWriter) {
        if let value { writer.value(value) } else { writer.null() }
    }

    /// Only where there are some: the schedulers that this version doesn't know, and how many cards have no due day because of that.
    static func unknownSchedulers(_ specs: [String], undated: Int? = nil, _ writer: inout JSONWriter) {
        guard !specs.isEmpty else { return }
        writer.key("unknown_schedulers")
        array(&writer, specs) { $0.value($1) }
        if let undated { writer.member("undated", undated) }
    }

    static func standing(_ standing: CardSnapshot, _ writer: inout JSONWriter) {
        object(&writer) { writer in
            state(standing.level, standing.box, standing.memory, &writer)
            writer.member("interval_days", standing.intervalDays)
            writer.member("due", standing.due?.description)
        }
    }

    static func line(_ line: TimelineLine, _ writer: inout JSONWriter) {
        writer.member("event", line.event.description)
        writer.member("type", line.type)
        writer.member("at", line.at.iso)
        writer.member("day", line.day.description)
        writer.member("grade", line.grade?.name)
        writer.key("took_ms")
        if let took = line.tookMilliseconds { writer.value(took) } else { writer.null() }
        writer.key("voided")
        writer.value(line.isVoided)
        if let target = line.target { writer.member("target", target.description) }
        writer.key("before")
        standing(line.before, &writer)
        writer.key("after")
        standing(line.after, &writer)
    }

    static func statistics(_ figures: Statistics, _ writer: inout JSONWriter) {
        writer.key("reviews")
        object(&writer) { writer in
            writer.member("total", figures.reviews.total)
            writer.member("again", figures.reviews.again)
            writer.member("hard", figures.reviews.hard)
            writer.member("good", figures.reviews.good)
            writer.member("easy", figures.reviews.easy)
            writer.key("pass_rate")
            if let rate = figures.reviews.passRate { writer.value(rate) } else { writer.null() }
        }
        writer.member("practised", figures.practised)
        writer.key("reviews_by_box")
        array(&writer, figures.reviewsByBox) { writer, box in
            object(&writer) { writer in
                writer.member("total", box.total)
                writer.member("passed", box.passed)
            }
        }
        writer.key("turned")
        object(&writer) { writer in
            writer.member("reviews", figures.turned)
            writer.key("seconds")
            writer.value(Double(figures.turnedMilliseconds) / 1000)
        }
        writer.key("cards")
        object(&writer) { writer in
            writer.member("total", figures.cards.total)
            writer.member("new", figures.cards.new)
            writer.member("learned", figures.cards.learned)
            writer.member("deleted", figures.cards.deleted)
        }
        writer.key("boxes")
        array(&writer, figures.boxes) { $0.value($1) }
        writer.key("due")
        object(&writer) { writer in
            writer.member("total", figures.due.total)
            writer.member("overdue", figures.due.overdue)
            writer.key("forecast")
            array(&writer, figures.due.forecast) { writer, entry in
                object(&writer) { writer in
                    writer.member("day", entry.day.description)
                    writer.member("cards", entry.cards)
                }
            }
        }
        writer.key("days")
        array(&writer, figures.days) { writer, day in
            object(&writer) { writer in
                writer.member("day", day.day.description)
                writer.member("reviews", day.reviews)
                writer.member("passed", day.passed)
                writer.member("seconds", Int(day.milliseconds / 1000))
            }
        }
        writer.key("hours")
        array(&writer, figures.hours) { $0.value($1) }
        writer.key("streak")
        object(&writer) { writer in
            writer.member("current", figures.streak.current)
            writer.member("longest", figures.streak.longest)
        }
        writer.member("seconds", Int(figures.milliseconds / 1000))
        writer.key("average_interval_days")
        if let average = figures.averageIntervalDays { writer.value(average) } else { writer.null() }
    }

    static func word(_ word: WordView, _ writer: inout JSONWriter) {
        writer.member("id", word.id.description)
        writer.member("word", word.word)
        writer.member("entry", word.entry)
        writer.key("favourite")
        writer.value(word.isFavourite)
    }

    static func items(_ items: [ItemView], _ writer: inout JSONWriter) {
        writer.key("items")
        array(&writer, items) { writer, item in
            object(&writer) { writer in
                writer.member("id", item.id.description)
                writer.member("kind", item.kind.name)
                writer.member("text", item.text)
                writer.member("since", item.since.iso)
                writer.member("count", item.count)
            }
        }
    }
}

extension JSONWriter {
    mutating func member(_ key: String, _ value: String?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    mutating func member(_ key: String, _ value: Int) {
        self.key(key)
        self.value(value)
    }
}
