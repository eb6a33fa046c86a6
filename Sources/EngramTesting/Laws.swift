internal import EventCoding
public import Scheduling
internal import StudyModel
public import StudyProjections

/// What holds of every history, whatever is in it.
public enum Law: String, CaseIterable, Hashable, Sendable {
    /// The state that is kept up to date event by event is that of a fold from zero, at every step.
    case liveIsReplay = "live state is replayed state"
    /// The same events give the same state in whatever order and in whatever company they arrive.
    case arrivalOrder = "any order of arrival gives one state"
    /// Entities fold by themselves: parts of them, folded each alone and joined, are the whole.
    case parts = "parts of the entities join to the whole"
    /// Folding on from a checkpoint gives what folding everything gives.
    case checkpoint = "a fold goes on from a checkpoint"
    /// Merging is commutative, associative and idempotent.
    case merge = "merging is a union"
    /// A void of a void restores, to any depth.
    case voids = "a void of a void restores"
    /// Of several copies of an imported row one counts, whichever origins they come through.
    case copies = "copies of a row count once"
}

/// How a law was broken.
public struct LawViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which law, in words.
    public let law: String
    /// Where it was found.
    public let detail: String

    /// The law and the place in one line.
    public var description: String { "\(law): \(detail)" }
}

/// Tries the laws on histories, those of ``HistoryGenerator`` or one's own.
public enum Laws {
    /// How `history` breaks one of `laws`; `nil` where it keeps them all.
    ///
    /// - Parameters:
    ///   - history: events of any origins in the order of their arrival.
    ///   - scheduler: what the history begins under; the default scheduler where there is none.
    ///   - schedulers: those that are known beside the built-in ones.
    ///   - projections: the app's own: the laws hold for them too.
    ///   - generator: decides about orders, batches and targets.
    /// - Complexity: O(n²) for n events for ``Law/liveIsReplay``, O(n log n) for the others.
    public static func violation(
        of laws: [Law] = Law.allCases, by history: [HistoryEvent], under scheduler: ConfiguredScheduler? = nil,
        schedulers: [any Scheduler.Type] = [], projections: [any Projection.Type] = [],
        using generator: inout SeededGenerator
    ) -> LawViolation? {
        let events = (scheduler.map { [HistoryEvent.beginning(with: $0)] } ?? []) + history
        guard !events.isEmpty else { return nil }
        let known = Known(schedulers: schedulers, projections: projections)
        for law in laws {
            let detail =
                switch law {
                case .liveIsReplay: liveIsReplay(events, known, &generator)
                case .arrivalOrder: arrivalOrder(events, known, &generator)
                case .parts: parts(events, known)
                case .checkpoint: checkpoint(events, known, &generator)
                case .merge: merge(events, known, &generator)
                case .voids: voids(events, known, &generator)
                case .copies: copies(events, known, &generator)
                }
            if let detail { return LawViolation(law: law.rawValue, detail: detail) }
        }
        return nil
    }

    /// What an app brings.
    private struct Known {
        let schedulers: [any Scheduler.Type]
        let projections: [any Projection.Type]
    }

    private static func log(_ events: [HistoryEvent], _ known: Known) -> MemoryLog {
        MemoryLog(events, schedulers: known.schedulers, projections: known.projections)
    }

    /// What of `events` arrives together, in the order of their list.
    private static func batches(_ events: [HistoryEvent], _ chance: Chance) -> [[HistoryEvent]] {
        var result: [[HistoryEvent]] = []
        var batch: [HistoryEvent] = []
        for event in events {
            batch.append(event)
            guard chance.number(of: event, below: 3) > 0 else { continue }
            result.append(batch)
            batch = []
        }
        return batch.isEmpty ? result : result + [batch]
    }

    private static func liveIsReplay(_ events: [HistoryEvent], _ known: Known, _ generator: inout SeededGenerator)
        -> String?
    {
        var log = Self.log([], known)
        for batch in batches(events, Chance(&generator)) {
            log.take(batch)
            let replayed = log.replayed()
            if log.canonical != log.canonical(of: replayed) {
                return "after \(log.events.count) events: \(differences(log.state, replayed))"
            }
            // What no screen shows must be the same too, since a verification looks at it.
            if !log.state.differences(from: replayed).isEmpty {
                return "hidden, after \(log.events.count) events: \(differences(log.state, replayed))"
            }
        }
        return nil
    }

    private static func arrivalOrder(_ events: [HistoryEvent], _ known: Known, _ generator: inout SeededGenerator)
        -> String?
    {
        let first = Self.log(events, known)
        var second = Self.log([], known)
        for batch in batches(Chance(&generator).shuffled(events), Chance(&generator)) { second.take(batch) }
        return first.canonical == second.canonical ? nil : "\(differences(first.state, second.state))"
    }

    private static func parts(_ events: [HistoryEvent], _ known: Known) -> String? {
        let log = Self.log(events, known)
        let whole = log.replayed()
        for count in [1, 2, 3, 7] {
            guard let joined = try? log.replayed(inParts: count) else { return "an event is too large for a frame" }
            if log.canonical(of: joined) == log.canonical(of: whole), joined.differences(from: whole).isEmpty { continue }
            return "in \(count) parts: \(differences(joined, whole))"
        }
        return nil
    }

