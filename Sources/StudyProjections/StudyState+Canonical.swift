internal import EventCoding
internal import Scheduling
internal import StudyModel

extension StudyState {
    /// Raised when the encoding below changes, so that digests of two versions are never compared.
    package static let digestVersion = 3

    /// Writes what people see, in one encoding for one state: settings, decks, cards with their texts, favourites,
    /// mistakes, sessions, packs, tests, tallies, and what an app recorded. No origins, numbers or positions. "The same state" is a matter of this
    /// encoding's digest.
    ///
    /// - Parameters:
    ///   - texts: gives front and back of a card, read where its state points to; `nil` where they can't be read.
    ///   - sink: takes the encoding, piece by piece.
    /// - Complexity: O(cards log cards).
    package func writeCanonical(texts: (CardState) -> (front: String, back: String)?, to sink: (RawSpan) -> Void) {
        var writer = DigestWriter(bytes: ByteWriter(reserving: 1 << 16))
        writer.bytes.writeText("engram state \(Self.digestVersion)")
        writeSettings(to: &writer.bytes)
        decks.write(to: &writer)
        items.write(to: &writer)
        sessions.write(to: &writer)
        packs.write(to: &writer)
        writeSelectedTestType(to: &writer.bytes)
        quizzes.write(to: &writer) { quiz, writer in writer.write(answers.counted(of: quiz.id)) }
        tallies.write(to: &writer.bytes)
        let schedulers = currentSchedulers
        cards.whole.write(to: &writer) { card, writer in
            // A memory of boxes is a single number, which stands in the row.
            if schedulers[card.deck].level(of: SchedulerMemory()) == nil { writeWideMemory(of: card, to: &writer.bytes) }
            if card.flags.contains(.created) { write(card.flags.contains(.erased) ? nil : texts(card), of: card, to: &writer.bytes) }
            guard writer.bytes.count > Self.pieceBytes else { return }
            sink(writer.bytes.bytes.rawSpan)
            writer.bytes.removeAll()
        }
        if rules.hasDeckRules {
            writer.bytes.writeText("rules of decks")
            for (deck, changes) in rules.deckChanges {
                writer.bytes.write(deck)
                write(changes, to: &writer.bytes)
            }
        }
        if apps.rows.contains(where: \.isVisible) {
            writer.bytes.writeText("app")
            apps.write(to: &writer)
        }
        sink(writer.bytes.bytes.rawSpan)
    }

    /// Handed to the digest at once, in bytes: some hundreds of cards.
    private static var pieceBytes: Int { 60_000 }

    private func writeSettings(to writer: inout ByteWriter) { write(rules.changes, to: &writer) }

    private func write(_ changes: [(order: FoldOrder, rules: Rules)], to writer: inout ByteWriter) {
        writer.writeVariable(UInt64(changes.count))
        for (order, rules) in changes {
            writer.write(UInt64(bitPattern: order.logicalTime.rawValue))
            writer.writeText(rules.scheduler.spec)
            writer.writeVariable(UInt64(clamping: rules.scheduler.revision))
            writer.writeVariable(UInt64(clamping: rules.rolloverHour))
        }
    }

    private func writeWideMemory(of card: CardState, to writer: inout ByteWriter) {
        writer.write(card.memory.second)
        writer.write(card.memory.third)
        writer.write(UInt8(card.flags.contains(.passedLast) ? 1 : card.flags.contains(.failedLast) ? 2 : 0))
    }

    private func writeSelectedTestType(to writer: inout ByteWriter) {
        let selected = selectedTestType
        writer.write(UInt8(selected == nil ? 0 : 1))
        if let selected {
            writer.write(selected.pack)
            writer.writeText(selected.type)
        }
    }

    /// 0 where they can't be read. Whether erased ones are still somewhere on this device is no matter of the state.
    private func write(_ texts: (front: String, back: String)?, of card: CardState, to writer: inout ByteWriter) {
        writer.write(UInt8(card.flags.contains(.erased) ? 2 : texts == nil ? 0 : 1))
        if let texts {
            writer.writeText(texts.front)
            writer.writeText(texts.back)
        }
    }
}
