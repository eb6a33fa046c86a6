package import EventCoding
package import Scheduling
package import StudyModel

/// A card as the fold of its own timeline leaves it.
package struct CardState: Entity, Hashable, Sendable {
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Some event about it counts.
        package static let known = Flags(rawValue: 1)
        /// Its creation is known, not only reviews of it.
        package static let created = Flags(rawValue: 2)
        package static let deleted = Flags(rawValue: 4)
        /// A scheduled review, a placement or a creation has set its due day.
        package static let scheduled = Flags(rawValue: 8)
        /// It has been reviewed, here or before it was placed.
        package static let reviewed = Flags(rawValue: 16)
        /// Its texts were erased, for good.
        package static let erased = Flags(rawValue: 32)
        /// It was answered under a scheduler that this program doesn't know: nobody can say when it is due.
        package static let undated = Flags(rawValue: 64)
        /// Its due day follows from its whole history under earlier rules; ``StudyState/settle(timeline:)`` finds it.
        static let awaitsHistory = Flags(rawValue: 256)
        /// Since it came new, was placed or reset, it was answered, the last time with Again.
        package static let failedLast = Flags(rawValue: 512)
        /// The same, the last time not with Again; or it was placed with an interval.
        package static let passedLast = Flags(rawValue: 1024)
    }

    // What a review reads and writes stands first and together: a long fold is a matter of how much memory each step touches.

    package let id: UniqueID
    /// Place of the last event that this state has taken, counted or not.
    package var order = FoldOrder.beginning
    /// Logical time and the low half of the key of the last imported row that was counted or passed over.
    package var rowTime = LogicalTime.distantPast
    package var rowKey: UInt64 = 0
    /// What the scheduler in force now remembers of it.
    package var memory = SchedulerMemory()
    /// In a card that ``Flags/awaitsHistory``, the number of the period in which it was answered last.
    package var intervalDays: Int32 = 0
    /// Days since 1970-01-01; the largest number where it is ``Flags/undated``.
    package var dueDay: Int32 = 0
    package var passed: Int64 = 0
    package var failed: Int64 = 0
    package var lastReviewedAt = ZonedTime(wallMilliseconds: 0, zoneMinutes: 0)
    package var flags: Flags = []

    package var deck = UniqueID.none
    package var practised: Int64 = 0
    package var createdAt = ZonedTime(wallMilliseconds: 0, zoneMinutes: 0)
    package var frontAt = EventPosition.none
    package var backAt = EventPosition.none

    /// So many bytes from its beginning hold all that a review reads and writes.
    static let reviewedSize = MemoryLayout<CardState>.offset(of: \.deck) ?? MemoryLayout<CardState>.size

    package init(id: UniqueID) { self.id = id }

    /// When it is due; `nil` where nobody can say.
    package var due: StudyDay? { flags.contains(.undated) ? nil : StudyDay(days: dueDay) }

    /// Sets the day on which it is due, so many days after `day`.
    @inline(__always)
    mutating func setDue(_ interval: Int, after day: StudyDay) {
        intervalDays = Int32(clamping: interval)
        dueDay = day.advanced(by: Int64(interval)).days
        flags.subtract([.undated, .awaitsHistory])
    }

    /// Is due when another state of it is.
    mutating func setDue(_ other: CardState) {
        (intervalDays, dueDay) = (other.intervalDays, other.dueDay)
        flags.subtract([.undated, .awaitsHistory])
        if other.flags.contains(.undated) { flags.insert(.undated) }
    }
}

extension ConfiguredScheduler {
    /// Whether a card counts as learned: it lies in box 1 or above, or where there are no boxes, its last answer wasn't Again.
    package func isLearned(_ card: borrowing CardState) -> Bool {
        if let box = box(of: card.memory) { box >= 1 } else { card.flags.contains(.passedLast) }
    }
}

extension CardState: DescribedRow {
    var isVisible: Bool { flags.contains(.known) }

    // Its texts lie in the log; a digest adds them.
    mutating func describe<Coder: FieldCoder & ~Escapable>(to coder: inout Coder) throws(Coder.Failure) {
        var low = UInt8(truncatingIfNeeded: flags.rawValue)
        try coder.byte("flags", &low)
        flags = Flags(rawValue: flags.rawValue & ~0xFF | UInt16(low))
        try coder.unsigned("memory", &memory.first)
        var interval = Int64(intervalDays)
        try coder.count("interval", &interval)
        intervalDays = Int32(clamping: interval)
        var due = Int64(dueDay)
        try coder.signed("due day", &due)
        dueDay = Int32(clamping: due)
        try coder.count("passed", &passed)
        try coder.count("failed", &failed)
        try coder.count("practised", &practised)
        if Coder.isComplete || flags.contains(.reviewed) { try coder.moment("last reviewed at", &lastReviewedAt) }
        if Coder.isComplete || flags.contains(.created) {
            try coder.id("deck", &deck)
            try coder.moment("created at", &createdAt)
        }
        guard Coder.isComplete else { return }
        var high = UInt8(flags.rawValue >> 8)
        try coder.byte("more flags", &high)
        flags = Flags(rawValue: flags.rawValue & 0xFF | UInt16(high) << 8)
        try coder.unsigned("memory", &memory.second)
        try coder.unsigned("memory", &memory.third)
        try coder.position("front at", &frontAt)
        try coder.position("back at", &backAt)
        try coder.order("last event", &order)
        var time = UInt64(bitPattern: rowTime.rawValue)
        try coder.fixed("row time", &time)
        rowTime = LogicalTime(rawValue: Int64(bitPattern: time))
        try coder.fixed("row key", &rowKey)
    }
}