    private static func checkpoint(_ events: [HistoryEvent], _ known: Known, _ generator: inout SeededGenerator)
        -> String?
    {
        let whole = Self.log(events, known)
        let chance = Chance(&generator)
        let cut = events.firstIndex { chance.number(of: $0, below: 12) == 0 } ?? events.count
        var log = Self.log(Array(events.prefix(cut)), known)
        let before = log.canonical
        guard log.passThroughCheckpoint() else { return "the checkpoint after \(cut) events can't be read" }
        if log.canonical != before { return "the checkpoint after \(cut) events isn't the state" }
        for event in events.dropFirst(cut) { log.take([event]) }
        if log.canonical == whole.canonical, log.state.differences(from: whole.state).isEmpty { return nil }
        return "from the checkpoint after \(cut) events: \(differences(log.state, whole.state))"
    }

    private static func merge(_ events: [HistoryEvent], _ known: Known, _ generator: inout SeededGenerator) -> String? {
        var parts: [[HistoryEvent]] = [[], [], []]
        let owner = Chance(&generator)
        let guests = (0..<3).map { _ in Chance(&generator) }
        for event in events {
            for part in 0..<3 where part == owner.number(of: event, below: 3) || guests[part].number(of: event, below: 4) == 0 {
                parts[part].append(event)
            }
        }
        let (a, b, c) = (
            Self.log(parts[0], known), Self.log(parts[1], known),
            Self.log(parts[2], known)
        )
        func union(_ left: MemoryLog, _ right: MemoryLog) -> MemoryLog {
            var result = left
            result.merge(right)
            return result
        }
        let one = union(union(a, b), c)
        let state = one.canonical
        if union(a, union(b, c)).canonical != state { return "(a b) c isn't a (b c)" }
        if union(c, union(b, a)).canonical != state { return "a b c isn't c b a" }
        let again = union(one, b)
        return again.canonical == state && again.events.count == one.events.count ? nil : "merging the same again isn't nothing"
    }

    private static func voids(_ events: [HistoryEvent], _ known: Known, _ generator: inout SeededGenerator) -> String? {
        guard var target = Chance(&generator).shuffled(events).first?.header, var time = events.map(\.header.logicalTime).max() else {
            return nil
        }
        var log = Self.log(events, known)
        var states = [log.canonical]
        let origin = OriginID(rawValue: 1 << 40 + 12345)
        for depth in 1...UInt64(2 + generator.below(4)) {
            guard let next = LogicalTime.next(after: time, wallMilliseconds: target.wallMilliseconds) else { return nil }
            time = next
            let void = HistoryEvent(
                .actionVoided(ActionVoided(target: target.id, targetKey: target.key)), id: EventID(origin: origin, number: depth),
                subject: target.subject, at: ZonedTime(wallMilliseconds: target.wallMilliseconds, zoneMinutes: target.zoneMinutes),
                logicalTime: time)
            log.take([void])
            states.append(log.canonical)
            if depth >= 2, states[states.count - 1] != states[states.count - 3] { return "at depth \(depth), of event \(target.id)" }
            target = void.header
        }
        return nil
    }

    private static func copies(_ events: [HistoryEvent], _ known: Known, _ generator: inout SeededGenerator) -> String? {
        let rows = events.filter { $0.header.key != nil && !isPeculiar($0.header, events) }
        guard !rows.isEmpty else { return nil }
        var log = Self.log(events, known)
        let state = log.canonical
        let before = OriginID(rawValue: 0)
        let after = OriginID(rawValue: .max - 1)
        for (number, row) in rows.enumerated() {
            for origin in [before, after] where generator.chance(2, in: 3) {
                var copy = row
                copy.header.id = EventID(origin: origin, number: UInt64(number) + 1)
                log.take([copy])
                if log.canonical != state { return "a copy of \(row.header.id) by origin \(origin) counts too" }
            }
        }
        return nil
    }

    /// Whether it isn't the row alone that some other event is about, or something else happened to the card at the very
    /// same logical time, so that a copy has another meaning.
    private static func isPeculiar(_ header: EventHeader, _ events: [HistoryEvent]) -> Bool {
        // Of copies the first one counts, so what is said of one of them alone may be said of that.
        let copies = Set(events.filter { $0.header.key == header.key }.map(\.header.id))
        return events.contains { other in
            if other.header.logicalTime == header.logicalTime, other.header.key != header.key { return true }
            switch other.event {
            case .eventHeld(let held): return copies.contains(held.target)
            case .eventReleased(let released): return copies.contains(released.target)
            case .actionVoided(let voided): return copies.contains(voided.target) && voided.targetKey == nil
            case .answerCorrected(let corrected): return copies.contains(corrected.target) && corrected.targetKey == nil
            default: return false
            }
        }
    }

    private static func differences(_ left: StudyState, _ right: StudyState) -> String {
        let found = left.differences(from: right).map { "\($0.place): \($0.message)" }
        return found.isEmpty ? "the canonical encodings differ" : found.joined(separator: "; ")
    }
}

/// Decides about an event by the event alone, so that what is decided about the others stays when a list is shrunk.
private struct Chance {
    private let seed: UInt64

    init(_ generator: inout SeededGenerator) { seed = generator.next() }

    func number(of event: HistoryEvent, below count: Int) -> Int {
        var generator = SeededGenerator(
            seed: seed ^ event.header.id.origin.rawValue &* 0x9E37_79B9_7F4A_7C15 ^ event.header.id.number << 40)
        return generator.below(count)
    }

    func shuffled(_ events: [HistoryEvent]) -> [HistoryEvent] {
        events.map { (rank: number(of: $0, below: .max), event: $0) }
            .sorted { ($0.rank, $0.event.header.id) < ($1.rank, $1.event.header.id) }.map(\.event)
    }
}
