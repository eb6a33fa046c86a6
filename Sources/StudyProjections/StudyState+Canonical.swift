internal import EventCoding
internal import Scheduling
internal import StudyModel

extension StudyState {
    /// Raised when the encoding below changes, so that digests of two versions are never compared.
    package static let digestVersion = 3

    /// Writes what people see, in one encoding for one state: settings, decks, cards with their texts, favourites,
    /// mistakes, sessions, packs, tests and tallies. No origins, numbers or positions. "The same state" is a matter of this
    /// encoding's digest.
    ///
    /// - Parameters:
    ///   - texts: gives front and back of a card, read where its state points to; `nil` where they can't be read.
    ///   - sink: takes the encoding, piece by piece.
    /// - Complexity: O(cards log cards).
    package func writeCanonical(texts: (CardState) -> (front: String, back: String)?, to sink: (RawSpan) -> Void) {
        var writer = ByteWriter(reserving: 1 << 16)
        writer.writeText("engram state \(Self.digestVersion)")
        writeSettings(to: &writer)
        writeDecks(to: &writer)
        writeItems(to: &writer)
        writeSessions(to: &writer)
        writePacks(to: &writer)
        writeQuizzes(to: &writer)
        writeTallies(to: &writer)
        let known = knownCards.sorted { $0.id < $1.id }
        writer.writeVariable(UInt64(known.count))
        for card in known {
            write(card, texts: texts, to: &writer)
            if writer.count > 60_000 {
                sink(writer.bytes.rawSpan)
                writer.removeAll()
            }
        }
        sink(writer.bytes.rawSpan)
    }

    private func writeSettings(to writer: inout ByteWriter) {
        let changes = rules.changes
        writer.writeVariable(UInt64(changes.count))
        for (order, rules) in changes {
            writer.write(UInt64(bitPattern: order.logicalTime.rawValue))
            writer.writeText(rules.scheduler.spec)
            writer.writeVariable(UInt64(clamping: rules.scheduler.revision))
            writer.writeVariable(UInt64(clamping: rules.rolloverHour))
        }
    }

    private func writeDecks(to writer: inout ByteWriter) {
        let known = decks.rows.filter(\.isCreated).sorted { $0.id < $1.id }
        writer.writeVariable(UInt64(known.count))
        for deck in known {
            writer.write(deck.id)
            writer.writeText(deck.title)
            writer.writeVariable(deck.colour.map { UInt64($0) + 1 } ?? 0)
            writer.write(UInt8(deck.isDeleted ? 1 : 0))
            writer.write(deck.createdAt)
        }
    }

    private func writeItems(to writer: inout ByteWriter) {
        let listed = listedItems.sorted { $0.id < $1.id }
        writer.writeVariable(UInt64(listed.count))
        for item in listed {
            writer.write(item.id)
            writer.write(item.kind?.rawValue ?? 0)
            writer.write(UInt8((item.isFavourite ? 1 : 0) | (item.isMistake ? 2 : 0)))
            if item.isFavourite { writer.write(item.favouriteSince) }
            if item.isMistake {
                writer.write(item.mistakeSince)
                writer.writeVariableSigned(item.mistakes)
            }
        }
    }

    private func writeSessions(to writer: inout ByteWriter) {
        let known = knownSessions.sorted { $0.id < $1.id }
        writer.writeVariable(UInt64(known.count))
        for session in known {
            writer.write(session.id)
            writer.write(session.mode?.rawValue ?? 0)
            writer.writeVariable(UInt64(session.decks.count))
            for deck in session.decks { writer.write(deck) }
            writer.writeVariable(session.seed)
            writer.write(session.startedAt)
            writer.write(session.endReason?.rawValue ?? 0)
            if let endedAt = session.endedAt { writer.write(endedAt) }
        }
    }

    private func writePacks(to writer: inout ByteWriter) {
        let installed = installedPacks.sorted { $0.id < $1.id }
        writer.writeVariable(UInt64(installed.count))
        for pack in installed {
            writer.write(pack.id)
            writer.writeText(pack.name)
            writer.write(pack.digest)
            for count in [pack.words, pack.questions, pack.types] { writer.writeVariable(count) }
            writer.write(pack.installedAt)
        }
        let selected = selectedTestType
        writer.write(UInt8(selected == nil ? 0 : 1))
        if let selected {
            writer.write(selected.pack)
            writer.writeText(selected.type)
        }
    }

    private func writeQuizzes(to writer: inout ByteWriter) {
        let started = quizzes.rows.filter(\.isStarted).sorted { $0.id < $1.id }
        writer.writeVariable(UInt64(started.count))
        for quiz in started {
            writer.write(quiz.id)
            writer.write(quiz.pack ?? .none)
            writer.writeText(quiz.testType)
            writer.writeVariable(quiz.seed)
            writer.writeVariable(UInt64(quiz.questionCount))
            writer.write(quiz.startedAt)
            writer.write(UInt8(quiz.end == nil ? 0 : 1))
            if let end = quiz.end {
                writer.writeVariable(end.right)
                writer.writeVariable(end.total)
                writer.write(UInt8(end.isAbandoned ? 1 : 0))
                writer.write(end.at)
            }
            let counted = answers.counted(of: quiz.id)
            writer.writeVariable(UInt64(counted.count))
            for answer in counted {
                writer.write(answer.question)
                writer.writeVariable(UInt64(answer.chosen))
                writer.write(UInt8(answer.isRight ? 1 : 0))
                writer.writeVariable(answer.tookMilliseconds.map { UInt64(clamping: $0) + 1 } ?? 0)
                writer.write(answer.at)
            }
        }
    }

    private func writeTallies(to writer: inout ByteWriter) {
        let days = tallies.reviewedDays
        writer.writeVariable(UInt64(days.count))
        for day in days {
            writer.writeVariableSigned(Int64(day.day.days))
            for count in [day.again, day.hard, day.good, day.easy, day.milliseconds] { writer.writeVariableSigned(count) }
        }
        for count in tallies.hours { writer.writeVariableSigned(count) }
        let boxes = tallies.reviewedBoxes
        writer.writeVariable(UInt64(boxes.count))
        for box in boxes {
            writer.writeVariableSigned(box.reviews)
            writer.writeVariableSigned(box.passed)
        }
        writer.writeVariableSigned(tallies.practised)
        writer.writeVariableSigned(tallies.turned)
        writer.writeVariableSigned(tallies.turnedMilliseconds)
    }

    private func write(_ card: CardState, texts: (CardState) -> (front: String, back: String)?, to writer: inout ByteWriter) {
        writer.write(card.id)
        writer.write(card.flags.rawValue)
        writer.writeVariable(UInt64(card.levelHalfSteps))
        writer.writeVariable(UInt64(clamping: card.intervalDays))
        writer.writeVariableSigned(Int64(card.dueDay))
        writer.writeVariable(UInt64(clamping: card.passed))
        writer.writeVariable(UInt64(clamping: card.failed))
        writer.writeVariable(UInt64(clamping: card.practised))
        if card.flags.contains(.reviewed) { writer.write(card.lastReviewedAt) }
        guard card.flags.contains(.created) else { return }
        writer.write(card.deck)
        writer.write(card.createdAt)
        if card.flags.contains(.erased) {
            // Whether they are still somewhere on this device is no matter of the state.
            writer.write(2 as UInt8)
        } else if let (front, back) = texts(card) {
            writer.write(1 as UInt8)
            writer.writeText(front)
            writer.writeText(back)
        } else {
            writer.write(0 as UInt8)
        }
    }
}
