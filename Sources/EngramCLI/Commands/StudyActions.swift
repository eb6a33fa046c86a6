import CommandLineKit
import Engram

/// What the commands about learning, favourites and settings do.
enum StudyActions {
    static func review(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let grade = try call.value(of: Parameters.grade)
        return try CardActions.act(call, session, said: "reviewed: \(grade.name)") {
            .review($0, grade, took: call[Parameters.took].map { Int64($0) }, turned: call[StudyCommands.turned].map { Int64($0) })
        }
    }

    static func practise(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let grade = try call.value(of: Parameters.grade)
        return try CardActions.act(call, session, said: "practised: \(grade.name)") {
            .practise($0, grade, took: call[Parameters.took].map { Int64($0) })
        }
    }

    static func undo(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let (result, targets) = try store.undo(at: session.now())
        return try CardActions.tell(result, targets: targets, store, session, said: "took back")
    }

    static func void(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let target = try StudyStore.event(named: try call.value(of: Parameters.event))
        let result = try store.perform(.void(target), at: session.now())
        return try CardActions.tell(result, targets: [target], store, session, said: "took back")
    }

    static func correct(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let target = try StudyStore.event(named: try call.value(of: Parameters.event))
        let result = try store.perform(.correct(target, try call.value(of: StudyCommands.newGrade)), at: session.now())
        return try CardActions.tell(result, targets: [target], store, session, said: "corrected")
    }

