package import EventCoding
package import Scheduling

/// The rules that folds go by from some point on: the scheduler, and the hour at which the study day begins.
package struct Rules: Hashable, Sendable {
    package var scheduler: Scheduler
    /// From 0 to 23; before it, it is still yesterday.
    package var rolloverHour: UInt8

    package static let standard = Rules(scheduler: .standard, rolloverHour: 4)

    package init(scheduler: Scheduler, rolloverHour: UInt8) {
        self.scheduler = scheduler
        self.rolloverHour = rolloverHour
    }
}

/// A setting that some event made.
package struct Setting: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        case scheduler(Scheduler)
        case rolloverHour(UInt8)
    }

    package let change: Change
    package let header: EventHeader

    package init(change: Change, header: EventHeader) {
        self.change = change
        self.header = header
    }
}

/// Which rules were in force when.
package struct RulesTimeline: Sendable {
    /// Settings as they came, those that don't count included.
    package private(set) var settings: [Setting] = []
    /// Start of each period after the first, and the rules of all periods.
    private var starts: [FoldOrder] = []
    private var periods: [Rules] = [.standard]
    private let override: Rules?

    /// A timeline without settings. Where `scheduler` is given, it stands in for whatever the settings say.
    package init(overriding scheduler: Scheduler? = nil) {
        override = scheduler.map { Rules(scheduler: $0, rolloverHour: 0) }
        if let scheduler { periods = [Rules(scheduler: scheduler, rolloverHour: Rules.standard.rolloverHour)] }
    }

    /// Takes a setting in; what holds afterwards follows from all of them and `controls`.
    package mutating func insert(_ setting: Setting, controls: Controls) {
        guard !settings.contains(where: { $0.header.id == setting.header.id }) else { return }
        settings.append(setting)
        rebuild(controls: controls)
    }

    /// Whether some setting that was taken in has that subject.
    func hasSetting(about subject: UniqueID) -> Bool { settings.contains { $0.header.subject == subject } }

    /// Derives the periods anew, after `controls` have changed.
    package mutating func rebuild(controls: Controls) {
        starts = []
        periods = [Rules(scheduler: override?.scheduler ?? .standard, rolloverHour: Rules.standard.rolloverHour)]
        for setting in settings.sorted(by: { $0.header.foldOrder < $1.header.foldOrder }) {
            guard controls.verdict(on: setting.header).counts, var rules = periods.last else { continue }
            switch setting.change {
            case .scheduler(let scheduler): rules.scheduler = override?.scheduler ?? scheduler
            case .rolloverHour(let hour): rules.rolloverHour = hour
            }
            starts.append(setting.header.foldOrder)
            periods.append(rules)
        }
    }

    /// Number of the period that an event of that place falls in. Complexity: O(log settings).
    func period(of order: FoldOrder) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= order { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The rules in force at a place in the order, and from where to where they hold.
    func cache(around order: FoldOrder) -> RulesCache {
        let period = period(of: order)
        var cache = RulesCache(rules: periods[period])
        if period > 0 { cache.start = starts[period - 1] }
        cache.end = period < starts.count ? starts[period] : FoldOrder(logicalTime: LogicalTime(rawValue: .max), id: cache.end.id)
        return cache
    }

    /// The rules in force at a place in the order.
    package func rules(at order: FoldOrder) -> Rules { periods[period(of: order)] }

    /// The rules in force at the end of all that is known.
    package var current: Rules { periods[periods.count - 1] }

    /// Each change with its place, for a digest.
    var changes: [(order: FoldOrder, rules: Rules)] { Array(zip(starts, periods.dropFirst())).map { ($0, $1) } }
}
