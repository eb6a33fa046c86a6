package import EventCoding
package import StudyModel

/// One event that says how another one counts.
package struct Control: Hashable, Sendable {
    package enum Effect: Hashable, Sendable {
        /// The target doesn't count.
        case void
        /// The target counts with another grade.
        case correct(Grade)
        /// The target is held back, since its time lay ahead of the receiver's clock.
        case hold
        /// The target is no longer held back.
        case release
    }

    package let effect: Effect
    package let target: EventID
    /// The key of the target where it came by an import: the effect holds for each copy of the row.
    package let targetKey: UniqueID?
    package let subject: UniqueID
    package let order: FoldOrder

    package init(effect: Effect, target: EventID, targetKey: UniqueID?, subject: UniqueID, order: FoldOrder) {
        self.effect = effect
        self.target = target
        self.targetKey = targetKey
        self.subject = subject
        self.order = order
    }
}

extension Control {
    /// Whether a void or correction can touch an event about `other` at that place.
    fileprivate func touches(_ other: UniqueID, at place: FoldOrder) -> Bool { subject == other && order > place }
}

/// Which events count, and how: a function of the set of control events.
///
/// - Every control touches a target of its own subject alone, so that an entity's state follows from its own timeline.
/// - A hold or release touches its target whatever else happens; the last of them in fold order decides.
/// - A void or correction touches a target that comes before it in fold order, as long as it counts itself.
///   So a void of a void restores, to any depth, and no circle can arise.
/// - Of several corrections the last in fold order decides.
package struct Controls: Sendable {
    private var byTarget: [EventID: [Control]] = [:]
    private var byKey: [UniqueID: [Control]] = [:]
    private var filter: [UInt64] = []
    private(set) var count = 0

    package init() {}

    /// What becomes of an event.
    package enum Verdict: Hashable, Sendable {
        case counts
        case corrected(Grade)
        case voided
        case held

        /// Whether the event counts, as it is or corrected.
        @inline(__always)
        var counts: Bool { self != .voided && self != .held }
    }

    /// Every control event, in fold order. Complexity: O(n log n).
    package var all: [Control] {
        byTarget.values.flatMap(\.self).sorted { $0.order < $1.order }
    }

    package mutating func insert(_ control: Control) {
        guard byTarget[control.target]?.contains(where: { $0.order == control.order }) != true else { return }
        byTarget[control.target, default: []].append(control)
        if let key = control.targetKey { byKey[key, default: []].append(control) }
        count += 1
        if count > filter.count { rebuildFilter() } else { mark(control) }
    }

    /// What becomes of the event of `header`. Complexity: constant where no control is about it, else by their number.
    package func verdict(on header: EventHeader) -> Verdict {
        isSilent(about: header) ? .counts : verdictOfMarked(header)
    }

    /// Whether no control can be about the event of `header`. Complexity: constant.
    @inline(__always)
    func isSilent(about header: EventHeader) -> Bool {
        guard count > 0 else { return true }
        if isMarked(Self.bit(of: header.id)) { return false }
        return header.key.map { !isMarked(Self.bit(of: $0)) } ?? true
    }

    private func verdictOfMarked(_ header: EventHeader) -> Verdict {
        var found: [Control] = []
        if isMarked(Self.bit(of: header.id)) { found = byTarget[header.id] ?? [] }
        if let key = header.key, isMarked(Self.bit(of: key)), let copies = byKey[key] {
            found += copies.filter { copy in
                guard copy.target != header.id else { return false }
                switch copy.effect {
                case .void, .correct: return true
                case .hold, .release: return false
                }
            }
        }
        return found.isEmpty ? .counts : verdict(of: found, on: header.subject, order: header.foldOrder)
    }

    private func verdict(of controls: [Control], on subject: UniqueID, order: FoldOrder) -> Verdict {
        if Self.isHeld(controls, subject) { return .held }
        var correction: (order: FoldOrder, grade: Grade)?
        for control in controls where control.touches(subject, at: order) {
            switch control.effect {
            case .void:
                if counts(control) { return .voided }
            case .correct(let grade):
                if correction.map({ $0.order < control.order }) ?? true, counts(control) { correction = (control.order, grade) }
            case .hold, .release: break
            }
        }
        return correction.map { .corrected($0.grade) } ?? .counts
    }

    /// Whether a control event counts itself.
    ///
    /// What could void it comes after it, and so on; all of those are gathered and decided from the last one back. No
    /// recursion, whose depth somebody else's log would decide. Complexity: O(n log n) for the controls above it.
    private func counts(_ control: Control) -> Bool {
        guard byTarget[control.order.id] != nil else { return true }
        var above = [control]
        var next = 0
        while next < above.count {
            let lower = above[next]
            above += (byTarget[lower.order.id] ?? []).filter { $0.effect == .void && $0.touches(lower.subject, at: lower.order) }
            next += 1
        }
        var counting: Set<EventID> = []
        for each in above.sorted(by: { $0.order > $1.order }) {
            let others = byTarget[each.order.id] ?? []
            if Self.isHeld(others, each.subject) { continue }
            let isVoided = others.contains {
                $0.effect == .void && $0.touches(each.subject, at: each.order) && counting.contains($0.order.id)
            }
            if !isVoided { counting.insert(each.order.id) }
        }
        return counting.contains(control.order.id)
    }

    private static func isHeld(_ controls: [Control], _ subject: UniqueID) -> Bool {
        var last: Control?
        for control in controls where control.subject == subject && (control.effect == .hold || control.effect == .release) {
            if last.map({ $0.order < control.order }) ?? true { last = control }
        }
        return last?.effect == .hold
    }

    // A bit a target keeps the common case, an event that no control is about, free of a dictionary look-up.

    @inline(__always)
    private static func bit(of id: EventID) -> UInt64 {
        // Events come in the order of their numbers, so their bits do: they are at hand.
        id.number &+ (id.origin.rawValue &* 0x9E37_79B9_7F4A_7C15) >> 24
    }

    @inline(__always)
    private static func bit(of key: UniqueID) -> UInt64 { key.low ^ key.high >> 32 }

    @inline(__always)
    private func isMarked(_ bit: UInt64) -> Bool {
        let place = Int(truncatingIfNeeded: bit) & (filter.count * 64 - 1)
        return filter[place >> 6] >> UInt64(place & 63) & 1 == 1
    }

    private mutating func mark(_ control: Control) {
        set(Self.bit(of: control.target))
        if let key = control.targetKey { set(Self.bit(of: key)) }
    }

    private mutating func set(_ bit: UInt64) {
        let place = Int(truncatingIfNeeded: bit) & (filter.count * 64 - 1)
        filter[place >> 6] |= 1 << UInt64(place & 63)
    }

    private mutating func rebuildFilter() {
        var size = 16
        while size * 64 < count * 128 { size *= 2 }
        filter = Array(repeating: 0, count: size)
        for controls in byTarget.values { for control in controls { mark(control) } }
    }
}
