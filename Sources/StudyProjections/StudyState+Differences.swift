internal import EventCoding
internal import Scheduling
internal import StudyModel

/// One thing in which a state isn't what it should be.
package struct StateDifference: Hashable, Sendable {
    package let place: String
    package let message: String
}

extension StudyState {
    private typealias Comparison = @Sendable (_ stored: StudyState, _ expected: StudyState, _ result: inout [StateDifference]) -> Void

    /// What is compared, projection by projection.
    private static let comparisons: [(projection: String, compare: Comparison)] = [
        (
            "cards",
            { stored, expected, result in
                guard !stored.isEqual(stored.cards, expected.cards, isKnown: { $0.flags.contains(.known) }) else { return }
                stored.compare(rows: stored.knownCards, with: expected.knownCards, "card", &result) { describe($0) }
            }
        ),
        (
            "decks",
            { stored, expected, result in
                stored.compare(
                    rows: stored.decks.rows.filter(\.isCreated), with: expected.decks.rows.filter(\.isCreated), "deck", &result
                ) {
                    "title \"\($0.title)\", colour \($0.colour.map { "\($0)" } ?? "none"), deleted \($0.isDeleted)"
                }
            }
        ),
        (
            "items",
            { stored, expected, result in
                stored.compare(rows: stored.listedItems, with: expected.listedItems, "item", &result) {
                    "favourite \($0.isFavourite), mistake \($0.isMistake), count \($0.mistakes)"
                }
            }
        ),
        (
            "sessions",
            { stored, expected, result in
                stored.compare(rows: stored.knownSessions, with: expected.knownSessions, "session", &result) {
                    "started \($0.startedAt), ended \($0.endedAt.map { "\($0)" } ?? "not yet"), seed \($0.seed), decks \($0.decks.count)"
                }
            }
        ),
        ("packs", { stored, expected, result in stored.comparePacks(with: expected, &result) }),
        ("tests", { stored, expected, result in stored.compareQuizzes(with: expected, &result) }),
        ("tallies", { stored, expected, result in stored.compareTallies(with: expected, &result) }),
        (
            "settings",
            { stored, expected, result in
                guard stored.rules.changes.map(\.rules) != expected.rules.changes.map(\.rules) else { return }
                result.append(StateDifference(place: "settings", message: "the rules in force aren't those that the log records"))
            }
        ),
        ("controls", { stored, expected, result in stored.compareControls(with: expected, &result) }),
    ]

    /// How many projections ``differences(from:)`` compares.
    package static var comparedCount: Int { comparisons.count }

    /// In what this state differs from `expected`, projection by projection: the first hundred cards with both values, and
    /// how many there are in all. Complexity: O(cards log cards).
    package func differences(from expected: StudyState) -> [StateDifference] {
        var result: [StateDifference] = []
        for comparison in Self.comparisons { comparison.compare(self, expected, &result) }
        return result
    }

    /// What decides how later events are taken: what is voided, corrected or held back, and how far the log has come.
    private func compareControls(with expected: StudyState, _ result: inout [StateDifference]) {
        let controls = expected.controls.all
        if self.controls.all != controls {
            result.append(
                StateDifference(place: "controls", message: "what is voided, corrected or held back isn't what the log records"))
        }
        // An event that is held back may have been folded before it was known to be: so far the stored state has come then.
        let mayBeAhead = controls.contains { $0.effect == .hold }
        if latest != expected.latest, !mayBeAhead || latest < expected.latest {
            result.append(StateDifference(place: "the last event", message: "stored \(latest); the log says \(expected.latest)"))
        }
    }

    /// Whether both tables hold the same rows among those that are known, whatever their order. Complexity: O(rows).
    private func isEqual<Row: Entity & Equatable>(
        _ left: EntityTable<Row>, _ right: EntityTable<Row>, isKnown: (Row) -> Bool
    ) -> Bool {
        var count = 0
        for row in left.rows where isKnown(row) {
            guard let place = right.place(of: row.id), right.rows[place] == row else { return false }
            count += 1
        }
        return count == right.rows.count(where: isKnown)
    }