/// A deck as the fold of its own timeline leaves it.
package struct DeckState: TimelineEntity, Hashable, Sendable {
    package let id: UniqueID
    package var title = ""
    /// Red, green and blue, eight bits each; `nil` where none was chosen.
    package var colour: UInt32?
    package var isCreated = false
    package var isDeleted = false
    package var createdAt = ZonedTime(wallMilliseconds: 0, zoneMinutes: 0)
    package var order = FoldOrder.beginning

    package init(id: UniqueID) { self.id = id }

    /// Whether the deck is there: created, and not deleted since.
    package var isLive: Bool { isCreated && !isDeleted }

    mutating func take(_ event: StudyEvent, _ header: EventHeader, at position: EventPosition) {
        switch event {
        case .deckCreated(let created):
            guard !isCreated else { break }
            isCreated = true
            title = created.title
            colour = created.colour.map { UInt32(truncatingIfNeeded: $0) }
            createdAt = header.moment
        case .deckRenamed(let renamed): title = renamed.title
        case .deckRecoloured(let recoloured): colour = recoloured.colour.map { UInt32(truncatingIfNeeded: $0) }
        case .deckDeleted: isDeleted = true
        default: break
        }
    }
}

extension DeckState: DescribedRow {
    var isVisible: Bool { isCreated }

    mutating func describe<Coder: FieldCoder & ~Escapable>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("title", &title)
        var code = colour.map { UInt64($0) }
        try coder.optional("colour", &code)
        colour = code.map { UInt32(truncatingIfNeeded: $0) }
        try coder.flag("deleted", &isDeleted)
        try coder.moment("created at", &createdAt)
        guard Coder.isComplete else { return }
        try coder.flag("created", &isCreated)
        try coder.order("last event", &order)
    }
}

/// What is known of a card, word or question as a thing that can be a favourite or a mistake.
package struct ItemState: TimelineEntity, Hashable, Sendable {
    package let id: UniqueID
    package var kind: ItemKind?
    package var isFavourite = false
    package var favouriteSince = ZonedTime(wallMilliseconds: 0, zoneMinutes: 0)
    package var isMistake = false
    package var mistakeSince = ZonedTime(wallMilliseconds: 0, zoneMinutes: 0)
    /// Wrong answers since it came on the list of mistakes.
    package var mistakes: Int64 = 0
    package var order = FoldOrder.beginning

    package init(id: UniqueID) { self.id = id }

    /// Whether there is anything to say of it.
    package var isListed: Bool { isFavourite || isMistake }

    mutating func take(_ event: StudyEvent, _ header: EventHeader, at position: EventPosition) {
        switch event {
        case .favouriteSet(let favourite):
            kind = favourite.kind
            if favourite.on, !isFavourite { favouriteSince = header.moment }
            isFavourite = favourite.on
        case .mistakeDismissed(let dismissed):
            kind = dismissed.kind
            isMistake = false
            mistakes = 0
        case .questionAnswered(let answered):
            guard !answered.correct else { break }
            // The event doesn't say what the item is: the question itself, or the word that it is about.
            kind = kind ?? (answered.question == id ? .question : .word)
            if !isMistake { mistakeSince = header.moment }
            isMistake = true
            mistakes += 1
        default: break
        }
    }
}

extension ItemState: DescribedRow {
    var isVisible: Bool { isListed }

    mutating func describe<Coder: FieldCoder & ~Escapable>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.choice("kind", &kind)
        var lists: UInt8 = (isFavourite ? 1 : 0) | (isMistake ? 2 : 0)
        try coder.bits("lists", &lists, upTo: 3)
        (isFavourite, isMistake) = (lists & 1 != 0, lists & 2 != 0)
        // A fold keeps the times of a list that the item has left.
        if Coder.isComplete || isFavourite { try coder.moment("favourite since", &favouriteSince) }
        if Coder.isComplete || isMistake {
            try coder.moment("mistake since", &mistakeSince)
            try coder.signed("mistakes", &mistakes)
        }
        if Coder.isComplete { try coder.order("last event", &order) }
    }
}

extension FoldOrder {
    /// Before every event.
    static let beginning = FoldOrder(logicalTime: .distantPast, id: EventID(origin: OriginID(rawValue: 0), number: 0))
}
