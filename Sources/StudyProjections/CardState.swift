package import EventCoding
package import Scheduling
package import StudyModel

/// A card as the fold of its own timeline leaves it.
package struct CardState: Entity, Hashable, Sendable {
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

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
    }

    // What a review reads and writes stands first and together: a long fold is a matter of how much memory each step touches.

    package let id: UniqueID
    /// Place of the last event that this state has taken, counted or not.
    package var order = FoldOrder.beginning
    /// Logical time and the low half of the key of the last imported row that was counted or passed over.
    package var rowTime = LogicalTime.distantPast
    package var rowKey: UInt64 = 0
    package var levelHalfSteps: Int64 = 0
    package var intervalDays: Int32 = 0
    /// Days since 1970-01-01.
    package var dueDay: Int32 = 0
    package var passed: Int64 = 0
    package var failed: Int64 = 0
    package var lastReviewedAt = Moment(wallMilliseconds: 0, zoneMinutes: 0)
    package var flags: Flags = []

    package var deck = UniqueID.none
    package var practised: Int64 = 0
    package var createdAt = Moment(wallMilliseconds: 0, zoneMinutes: 0)
    package var frontAt = EventPosition.none
    package var backAt = EventPosition.none

    /// So many bytes from its beginning hold all that a review reads and writes.
    static let reviewedSize = MemoryLayout<CardState>.offset(of: \.deck) ?? MemoryLayout<CardState>.size

    package init(id: UniqueID) { self.id = id }

    package var level: Level { Level(halfSteps: levelHalfSteps) }
    package var memory: MemoryState {
        get { MemoryState(level: level, intervalDays: Int(intervalDays), due: StudyDay(days: dueDay)) }
        set {
            levelHalfSteps = newValue.level.halfSteps
            intervalDays = Int32(clamping: newValue.intervalDays)
            dueDay = newValue.due.days
        }
    }
}

/// A deck as the fold of its own timeline leaves it.
package struct DeckState: Entity, Hashable, Sendable {
    package let id: UniqueID
    package var title = ""
    /// Red, green and blue, eight bits each; `nil` where none was chosen.
    package var colour: UInt32?
    package var isCreated = false
    package var isDeleted = false
    package var createdAt = Moment(wallMilliseconds: 0, zoneMinutes: 0)
    package var order = FoldOrder.beginning

    package init(id: UniqueID) { self.id = id }

    /// Whether the deck is there: created, and not deleted since.
    package var isLive: Bool { isCreated && !isDeleted }
}

/// What is known of a card, word or question as a thing that can be a favourite or a mistake.
package struct ItemState: Entity, Hashable, Sendable {
    package let id: UniqueID
    package var kind: ItemKind?
    package var isFavourite = false
    package var favouriteSince = Moment(wallMilliseconds: 0, zoneMinutes: 0)
    package var isMistake = false
    package var mistakeSince = Moment(wallMilliseconds: 0, zoneMinutes: 0)
    /// Wrong answers since it came on the list of mistakes.
    package var mistakes: Int64 = 0
    package var order = FoldOrder.beginning

    package init(id: UniqueID) { self.id = id }

    /// Whether there is anything to say of it.
    package var isListed: Bool { isFavourite || isMistake }
}

extension FoldOrder {
    /// Before every event.
    static let beginning = FoldOrder(logicalTime: .distantPast, id: EventID(origin: OriginID(rawValue: 0), number: 0))
}
