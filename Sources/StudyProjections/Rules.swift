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
    /// The deck whose cards it is for; `nil` where it is for all that have none of their own.
    package let deck: UniqueID?
    package let header: EventHeader

    package init(change: Change, deck: UniqueID? = nil, header: EventHeader) {
        self.change = change
        self.deck = deck
        self.header = header
    }
}

/// Which rules were in force when: those of the store, and those of the decks that have some of their own.
package struct RulesTimeline: Sendable {
    /// Settings as they came, those that don't count included.
    package private(set) var settings: [Setting] = []
    private var store: Periods
    private var decks: [UniqueID: Periods] = [:]
    /// The rules of all periods, those of the store first, by number.
    private var numbered: [Rules]
    /// Stands in for all that settings say.
    private let override: ConfiguredScheduler?
    var isOverridden: Bool { override != nil }
    /// Whether some deck has rules of its own.
    package var hasDeckRules: Bool { !decks.isEmpty }

    /// A timeline without settings. Where `scheduler` is given, it stands in for whatever the settings say.
    package init(overriding scheduler: ConfiguredScheduler? = nil) {
        override = scheduler
        store = Periods(Rules(scheduler: scheduler ?? .standard, rolloverHour: Rules.standard.rolloverHour))
        numbered = store.rules
    }

    /// Takes a setting in; what holds afterwards follows from all of them and `controls`.
    package mutating func insert(_ setting: Setting, controls: Controls) {
        guard !settings.contains(where: { $0.header.id == setting.header.id }) else { return }
        settings.append(setting)
        rebuild(controls: controls)
    }

    /// Whether some setting that was taken in has that subject.
    func hasSetting(about subject: UniqueID) -> Bool { settings.contains { $0.header.subject == subject } }

    /// Derives the periods again, after `controls` have changed.
    package mutating func rebuild(controls: Controls) {
        let counted = settings.filter { controls.verdict(on: $0.header).counts }.sorted { $0.header.foldOrder < $1.header.foldOrder }
        store = periods(counted, of: nil)
        decks = [:]
        if override == nil { for deck in Set(counted.compactMap(\.deck)) { decks[deck] = periods(counted, of: deck) } }
        numbered = []
        store.number(from: &numbered)
        for deck in decks.keys.sorted() { decks[deck]?.number(from: &numbered) }
    }

    /// The periods that settings for the store make, or those of a deck: its own settings go before the store's.
    private func periods(_ settings: [Setting], of deck: UniqueID?) -> Periods {
        var result = Periods(Rules(scheduler: override ?? .standard, rolloverHour: Rules.standard.rolloverHour))
        var hasOwn = false
        for setting in settings where setting.deck == nil || setting.deck == deck {
            var rules = result.current
            switch setting.change {
            case .scheduler(let scheduler):
                guard !hasOwn || setting.deck != nil else { continue }
                hasOwn = hasOwn || setting.deck != nil
                rules.scheduler = override ?? scheduler
            case .rolloverHour(let hour): rules.rolloverHour = hour
            }
            result.append(rules, from: setting.header.foldOrder)
        }
        result.remember()
        return result
    }

    private func periods(of deck: UniqueID) -> Periods { decks.isEmpty ? store : decks[deck] ?? store }

    /// The rules in force at a place in the order, and from where to where they hold, in decks without rules of their own.
    func cache(around order: FoldOrder) -> RulesCache { store.cache(around: order) }

    /// The rules in force at a place in the order, for a card that was in the deck `then` and is in the deck `now`: what it remembers is
    /// what the rules of that deck make of its history.
    func rules(at order: FoldOrder, in then: UniqueID, now: UniqueID) -> Rules {
        var rules = periods(of: then).rules(at: order)
        if then != now, hasDeckRules { rules.remember(by: current(in: now).scheduler) }
        return rules
    }

    /// The rules in force at a place in the order, in decks without rules of their own.
    package func rules(at order: FoldOrder) -> Rules { store.rules(at: order) }

    /// The rules of the period of that number.
    func rules(ofPeriod period: Int) -> Rules { numbered[min(max(0, period), numbered.count - 1)] }

    /// The rules in force at the end of all that is known, in decks without rules of their own.
    package var current: Rules { store.current }

    /// The same in that deck.
    package func current(in deck: UniqueID) -> Rules { periods(of: deck).current }

    /// The decks that have rules of their own, with the scheduler in force now, in the order of their identities.
    package var deckSchedulers: [(deck: UniqueID, scheduler: ConfiguredScheduler)] {
        decks.sorted { $0.key < $1.key }.map { ($0.key, $0.value.current.scheduler) }
    }

    /// Whether the scheduler in force now says something of answers of another period: a due day, or the box.
    var isReadByCurrent: Bool { numbered.contains { $0.dating != .memory || !$0.scheduler.isKnown } }

    /// The schedulers that were in force once and keep memories of their own, unlike those of the one in force now in that deck.
    func othersWithMemory(in deck: UniqueID) -> [ConfiguredScheduler] {
        let current = current(in: deck).scheduler
        return numbered.map(\.scheduler).reduce(into: []) { found, scheduler in
            guard scheduler.isKnown, !scheduler.hasSameMemory(as: current), !found.contains(scheduler) else { return }
            found.append(scheduler)
        }
    }

    /// Names of the schedulers that settings name and that this program doesn't know, in order.
    package var unknownSchedulers: [String] { Set(numbered.map(\.scheduler).filter { !$0.isKnown }.map(\.spec)).sorted() }

    /// Each change with its place, for a digest: those of the store, and of each deck that has rules of its own.
    var changes: [(order: FoldOrder, rules: Rules)] { store.changes }
    var deckChanges: [(deck: UniqueID, changes: [(order: FoldOrder, rules: Rules)])] {
        decks.sorted { $0.key < $1.key }.map { ($0.key, $0.value.changes) }
    }
}

/// Rules that follow on each other.
private struct Periods: Sendable {
    /// Start of each period after the first, and the rules of all periods.
    private var starts: [FoldOrder] = []
    private(set) var rules: [Rules]

    init(_ first: Rules) { rules = [first] }

    var current: Rules { rules[rules.count - 1] }

    mutating func append(_ next: Rules, from start: FoldOrder) {
        starts.append(start)
        rules.append(next)
    }

    /// Memories are those of the last scheduler.
    mutating func remember() {
        let scheduler = current.scheduler
        for index in rules.indices { rules[index].remember(by: scheduler) }
    }

    mutating func number(from numbered: inout [Rules]) {
        for index in rules.indices { rules[index].period = numbered.count + index }
        numbered += rules
    }

    /// Number of the period that an event of that place falls in. Complexity: O(log settings).
    private func period(of order: FoldOrder) -> Int {
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= order { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func rules(at order: FoldOrder) -> Rules { rules[period(of: order)] }

    func cache(around order: FoldOrder) -> RulesCache {
        let period = period(of: order)
        var cache = RulesCache()
        cache.rules = rules[period]
        if period > 0 { cache.start = starts[period - 1] }
        cache.end = period < starts.count ? starts[period] : FoldOrder(logicalTime: LogicalTime(rawValue: .max), id: cache.end.id)
        return cache
    }

    var changes: [(order: FoldOrder, rules: Rules)] { Array(zip(starts, rules.dropFirst())).map { ($0, $1) } }
}
