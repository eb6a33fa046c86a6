package import EventCoding
package import Scheduling

/// The rules that folds go by from some point on: the scheduler, and the hour at which the study day begins.
package struct Rules: Hashable, Sendable {
    /// How an answer under these rules gets its due day, given a memory that the scheduler in force now keeps.
    enum Dating: Hashable, Sendable {
        /// By the memory: the scheduler of that time, or where nobody knows it the one in force now, reads it.
        case memory
        /// The scheduler of that time has a memory of its own, which takes the card's history.
        case history
        /// Neither scheduler is known.
        case none
    }

    package var scheduler: ConfiguredScheduler
    /// From 0 to 23; before it, it is still yesterday.
    package var rolloverHour: UInt8
    /// The scheduler in force at the end of all that is known: memories are its memories.
    package private(set) var current: ConfiguredScheduler
    private(set) var dating = Dating.memory
    /// Number of the period in which they are in force.
    fileprivate(set) var period = 0

    package static let standard = Rules(scheduler: .standard, rolloverHour: 4)

    /// Rules that are in force now as well.
    package init(scheduler: ConfiguredScheduler, rolloverHour: UInt8) {
        self.scheduler = scheduler
        self.rolloverHour = rolloverHour
        current = scheduler
        remember(by: scheduler)
    }

    /// From now on memories are those of `current`.
    mutating func remember(by current: ConfiguredScheduler) {
        self.current = current
        dating =
            if scheduler.hasSameMemory(as: current) || !scheduler.isKnown && current.isKnown { .memory } else if scheduler.isKnown {
                .history
            } else {
                .none
            }
    }

    /// The scheduler that reads a memory where ``dating`` goes by it.
    @inline(__always)
    var reader: ConfiguredScheduler { scheduler.isKnown && dating == .memory ? scheduler : current }
}

/// A setting that some event made.
package struct Setting: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        case scheduler(ConfiguredScheduler)
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
    /// Stands in for all that settings say.
    private let override: ConfiguredScheduler?
    var isOverridden: Bool { override != nil }

    /// A timeline without settings. Where `scheduler` is given, it stands in for whatever the settings say.
    package init(overriding scheduler: ConfiguredScheduler? = nil) {
        override = scheduler
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
        periods = [Rules(scheduler: override ?? .standard, rolloverHour: Rules.standard.rolloverHour)]
        for setting in settings.sorted(by: { $0.header.foldOrder < $1.header.foldOrder }) {
            guard controls.verdict(on: setting.header).counts, var rules = periods.last else { continue }
            switch setting.change {
            case .scheduler(let scheduler): rules.scheduler = override ?? scheduler
            case .rolloverHour(let hour): rules.rolloverHour = hour
            }
            starts.append(setting.header.foldOrder)
            periods.append(rules)
        }
        let scheduler = current.scheduler
        for index in periods.indices {
            periods[index].remember(by: scheduler)
            periods[index].period = index
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
        var cache = RulesCache()
        cache.rules = periods[period]
        if period > 0 { cache.start = starts[period - 1] }
        cache.end = period < starts.count ? starts[period] : FoldOrder(logicalTime: LogicalTime(rawValue: .max), id: cache.end.id)
        return cache
    }

    /// The rules in force at a place in the order.
    package func rules(at order: FoldOrder) -> Rules { periods[period(of: order)] }

    /// The rules of the period of that number.
    func rules(ofPeriod period: Int) -> Rules { periods[min(max(0, period), periods.count - 1)] }

    /// The rules in force at the end of all that is known.
    package var current: Rules { periods[periods.count - 1] }

    /// Whether the scheduler in force now says something of answers of another period: a due day, or the box.
    var isReadByCurrent: Bool { periods.contains { $0.dating != .memory || !$0.scheduler.isKnown } }

    /// The schedulers that were in force once and keep memories of their own, unlike those of the one in force now.
    var othersWithMemory: [ConfiguredScheduler] {
        periods.filter { $0.dating == .history }.map(\.scheduler).reduce(into: []) { found, scheduler in
            if !found.contains(scheduler) { found.append(scheduler) }
        }
    }

    /// Names of the schedulers that settings name and that this program doesn't know, in order.
    package var unknownSchedulers: [String] { Set(periods.map(\.scheduler).filter { !$0.isKnown }.map(\.spec)).sorted() }

    /// Each change with its place, for a digest.
    var changes: [(order: FoldOrder, rules: Rules)] { Array(zip(starts, periods.dropFirst())).map { ($0, $1) } }
}
