internal import EventCoding
internal import StudyModel

/// Makes random histories of several origins: devices that act with clocks that don't agree, and imports of one file that
/// overlap; with undo, corrections, holds, settings and deletions at any time, also about events that are yet to come.
///
/// Each origin's events have numbers from 1 up without gaps, and logical times that don't fall.
public struct HistoryGenerator: Hashable, Sendable {
    /// What the histories are like.
    public var shape: HistoryShape

    /// A generator of histories of that shape.
    public init(_ shape: HistoryShape = HistoryShape()) { self.shape = shape }

    /// A history, its events in the order of their arrival.
    public func history(using generator: inout SeededGenerator) -> [HistoryEvent] {
        var builder = HistoryBuilder(shape: shape, using: &generator)
        let count = Int(generator.number(in: Int64(shape.events.lowerBound)...Int64(shape.events.upperBound)))
        while builder.events.count < count { builder.step(using: &generator) }
        if shape.isShuffled, generator.chance(1, in: 3) { return generator.shuffled(builder.events) }
        return generator.chance(1, in: 2) ? interleaved(builder.events, using: &generator) : builder.events
    }

    /// The same events, each origin's in order, but one origin's now before and now after another's.
    private func interleaved(_ events: [HistoryEvent], using generator: inout SeededGenerator) -> [HistoryEvent] {
        var queues: [(origin: OriginID, events: ArraySlice<HistoryEvent>)] = []
        for origin in Set(events.map(\.header.id.origin)).sorted() {
            queues.append((origin, events.filter { $0.header.id.origin == origin }[...]))
        }
        var result: [HistoryEvent] = []
        while !queues.isEmpty {
            let place = generator.below(queues.count)
            let length = 1 + generator.below(4)
            result += queues[place].events.prefix(length)
            queues[place].events = queues[place].events.dropFirst(length)
            if queues[place].events.isEmpty { queues.remove(at: place) }
        }
        return result
    }
}

/// A history while it is made.
struct HistoryBuilder {
    private(set) var events: [HistoryEvent] = []
    let shape: HistoryShape
    let decks: [UniqueID]
    let cards: [UniqueID]
    let words: [UniqueID]
    let quizzes: [UniqueID]
    let packs: [UniqueID]
    private let origins: [OriginID]
    private var clocks: [RandomClock]
    private var numbers: [UInt64]
    private var times: [LogicalTime]
    private var rows: [HistoryEvent]
    /// Of each import, how far it has come in the file.
    private var progress: [Int]

    init(shape: HistoryShape, using generator: inout SeededGenerator) {
        self.shape = shape
        func identities(_ count: Int, _ mark: UInt64) -> [UniqueID] {
            (0..<max(1, count)).map { UniqueID(high: mark, low: UInt64($0 + 1)) }
        }
        decks = identities(shape.decks, 0xDEC)
        cards = identities(shape.cards, 0xCA7D)
        words = identities(shape.words, 0x307D)
        quizzes = identities(shape.quizzes, 0x9012)
        packs = identities(shape.packs, 0x9ACC)
        let devices = max(1, shape.devices)
        let count = devices + max(0, shape.imports)
        // Neighbours, so that ties in time are decided by every byte of an origin.
        origins = generator.shuffled((0..<count).map { OriginID(rawValue: UInt64($0 + 1) << (UInt64($0) * 9 % 50)) })
        clocks = (0..<count).map { _ in RandomClock() }
        numbers = Array(repeating: 0, count: count)
        times = Array(repeating: .distantPast, count: count)
        progress = Array(repeating: 0, count: max(0, shape.imports))
        rows = []
        var clock = RandomClock()
        rows = Self.rows(shape.rows, cards: cards, deck: decks[0], clock: &clock, using: &generator)
    }

    mutating func step(using generator: inout SeededGenerator) {
        if !progress.isEmpty, generator.chance(1, in: 6) {
            importRow(by: generator.below(progress.count), using: &generator)
        } else {
            act(by: generator.below(origins.count - progress.count), using: &generator)
        }
    }

