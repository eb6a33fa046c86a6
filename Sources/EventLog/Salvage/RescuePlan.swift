internal import EventCoding

/// Who the rescued events become, and what else must be written so that every event that is about one of them finds it.
///
/// An event that is about a rescued one and is rescued too is rewritten to be about the copy. One that stays, since its own
/// chain is whole, can't be: so it is written a second time beside the copies, about the copy. The same holds for what is about
/// that one, and so on.
struct RescuePlan {
    /// What is written under one new origin, in this order.
    struct Part {
        let from: OriginID
        let origin: OriginID
        var groups: [SalvageSelection.Group]
    }

    private(set) var parts: [Part] = []
    private var identities: [EventID: EventID] = [:]
    private let rules: ReferenceRules
    private let erasures: SalvageErasures
    private let random: @Sendable () -> UInt64

    init(
        _ selection: SalvageSelection, _ survey: SalvageSurvey, _ rules: ReferenceRules, _ erasures: SalvageErasures,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.rules = rules
        self.erasures = erasures
        self.random = random
        guard !selection.rescued.isEmpty else { return }
        let copies = Self.copies(selection, survey, rules)
        let rescued = Dictionary(uniqueKeysWithValues: selection.rescued.map { ($0.origin, $0.groups) })
        for origin in Set(rescued.keys).union(copies.keys).sorted() {
            var part = Part(from: origin, origin: RescuedOrigin.make(from: random()), groups: [])
            // What stays comes before what a gap cut off, in the order of the origin's times too.
            for copy in copies[origin] ?? [] { part.groups.append(SalvageSelection.Group(events: [copy], isCopy: true)) }
            part.groups += rescued[origin] ?? []
            var number: UInt64 = 0
            for event in part.groups.flatMap(\.events) {
                number += 1
                identities[event.id] = EventID(origin: part.origin, number: number)
            }
            parts.append(part)
        }
    }

    /// The events that stay where they are and are about rescued ones, or about others of these.
    private static func copies(
        _ selection: SalvageSelection, _ survey: SalvageSurvey, _ rules: ReferenceRules
    ) -> [OriginID: [FoundEvent]] {
        var moved: Set<EventID> = []
        for (_, groups) in selection.rescued { for group in groups { for event in group.events { moved.insert(event.id) } } }
        var waiting: [EventID: [FoundEvent]] = [:]
        for commit in selection.kept where commit.hasControlEvents {
            for event in SalvageSelection.events(of: commit, survey) {
                guard let target = read(event, survey, { header, payload, _ in rules.target(header, payload) }) else { continue }
                waiting[target, default: []].append(event)
            }
        }
        var result: [OriginID: [FoundEvent]] = [:]
        var next = waiting.keys.filter(moved.contains)
        while let target = next.popLast() {
            for event in waiting.removeValue(forKey: target) ?? [] {
                result[event.id.origin, default: []].append(event)
                if waiting[event.id] != nil { next.append(event.id) }
            }
        }
        return result.mapValues { $0.sorted { $0.id.number < $1.id.number } }
    }

    /// The event as it is written. A copy of one that stays gets no key that leads back to it: it isn't in its place.
    func newEvent(_ event: FoundEvent, isCopy: Bool, _ survey: SalvageSurvey) -> NewEvent? {
        Self.read(event, survey) { header, payload, erasure in
            let target = rules.target(header, payload).flatMap { identities[$0] }
            let key = header.key ?? (isCopy ? nil : RescuedOrigin.key(of: event.id))
            let event = NewEvent(
                type: header.type, version: header.version, subject: header.subject, wallMilliseconds: header.wallMilliseconds,
                zoneMinutes: header.zoneMinutes, key: key, logicalTime: header.logicalTime,
                payload: target.flatMap { rules.retargeted(header, payload, $0) } ?? payload.copied(), erasure: erasure)
            return erasures.applied(to: event, header, payload, rules, random: random)
        }
    }

    private static func read<Value>(
        _ event: FoundEvent, _ survey: SalvageSurvey, _ body: (EventHeader, RawSpan, Erasure?) -> Value?
    ) -> Value? {
        let bytes = survey.bytes(at: event.place)
        let frame = Commit.Frame(bytes.rawSpan, at: 0)
        guard let event = try? frame.event() else { return nil }
        return body(event.header, event.payload, frame.erasure)
    }
}
