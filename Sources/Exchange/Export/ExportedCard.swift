package import EventCoding
package import StudyModel

/// A card as other programs get it.
package struct ExportedCard: Sendable {
    package let id: UniqueID
    /// Its deck's title.
    package let deck: String
    package let front: String
    package let back: String
    package let createdAt: ZonedTime
    package let lastReviewedAt: ZonedTime?
    package let levelHalfSteps: Int64?
    package let box: Int?
    package let intervalDays: Int
    package let due: StudyDay?
    package let passed: Int64
    package let failed: Int64
    package let isFavourite: Bool

    package init(
        id: UniqueID, deck: String, front: String, back: String, createdAt: ZonedTime, lastReviewedAt: ZonedTime?, levelHalfSteps: Int64?,
        box: Int?, intervalDays: Int, due: StudyDay?, passed: Int64, failed: Int64, isFavourite: Bool
    ) {
        self.id = id
        self.deck = deck
        self.front = front
        self.back = back
        self.createdAt = createdAt
        self.lastReviewedAt = lastReviewedAt
        self.levelHalfSteps = levelHalfSteps
        self.box = box
        self.intervalDays = intervalDays
        self.due = due
        self.passed = passed
        self.failed = failed
        self.isFavourite = isFavourite
    }
}

/// One answer to a card, or a reset of it, as it counts.
package struct ExportedAnswer: Sendable {
    package enum Kind: Sendable {
        case reviewed
        case practised
        case reset
    }

    package let kind: Kind
    package let milliseconds: Int64
    /// 1 again to 4 easy; 0 for a reset.
    package let grade: UInt8
    package let tookMilliseconds: Int64
    /// Intervals before and after it.
    package let daysBefore: Int
    package let daysAfter: Int

    package init(kind: Kind, milliseconds: Int64, grade: UInt8, tookMilliseconds: Int64, daysBefore: Int, daysAfter: Int) {
        self.kind = kind
        self.milliseconds = milliseconds
        self.grade = grade
        self.tookMilliseconds = tookMilliseconds
        self.daysBefore = daysBefore
        self.daysAfter = daysAfter
    }
}