    private mutating func act(by device: Int, using generator: inout SeededGenerator) {
        let moment = clocks[device].moment(using: &generator)
        var subject = UniqueID.none
        var payload: [UInt8]
        let type: EventType
        var version: UInt8
        var time = times[device]
        if !events.isEmpty, generator.chance(1, in: 4) {
            let (control, about, target) = self.control(using: &generator)
            (type, version, payload, subject) = (control.type, control.version, control.encodedPayload(), about)
            if let target, generator.chance(7, in: 8) { time = max(time, target) }
        } else {
            let event = plainEvent(about: &subject, using: &generator)
            (type, version, payload) = (event.type, event.version, event.encodedPayload())
        }
        if shape.isHostile, generator.chance(1, in: 40) {
            if generator.chance(1, in: 2) { payload.append(0) } else { version = 200 }
        }
        // Now and then it has seen all that there is, else only what it wrote itself.
        if generator.chance(2, in: 3) { time = times.reduce(time) { max($0, $1) } }
        guard let next = LogicalTime.next(after: time, wallMilliseconds: moment.wallMilliseconds) else { return }
        // Two devices that act in one millisecond tie.
        let tie = times.reduce(LogicalTime.distantPast) { max($0, $1) }
        time = generator.chance(1, in: 10) && tie >= next ? tie : next
        append(
            EventHeader(
                type: type, version: version, zoneMinutes: moment.zoneMinutes,
                id: EventID(origin: origins[device], number: numbers[device] + 1), logicalTime: time,
                wallMilliseconds: moment.wallMilliseconds, subject: subject),
            payload, of: device)
    }

    private mutating func importRow(by file: Int, using generator: inout SeededGenerator) {
        while progress[file] < rows.count, generator.chance(1, in: 4) { progress[file] += 1 }
        guard progress[file] < rows.count else { return act(by: 0, using: &generator) }
        var row = rows[progress[file]]
        progress[file] += 1
        let origin = origins.count - progress.count + file
        row.header.id = EventID(origin: origins[origin], number: numbers[origin] + 1)
        append(row.header, row.payload, of: origin)
    }

    private mutating func append(_ header: EventHeader, _ payload: [UInt8], of origin: Int) {
        numbers[origin] += 1
        times[origin] = max(times[origin], header.logicalTime)
        events.append(HistoryEvent(header: header, payload: payload))
    }

    /// The rows of a file, in the order of time: no two of a card have one logical time.
    private static func rows(
        _ count: Int, cards: [UniqueID], deck: UniqueID, clock: inout RandomClock, using generator: inout SeededGenerator
    ) -> [HistoryEvent] {
        var rows: [HistoryEvent] = []
        for number in 0..<max(0, count) {
            let moment = clock.moment(using: &generator)
            let card = generator.element(of: cards) ?? .none
            let event: StudyEvent =
                switch generator.below(8) {
                case 0: .cardCreated(CardCreated(deck: deck, front: "row \(number)", back: ""))
                case 1: .cardReset(CardReset())
                case 2: .cardPractised(CardPractised(grade: generator.grade()))
                default: .cardReviewed(CardReviewed(grade: generator.grade(), tookMilliseconds: generator.duration()))
                }
            guard let time = LogicalTime(milliseconds: moment.wallMilliseconds, counter: UInt16(truncatingIfNeeded: number)) else {
                continue
            }
            rows.append(
                HistoryEvent(
                    event, id: EventID(origin: OriginID(rawValue: 0), number: 0), subject: card, at: moment, logicalTime: time,
                    key: UniqueID(high: 0x2077, low: UInt64(number + 1))))
        }
        return rows.sorted { $0.header.logicalTime < $1.header.logicalTime }
    }
}

extension SeededGenerator {
    /// A grade.
    mutating func grade() -> Grade { element(of: Grade.allCases) ?? .good }

    /// A duration of an answer, or none.
    mutating func duration() -> UInt64? { chance(1, in: 3) ? nil : UInt64(below(60_000)) }
}
