internal import EventCoding
internal import Scheduling
internal import StudyModel

/// One thing in which a state isn't what it should be.
package struct StateDifference: Hashable, Sendable {
    package let place: String
    package let message: String

    package init(place: String, message: String) {
        self.place = place
        self.message = message
    }
}

extension StudyState {
    private typealias Comparison = @Sendable (_ stored: StudyState, _ expected: StudyState, _ result: inout [StateDifference]) -> Void

    /// What is compared, projection by projection.
    private static let comparisons: [Comparison] = [
        { $0.cards.whole.compare(with: $1.cards.whole, "card", &$2) },
        { $0.decks.compare(with: $1.decks, "deck", &$2) },
        { $0.items.compare(with: $1.items, "item", &$2) },
        { $0.sessions.compare(with: $1.sessions, "session", &$2) },
        { $0.packs.compare(with: $1.packs, "pack", &$2) },
        { stored, expected, result in
            stored.quizzes.compare(with: expected.quizzes, "quiz", &result)
            stored.compareAnswers(with: expected, &result)
        },
        { $0.apps.compare(with: $1.apps, "app subject", &$2) },
        { $0.compareTallies(with: $1, &$2) },
        { stored, expected, result in
            let decks = (stored.rules.deckChanges, expected.rules.deckChanges)
            let isEqual =
                decks.0.map(\.deck) == decks.1.map(\.deck)
                && decks.0.map { $0.changes.map(\.rules) } == decks.1.map { $0.changes.map(\.rules) }
            guard !isEqual || stored.rules.changes.map(\.rules) != expected.rules.changes.map(\.rules) else { return }
            result.append(StateDifference(place: "settings", message: "the rules in force aren't those that the log records"))
        },
        { $0.compareControls(with: $1, &$2) },
    ]

    /// How many projections ``differences(from:)`` compares.
    package var comparedCount: Int { Self.comparisons.count + projections.count }

    /// In what this state differs from `expected`, projection by projection: the first hundred cards with both values, and
    /// how many there are in all. Complexity: O(cards log cards).
    package func differences(from expected: StudyState) -> [StateDifference] {
        var result: [StateDifference] = []
        for compare in Self.comparisons { compare(self, expected, &result) }
        for (stored, folded) in zip(projections.encoded, expected.projections.encoded) where stored.bytes != folded.bytes {
            result.append(
                StateDifference(place: "projection \(stored.name)", message: "the stored value isn't the one that the log gives"))
        }
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

    private func compareAnswers(with expected: StudyState, _ result: inout [StateDifference]) {
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
}

extension EntityTable where Row: DescribedRow {
    /// Adds each row that differs, with what differs in it. Complexity: O(rows), and O(n log n) where some differ.
    fileprivate func compare(with expected: EntityTable, _ noun: String, _ result: inout [StateDifference]) {
        guard !isEqual(to: expected) else { return }
        let ids = Set(rows.filter(\.isCompared).map(\.id)).union(expected.rows.filter(\.isCompared).map(\.id))
        for id in ids.sorted() {
            let stored = row(of: id).flatMap { $0.isCompared ? $0 : nil }
            let folded = expected.row(of: id).flatMap { $0.isCompared ? $0 : nil }
            guard stored != folded else { continue }
            result.append(StateDifference(place: "\(noun) \(id)", message: Self.difference(stored, folded)))
        }
    }

    /// Whether both tables hold the same rows, whatever their order. Complexity: O(rows).
    private func isEqual(to other: EntityTable) -> Bool {
        var count = 0
        for row in rows where row.isCompared {
            guard let place = other.place(of: row.id), other.rows[place] == row else { return false }
            count += 1
        }
        return count == other.rows.count(where: \.isCompared)
    }

    private static func difference(_ stored: Row?, _ folded: Row?) -> String {
        let stored = stored.map(FieldPrinter.fields)
        let folded = folded.map(FieldPrinter.fields)
        guard let stored else { return "missing; the log says: \(folded?.joined(separator: ", ") ?? "")" }
        guard let folded else { return "stored, and the log doesn't know it: \(stored.joined(separator: ", "))" }
        // A field that only one of them has counts for both.
        let (left, right) = (Set(stored), Set(folded))
        return "stored: \(stored.filter { !right.contains($0) }.joined(separator: ", ")); "
            + "the log says: \(folded.filter { !left.contains($0) }.joined(separator: ", "))"
    }
}
