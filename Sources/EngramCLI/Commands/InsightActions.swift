import CommandLineKit
import Engram
import StudyJSON

/// What the commands about statistics, lives and proofs do.
enum InsightActions {
    static func stats(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.ask(call, session)
        let deck = try call[Parameters.deck.optional].map { try store.deck(named: $0) }
        if let name = call[InsightCommands.explain] { return try explain(name, deck, store, session) }
        let figures = try store.statistics(at: session.now(), deck: deck)
        let unknown = try store.unknownSchedulers()
        if session.isJSON {
            session.print(JSONAnswer.statistics(figures, unknownSchedulers: unknown))
        } else {
            StudyActions.remark(unknown, session)
            let title = try deck.flatMap { id in try store.decks(at: session.now()).first { $0.id == id }?.title }
            let page = StatisticsPage(figures, title: title ?? "Everything", on: session.surface)
            session.out.lines(page.lines)
            if session.surface.isTerminal { session.out.lines(page.hardest(of: try store.cards(in: deck))) }
        }
        return .success
    }

    private static func explain(_ name: String, _ deck: UniqueID?, _ store: StudyStore, _ session: Session) throws -> ExitCode {
        guard let figure = Metric(name) else {
            throw CommandFailure(
                .usage, "there is no figure '\(shown(name))'", next: "Figures: " + Metric.names.joined(separator: ", ") + ".")
        }
        let events = try store.explain(figure, at: session.now(), deck: deck)
        if session.isJSON {
            session.print(JSONAnswer.explanation(of: name, events))
            return .success
        }
        var table = Table([.init("When"), .init("What"), .init("Card"), .init("Front", isFlexible: true), .init("Event")])
        for event in events {
            let grade = event.grade.map { " \($0.name)" } ?? ""
            table.add([
                Table.Cell(String(event.at.iso.prefix(16)).replacing("T", with: " ")),
                Table.Cell(event.type.replacing("card_", with: "").replacing("_", with: " ") + grade),
                Table.Cell(String(event.card.description.prefix(8)), .dim), Table.Cell(try store.card(event.card).front),
                Table.Cell(event.event.description, .dim),
            ])
        }
        session.out.lines(table.lines(on: session.surface))
        session.remark("\(Numbers.count(events.count, "event")) behind \(name)")
        return .success
    }

    static func timeline(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.ask(call, session)
        let id = try store.card(named: try call.value(of: Parameters.card))
        let lines = try store.timeline(of: id)
        if session.isJSON {
            for line in lines { session.print(line) }
            return .success
        }
        session.out.lines(TimelinePage(lines, of: try store.card(id), on: session.surface).lines)
        return .success
    }

    static func replay(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let store = try StoreAccess.ask(call, session)
        let scheduler = try call[InsightCommands.scheduler].map { try StudyActions.scheduler(spec: $0) }
        let limit = call[InsightCommands.asOf]
        let start = ContinuousClock.now
        let report = try store.replay(at: limit ?? session.now(), until: limit, scheduler: scheduler)
        let seconds = Session.seconds(since: start)
        if session.isJSON {
            session.print(JSONAnswer.replay(report, seconds: seconds))
        } else {
            show(report, seconds, session)
        }
        return report.isEqual == false ? .failure : .success
    }

    private static func show(_ report: ReplayReport, _ seconds: Double, _ session: Session) {
        session.out.line(
            "folded \(Numbers.grouped(report.events)) events of \(Numbers.grouped(report.commits)) commits and "
                + "\(Numbers.count(report.origins, "origin")) in \(Int(seconds * 1000)) ms")
        session.out.line(
            "\(Numbers.count(report.decks, "deck")), \(Numbers.count(report.cards, "card")), "
                + "\(Numbers.count(report.reviews, "review")), boxes \(report.statistics.boxes.map { "\($0)" }.joined(separator: " "))")
        session.out.line("digest         \(report.digest)")
        guard let stored = report.storedDigest else {
            // Another history or other rules: what results is what was asked for.
            session.out.line()
            session.out.lines(StatisticsPage(report.statistics, title: "What results", on: session.surface).lines)
            return
        }
        session.out.line("stored digest  \(stored)")
        if report.isEqual == true {
            session.out.line(Style.colour(.green)("equal: what is stored is what the log says", on: session.surface))
        } else {
            session.out.line(Style.colour(.red)("different: what is stored is not what the log says", on: session.surface))
            session.remark("Next: engram verify says where; engram rebuild makes the stored state anew.")
        }
    }

    static func rebuild(_ call: Invocation, _ session: Session) throws -> ExitCode {
        let path = try StoreAccess.path(call, session)
        let isRewritten = try StudyStore.rewriteDamaged(at: path)
        let store = try StoreAccess.open(call, session)
        // Of what was damaged nobody can say what it was.
        let before = isRewritten ? nil : try store.digest()
        if !isRewritten { try store.rebuild() }
        let after = try store.digest()
        if session.isJSON {
            session.print(JSONAnswer.rebuild(isChanged: before != after, digest: after))
        } else {
            session.out.line(
                isRewritten
                    ? "pages of the store's file were damaged, none of them the log's: wrote the store from scratch from its log"
                    : before == after
                        ? "made the projections anew; nothing in them changed" : "made the projections anew; they have changed")
        }
        return .success
    }
}