    private func compare<Row: Entity & Hashable>(
        rows: [Row], with expected: [Row], _ noun: String, _ result: inout [StateDifference], describe: (Row) -> String
    ) {
        let left = rows.sorted { $0.id < $1.id }
        let right = expected.sorted { $0.id < $1.id }
        var leftIndex = 0
        var rightIndex = 0
        while leftIndex < left.count || rightIndex < right.count {
            let stored = leftIndex < left.count ? left[leftIndex] : nil
            let folded = rightIndex < right.count ? right[rightIndex] : nil
            if let stored, folded.map({ stored.id < $0.id }) ?? true {
                result.append(
                    StateDifference(place: "\(noun) \(stored.id)", message: "stored, and the log doesn't know it: \(describe(stored))"))
                leftIndex += 1
            } else if let folded, stored.map({ folded.id < $0.id }) ?? true {
                result.append(StateDifference(place: "\(noun) \(folded.id)", message: "missing; the log says: \(describe(folded))"))
                rightIndex += 1
            } else if let stored, let folded {
                if stored != folded {
                    result.append(
                        StateDifference(
                            place: "\(noun) \(stored.id)", message: "stored: \(describe(stored)); the log says: \(describe(folded))"))
                }
                leftIndex += 1
                rightIndex += 1
            }
        }
    }

    private func comparePacks(with expected: StudyState, _ result: inout [StateDifference]) {
        compare(rows: packs.rows.filter(\.isKnown), with: expected.packs.rows.filter(\.isKnown), "pack", &result) {
            "name \"\($0.name)\", digest \($0.digest), installed \($0.isInstalled), selected \($0.selectedType ?? "none")"
        }
    }

    private func compareQuizzes(with expected: StudyState, _ result: inout [StateDifference]) {
        compare(rows: quizzes.rows.filter(\.isStarted), with: expected.quizzes.rows.filter(\.isStarted), "quiz", &result) {
            "test type \"\($0.testType)\", questions \($0.questionCount), ended \($0.end.map { "\($0)" } ?? "no")"
        }
        let ids = Set(answers.quizzes).union(expected.answers.quizzes).sorted()
        for id in ids where answers.all(of: id) != expected.answers.all(of: id) {
            result.append(
                StateDifference(
                    place: "answers of quiz \(id)",
                    message: "stored \(answers.all(of: id).count), and the log says \(expected.answers.all(of: id).count), or others"))
        }
    }

    private func compareTallies(with expected: StudyState, _ result: inout [StateDifference]) {
        let stored = tallies.reviewedDays
        let folded = expected.tallies.reviewedDays
        if stored != folded {
            let pairs = zip(stored, folded).first { $0 != $1 }
            let day =
                pairs.map { "\($0.1.day)" } ?? "\((stored.count > folded.count ? stored : folded)[min(stored.count, folded.count)].day)"
            result.append(StateDifference(place: "tallies of day \(day)", message: "the counters of days aren't those that the log gives"))
        }
        if tallies.hours != expected.tallies.hours {
            result.append(
                StateDifference(place: "tallies of hours", message: "stored \(tallies.hours); the log says \(expected.tallies.hours)"))
        }
        if tallies.reviewedBoxes != expected.tallies.reviewedBoxes {
            result.append(StateDifference(place: "tallies of boxes", message: "the counters of boxes aren't those that the log gives"))
        }
        if (tallies.turned, tallies.turnedMilliseconds) != (expected.tallies.turned, expected.tallies.turnedMilliseconds) {
            result.append(
                StateDifference(
                    place: "tally of turning", message: "stored \(tallies.turned); the log says \(expected.tallies.turned)"))
        }
        if tallies.practised != expected.tallies.practised {
            result.append(
                StateDifference(
                    place: "tally of practice", message: "stored \(tallies.practised); the log says \(expected.tallies.practised)"))
        }
    }

    private static func describe(_ card: CardState) -> String {
        "level \(card.level.value), interval \(card.intervalDays), due \(card.memory.due), passed \(card.passed), failed \(card.failed), "
            + "practised \(card.practised), deck \(card.deck), flags \(card.flags.rawValue), texts at \(card.frontAt.rawValue) and "
            + "\(card.backAt.rawValue)"
    }
}
