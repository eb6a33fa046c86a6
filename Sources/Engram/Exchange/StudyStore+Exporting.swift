internal import EventCoding
internal import EventLog
internal import Exchange
internal import LMDB
internal import Scheduling
public import StudyModel
internal import StudyProjections

/// A format of other programs that cards can be written in.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// Comma-separated values (RFC 4180), a line a card, lines ended by CR and LF.
    case csv
    /// The same with tabs, lines ended by LF.
    case tsv
    /// An Anki package with decks, cards and the whole review log of the cards in it.
    case apkg
}

/// What an export wrote.
public struct ExportReport: Hashable, Sendable {
    /// Cards.
    public internal(set) var cards = 0
    /// Scheduled reviews of them; 0 in a format without a review log.
    public internal(set) var reviews = 0
    /// Practice answers, likewise.
    public internal(set) var practised = 0
    /// Resets, likewise.
    public internal(set) var resets = 0
}

extension StudyStore {
    /// Writes the cards that are there, and their reviews where the format has a place for them, to a file.
    ///
    /// Reviews are told as they count: none that was taken back or is held back, and with the grades that they were corrected to.
    /// Those of cards that are gone are left out; `log export` has them too. The file is there as a whole, or not at all.
    /// - Parameters:
    ///   - format: the file's format.
    ///   - path: the file.
    ///   - overwriting: whether a file that is there is overwritten.
    ///   - isRaw: whether the cells of a table are written as they are. Else those that a spreadsheet would run as formulas get an
    ///     apostrophe before them, which an import takes off again.
    ///   - moment: the time of the export, and its zone.
    ///   - progress: called now and then with how many cards are done of how many.
    /// - Throws: ``StoreError/fileExists(path:)``; ``StoreError/storage(path:operation:why:)``.
    /// - Complexity: O(cards log cards), and for a package the events of all cards; memory O(the package).
    public func export(
        _ format: ExportFormat, toFile path: String, overwriting: Bool = false, isRaw: Bool = false, at moment: ZonedTime,
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreError) -> ExportReport {
        let file = try OutputFile(path: path, overwriting: overwriting)
        var failure: StoreError?
        let report = try export(format, isRaw: isRaw, at: moment, progress: progress) { piece in
            do throws(StoreError) {
                try file.write(piece)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        try inLog(storage(Interruption.becomeFinal()))
        try file.finish()
        return report
    }

    /// Hands over the same in pieces, until `write` says false.
    public func export(
        _ format: ExportFormat, isRaw: Bool = false, at moment: ZonedTime, progress: ((_ done: Int, _ total: Int) -> Void)? = nil,
        _ write: (_ piece: [UInt8]) -> Bool
    ) throws(StoreError) -> ExportReport {
        switch format {
        case .csv: try exportTable(CardTable(separator: UInt8(ascii: ","), marksFormulas: !isRaw), progress, write)
        case .tsv: try exportTable(CardTable(separator: UInt8(ascii: "\t"), marksFormulas: !isRaw), progress, write)
        case .apkg: try exportPackage(at: moment, progress, write)
        }
    }

    private static let pieceBytes = 1 << 18

    private func exportTable(
        _ empty: CardTable, _ progress: ((Int, Int) -> Void)?, _ write: ([UInt8]) -> Bool
    ) throws(StoreError) -> ExportReport {
        try reading(wholly: true) { (transaction, projection) throws(LogError) in
            var report = ExportReport()
            var table = empty
            let cards = Self.exported(projection.state)
            for card in cards {
                try storage(Interruption.check())
                table.append(try exported(card, projection.state, transaction))
                report.cards += 1
                if report.cards & 0x3FF == 0 { progress?(report.cards, cards.count) }
                if table.count >= Self.pieceBytes, !write(table.take()) { return report }
            }
            if table.count > 0 { _ = write(table.take()) }
            return report
        }
    }

    private func exportPackage(
        at moment: ZonedTime, _ progress: ((Int, Int) -> Void)?, _ write: ([UInt8]) -> Bool
    ) throws(StoreError) -> ExportReport {
        let (writer, report) = try reading(wholly: true) { (transaction, projection) throws(LogError) in
            let state = projection.state
            let cards = Self.exported(state)
            let days = cards.map { state.studyDay(of: $0.createdAt) }
            var writer = AnkiPackageWriter(
                moment: moment, rolloverHour: state.rules.current.rolloverHour, firstDay: days.min() ?? state.studyDay(of: moment))
            var report = ExportReport()
            for card in cards {
                try storage(Interruption.check())
                let lines = state.timeline(of: card.id, try projection.timeline(of: card.id, log, transaction))
                let answers = lines.compactMap { Self.answer($0) }
                writer.append(try exported(card, state, transaction), answers)
                report.cards += 1
                report.reviews += answers.count { $0.kind == .reviewed }
                report.practised += answers.count { $0.kind == .practised }
                report.resets += answers.count { $0.kind == .reset }
                if report.cards & 0x3FF == 0 { progress?(report.cards, cards.count) }
            }
            return (writer, report)
        }
        let bytes: [UInt8]
        do throws(ImportError) { bytes = try writer.bytes() } catch {
            throw .storage(path: path, operation: "make a package", why: "\(error.reason)")
        }
        _ = write(bytes)
        return report
    }

    /// The cards that are there, by deck's title, then creation, then identity.
    private static func exported(_ state: StudyState) -> [CardState] {
        let titles = Dictionary(uniqueKeysWithValues: state.liveDecks.map { ($0.id, $0.title) })
        return state.liveCards.map { (titles[$0.deck] ?? "", $0) }.sorted {
            ($0.0, $0.1.createdAt.wallMilliseconds, $0.1.id) < ($1.0, $1.1.createdAt.wallMilliseconds, $1.1.id)
        }.map(\.1)
    }

    private func exported(
        _ card: CardState, _ state: StudyState, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> ExportedCard {
        let (front, back) = try texts(of: card, transaction)
        let scheduler = state.rules.current(in: card.deck).scheduler
        return ExportedCard(
            id: card.id, deck: state.deck(card.deck)?.title ?? "", front: front, back: back, createdAt: card.createdAt,
            lastReviewedAt: card.flags.contains(.reviewed) ? card.lastReviewedAt : nil,
            levelHalfSteps: scheduler.level(of: card.memory)?.halfSteps, box: scheduler.box(of: card.memory),
            intervalDays: Int(card.intervalDays), due: card.due,
            passed: card.passed, failed: card.failed, isFavourite: state.item(card.id)?.isFavourite ?? false)
    }

    /// The answer or reset that a line of a timeline is, where it counts.
    private static func answer(_ line: TimelineLine) -> ExportedAnswer? {
        guard !line.isVoided, let type = StudyEvent.type(named: line.type) else { return nil }
        let kind: ExportedAnswer.Kind
        switch type {
        case CardReviewed.type: kind = .reviewed
        case CardPractised.type: kind = .practised
        case CardReset.type: kind = .reset
        default: return nil
        }
        guard kind == .reset || line.grade != nil else { return nil }
        return ExportedAnswer(
            kind: kind, milliseconds: line.at.wallMilliseconds, grade: kind == .reset ? 0 : line.grade?.rawValue ?? 0,
            tookMilliseconds: line.tookMilliseconds ?? 0, daysBefore: line.before.intervalDays, daysAfter: line.after.intervalDays)
    }
}