    static func due(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.ask(call, session)
        let decks = try call.all(StudyCommands.decks).map { try store.deck(named: $0) }
        let due = try store.due(at: session.now(), decks: decks)
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    writer.member("day", due.day.description)
                    writer.member("total", due.cards.count)
                    writer.key("decks")
                    JSONForms.array(&writer, due.decks) { writer, deck in
                        JSONForms.object(&writer) { writer in
                            writer.member("id", deck.id.description)
                            writer.member("title", deck.title)
                            writer.member("due", deck.due)
                        }
                    }
                    writer.key("cards")
                    JSONForms.array(&writer, due.cards) { writer, card in
                        let text = card.text
                        writer.value(plain: text.span)
                    }
                    JSONForms.unknownSchedulers(due.unknownSchedulers, undated: due.undated, &writer)
                }
            }
            return .success
        }
        remark(due.unknownSchedulers, undated: due.undated, session)
        // In a pipe, rows alone: a deck and its count.
        let heading = "\(due.day): \(Numbers.count(due.cards.count, "card")) due"
        if session.surface.isTerminal { session.out.line(Style.bold(heading, on: session.surface)) } else { session.remark(heading) }
        guard !due.decks.isEmpty else { return .success }
        var table = Table([.init("Deck", isFlexible: true), .init("Due", .right)])
        let colours = try Dictionary(uniqueKeysWithValues: store.decks(at: session.now()).map { ($0.id, DeckActions.style(of: $0)) })
        for deck in due.decks {
            table.add([Table.Cell(deck.title, colours[deck.id] ?? .bold), Table.Cell(Numbers.grouped(deck.due), .colour(.yellow))])
        }
        session.out.lines(table.lines(on: session.surface))
        return .success
    }

    // MARK: Favourites and mistakes

    static func addFavourite(_ call: Invocation, _ session: Session) throws -> ExitCode {
        try favourite(call, session) { _ in true }
    }

    static func removeFavourite(_ call: Invocation, _ session: Session) throws -> ExitCode {
        try favourite(call, session) { _ in false }
    }

    static func toggleFavourite(_ call: Invocation, _ session: Session) throws -> ExitCode {
        try favourite(call, session) { !$0 }
    }

    private static func favourite(_ call: Invocation, _ session: Session, _ wanted: (Bool) -> Bool) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let item = try store.item(named: try call.value(of: Parameters.item))
        let on = wanted(item.isFavourite)
        var result = try store.perform(.setFavourite(item.id, kind: item.kind, on: on), at: session.now())
        // Nothing was written where it was so already; what is told is the item all the same.
        if result.events.isEmpty { result = ActionResult(events: [], subject: item.id, isNew: false) }
        let said = on ? "a favourite" : "no favourite"
        if item.kind == .card { return try CardActions.tell(result, store, session, said: said) }
        return tell(item.id, item.kind, item.text, favourite: on, result, session, said: said)
    }

    /// What became of a word or a question.
    private static func tell(
        _ id: UniqueID, _ kind: ItemKind, _ text: String, favourite: Bool, _ result: ActionResult, _ session: Session, said: String
    ) -> ExitCode {
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    JSONForms.item(id, kind, text, favourite: favourite, event: result.events.first, &writer)
                }
            }
        } else {
            session.out.line(
                "\(said): \(Style.bold(shown(text), on: session.surface))  \(Style.dim("\(kind.name) \(id)", on: session.surface))")
        }
        return .success
    }

    static func listFavourites(_ call: Invocation, _ session: Session) throws -> ExitCode {
        list(try StoreAccess.ask(call, session).favourites(), session, empty: "There are no favourites.")
    }

    static func listMistakes(_ call: Invocation, _ session: Session) throws -> ExitCode {
        list(try StoreAccess.ask(call, session).mistakes(), session, empty: "There are no mistakes.")
    }

    static func dismissMistake(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        let name = try call.value(of: Parameters.item)
        let found = try store.mistakes().filter {
            $0.id.description == name.lowercased() || (name.utf8.count >= 4 && $0.id.description.hasPrefix(name.lowercased()))
                || $0.text.utf8.elementsEqual(name.utf8)
        }
        guard let item = found.first else { throw StoreError.notFound(.item, name: name) }
        guard found.count == 1 else { throw StoreError.ambiguous(.item, name: name, candidates: found.map { "\($0.id) (\($0.text))" }) }
        let result = try store.perform(.dismissMistake(item.id, kind: item.kind), at: session.now())
        if item.kind == .card { return try CardActions.tell(result, store, session, said: "dismissed") }
        return tell(item.id, item.kind, item.text, favourite: try store.isFavourite(item.id), result, session, said: "dismissed")
    }

    private static func list(_ items: [ItemView], _ session: Session, empty: String) -> ExitCode {
        if session.isJSON {
            session.print { writer in JSONForms.object(&writer) { JSONForms.items(items, &$0) } }
        } else if items.isEmpty {
            session.remark(empty)
        } else {
            var table = Table([.init("Item"), .init("Text", isFlexible: true), .init("Since"), .init("Times", .right)])
            for item in items {
                table.add([
                    Table.Cell("\(item.kind.name) \(item.id.description.prefix(8))", .dim), Table.Cell(item.text),
                    Table.Cell(String(item.since.iso.prefix(10))), Table.Cell("\(item.count)"),
                ])
            }
            session.out.lines(table.lines(on: session.surface))
        }
        return .success
    }

    // MARK: Store and settings

    static func initialise(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.create(at: try StoreAccess.path(call, session))
        let origin = try store.origin
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    writer.member("store", store.path)
                    writer.member("origin", origin.description)
                }
            }
        } else {
            session.out.line("made an empty store at \(store.path)")
            session.out.line("this device writes as origin \(origin)")
            session.remark("Next: engram deck add TITLE, or engram import FILE")
        }
        return .success
    }

    /// Says which schedulers this version doesn't know, and what follows of that.
    static func remark(_ unknownSchedulers: [String], undated: Int = 0, _ session: Session) {
        guard !unknownSchedulers.isEmpty else { return }
        let without = undated == 0 ? "" : "; nobody knows when \(Numbers.count(undated, "card")) answered under it will be due"
        session.remark("This version doesn't know the scheduler \(shown(unknownSchedulers.joined(separator: ", ")))\(without).")
    }

    static func showScheduler(_ call: Invocation, _ session: Session) throws -> ExitCode {
        tell(try StoreAccess.ask(call, session).settings().scheduler, session)
    }

    static func setScheduler(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let scheduler = try scheduler(spec: try call.value(of: Parameters.scheduler))
        let store = try StoreAccess.open(call, session)
        try store.perform(.configureScheduler(scheduler), at: session.now())
        return tell(try store.settings().scheduler, session)
    }

    /// The scheduler that a SPEC describes; a wrong one is wrong usage.
    static func scheduler(spec: String) throws -> ConfiguredScheduler {
        do throws(SchedulerError) { return try ConfiguredScheduler(spec: spec) } catch {
            throw CommandFailure(.usage, shown(error.description), next: "For example: boxes:count=8,first=3,multiplier=41/20")
        }
    }

    private static func tell(_ scheduler: ConfiguredScheduler, _ session: Session) -> ExitCode {
        guard session.isJSON else {
            session.out.line("\(scheduler.spec)  (rules of revision \(scheduler.revision))")
            return .success
        }
        session.print { writer in
            JSONForms.object(&writer) { writer in
                writer.member("scheduler", scheduler.name)
                writer.member("revision", scheduler.revision)
                writer.key("parameters")
                JSONForms.object(&writer) { writer in
                    for (name, value) in scheduler.parameters {
                        writer.key(name)
                        if let number = Int64(value) { writer.value(number) } else { writer.value(value) }
                    }
                }
                writer.member("spec", scheduler.spec)
            }
        }
        return .success
    }

    static func showDay(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.ask(call, session)
        return tell(day: try store.studyDay(of: session.now()), hour: try store.settings().rolloverHour, session)
    }

    static func setDay(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.open(call, session)
        try store.perform(.configureDay(rolloverHour: try call.value(of: StoreCommands.hour)), at: session.now())
        return tell(day: try store.studyDay(of: session.now()), hour: try store.settings().rolloverHour, session)
    }

    private static func tell(day: StudyDay, hour: Int, _ session: Session) -> ExitCode {
        if session.isJSON {
            session.print { writer in
                JSONForms.object(&writer) { writer in
                    writer.member("day", day.description)
                    writer.member("rollover_hour", hour)
                }
            }
        } else {
            session.out.line("the study day is \(day); the next one begins at \(hour):00")
        }
        return .success
    }
}
