package import EventCoding
internal import Scheduling
internal import StudyModel

/// What a checkpoint of a state can have wrong; it is then thrown away and the state folded anew.
package enum CheckpointFault: Error, Hashable, Sendable {
    /// Written by a fold or in a layout that isn't this program's.
    case otherVersion
    /// The bytes don't have the layout that they claim.
    case malformed(ByteFault)
}

extension StudyState {
    /// Raised whenever the same events would fold to another state, or the layout below changes.
    package static let checkpointVersion: UInt32 = 4
    private static let cardsInBlock = 512

    /// The state as blocks of bytes, for ``init(checkpoint:)``: first the small things, then the cards.
    ///
    /// The order of the rows is that of the arrays, so equal states may have different checkpoints; whether two states
    /// are the same is told by ``writeCanonical(texts:to:)``. Complexity: O(size).
    package func checkpoint() -> [[UInt8]] {
        var head = ByteWriter(reserving: 4096)
        head.write(Self.checkpointVersion)
        head.writeVariable(UInt64(cards.count))
        head.write(latest)
        head.writeVariable(UInt64(unknownEvents))
        head.writeVariable(UInt64(unreadableEvents))
        writeTallies(to: &head)
        writeControls(to: &head)
        writeSettings(to: &head)
        writeDecks(to: &head)
        writeItems(to: &head)
        writeSessions(to: &head)
        writePackRows(to: &head)
        writeQuizRows(to: &head)
        writeAnswerRows(to: &head)
        var blocks = [head.bytes]
        var start = 0
        while start < cards.count {
            let end = min(start + Self.cardsInBlock, cards.count)
            var block = ByteWriter(reserving: (end - start) * 176)
            for place in start..<end { block.write(card: cards.rows[place]) }
            blocks.append(block.bytes)
            start = end
        }
        return blocks
    }

    /// The state that those blocks hold; `block` gives each by its number, from 0 up, or nothing where there is none.
    package init(checkpoint block: (Int) -> [UInt8]?) throws(CheckpointFault) {
        self.init()
        guard let first = block(0) else { throw .otherVersion }
        do throws(ByteFault) {
            var reader = ByteReader(first.rawSpan)
            guard try reader.readUInt32() == Self.checkpointVersion else { throw ByteFault(.unknownFormat, offset: 0) }
            let cardCount = try Int(clamping: reader.readVariable())
            latest = try reader.readFoldOrder()
            unknownEvents = try Int(clamping: reader.readVariable())
            unreadableEvents = try Int(clamping: reader.readVariable())
            try readTallies(from: &reader)
            try readControls(from: &reader)
            try readSettings(from: &reader)
            try readDecks(from: &reader)
            try readItems(from: &reader)
            try readSessions(from: &reader)
            try readPacks(from: &reader)
            try readQuizzes(from: &reader)
            try readAnswers(from: &reader)
            try reader.finish()
            var rows: [CardState] = []
            rows.reserveCapacity(min(cardCount, 1 << 20))
            var number = 1
            while rows.count < cardCount {
                guard let bytes = block(number) else { throw ByteFault(.truncated, offset: 0) }
                var reader = ByteReader(bytes.rawSpan)
                while reader.remaining > 0 { rows.append(try reader.readCard()) }
                number += 1
            }
            guard rows.count == cardCount else { throw ByteFault(.trailingBytes, offset: 0) }
            cards = EntityTable(rows)
        } catch {
            throw error.kind == .unknownFormat ? .otherVersion : .malformed(error)
        }
    }

    private func writeTallies(to writer: inout ByteWriter) {
        let days = tallies.days
        writer.writeVariable(UInt64(days.count))
        for day in days {
            writer.writeVariableSigned(Int64(day.day.days))
            for grade in Grade.allCases { writer.writeVariableSigned(day[grade]) }
            writer.writeVariableSigned(day.milliseconds)
        }
        for count in tallies.hours { writer.writeVariableSigned(count) }
        writer.writeVariable(UInt64(tallies.boxes.count))
        for box in tallies.boxes {
            writer.writeVariableSigned(box.reviews)
            writer.writeVariableSigned(box.passed)
        }
        for count in [tallies.practised, tallies.turned, tallies.turnedMilliseconds] { writer.writeVariableSigned(count) }
    }

    @_lifetime(reader: copy reader)
    private mutating func readTallies(from reader: inout ByteReader) throws(ByteFault) {
        var days: [DayTally] = []
        for _ in 0..<(try reader.readCount()) {
            var day = DayTally(day: StudyDay(days: Int32(clamping: try reader.readVariableSigned())))
            for grade in Grade.allCases { day[grade] = try reader.readVariableSigned() }
            day.milliseconds = try reader.readVariableSigned()
            days.append(day)
        }
        var hours: [Int64] = []
        for _ in 0..<24 { hours.append(try reader.readVariableSigned()) }
        var boxes: [BoxTally] = []
        for _ in 0..<(try reader.readCount()) {
            boxes.append(BoxTally(reviews: try reader.readVariableSigned(), passed: try reader.readVariableSigned()))
        }
        tallies = Tallies(
            days: days, hours: hours, boxes: boxes, practised: try reader.readVariableSigned(), turned: try reader.readVariableSigned(),
            turnedMilliseconds: try reader.readVariableSigned())
    }

    private func writeControls(to writer: inout ByteWriter) {
        let all = controls.all
        writer.writeVariable(UInt64(all.count))
        for control in all {
            switch control.effect {
            case .void: writer.write(0 as UInt8)
            case .correct(let grade): writer.write(grade.rawValue)
            case .hold: writer.write(5 as UInt8)
            case .release: writer.write(6 as UInt8)
            }
            writer.write(control.target)
            writer.write(UInt8(control.targetKey == nil ? 0 : 1))
            if let key = control.targetKey { writer.write(key) }
            writer.write(control.subject)
            writer.write(control.order)
        }
    }

    @_lifetime(reader: copy reader)
    private mutating func readControls(from reader: inout ByteReader) throws(ByteFault) {
        for _ in 0..<(try reader.readCount()) {
            let offset = reader.offset
            let effect: Control.Effect
            switch try reader.readUInt8() {
            case 0: effect = .void
            case 5: effect = .hold
            case 6: effect = .release
            case let code:
                guard let grade = Grade(rawValue: code) else { throw ByteFault(.badValue, offset: offset) }
                effect = .correct(grade)
            }
            let target = try reader.readEventID()
            let key: UniqueID? = try reader.readUInt8() == 1 ? try reader.readUniqueID() : nil
            let subject = try reader.readUniqueID()
            let order = try reader.readFoldOrder()
            controls.insert(Control(effect: effect, target: target, targetKey: key, subject: subject, order: order))
        }
    }

    private func writeSettings(to writer: inout ByteWriter) {
        writer.writeVariable(UInt64(rules.settings.count))
        for setting in rules.settings {
            switch setting.change {
            case .scheduler(let scheduler):
                writer.write(0 as UInt8)
                writer.writeText(scheduler.spec)
            case .rolloverHour(let hour):
                writer.write(1 as UInt8)
                writer.write(hour)
            }
            writer.write(header: setting.header)
        }
    }

    @_lifetime(reader: copy reader)
    private mutating func readSettings(from reader: inout ByteReader) throws(ByteFault) {
        for _ in 0..<(try reader.readCount()) {
            let offset = reader.offset
            let change: Setting.Change
            if try reader.readUInt8() == 0 {
                let spec = try reader.readText(limit: 4096)
                guard let scheduler = try? Scheduler(spec: spec) else { throw ByteFault(.badValue, offset: offset) }
                change = .scheduler(scheduler)
            } else {
                change = .rolloverHour(try reader.readUInt8())
            }
            rules.insert(Setting(change: change, header: try reader.readHeader()), controls: controls)
        }
    }

    private func writeDecks(to writer: inout ByteWriter) {
        writer.writeVariable(UInt64(decks.count))
        for deck in decks.rows {
            writer.write(deck.id)
            writer.writeText(deck.title)
            writer.writeVariable(deck.colour.map { UInt64($0) + 1 } ?? 0)
            writer.write(UInt8((deck.isCreated ? 1 : 0) | (deck.isDeleted ? 2 : 0)))
            writer.write(deck.createdAt)
            writer.write(deck.order)
        }
    }

    @_lifetime(reader: copy reader)
    private mutating func readDecks(from reader: inout ByteReader) throws(ByteFault) {
        var rows: [DeckState] = []
        for _ in 0..<(try reader.readCount()) {
            var deck = DeckState(id: try reader.readUniqueID())
            deck.title = try reader.readText(limit: 1 << 20)
            let colour = try reader.readVariable()
            deck.colour = colour == 0 ? nil : UInt32(truncatingIfNeeded: colour - 1)
            let flags = try reader.readUInt8()
            deck.isCreated = flags & 1 != 0
            deck.isDeleted = flags & 2 != 0
            deck.createdAt = try reader.readMoment()
            deck.order = try reader.readFoldOrder()
            rows.append(deck)
        }
        decks = EntityTable(rows)
    }

    private func writeItems(to writer: inout ByteWriter) {
        writer.writeVariable(UInt64(items.count))
        for item in items.rows {
            writer.write(item.id)
            writer.write(item.kind?.rawValue ?? 0)
            writer.write(UInt8((item.isFavourite ? 1 : 0) | (item.isMistake ? 2 : 0)))
            writer.write(item.favouriteSince)
            writer.write(item.mistakeSince)
            writer.writeVariableSigned(item.mistakes)
            writer.write(item.order)
        }
    }

    @_lifetime(reader: copy reader)
    private mutating func readItems(from reader: inout ByteReader) throws(ByteFault) {
        var rows: [ItemState] = []
        for _ in 0..<(try reader.readCount()) {
            var item = ItemState(id: try reader.readUniqueID())
            item.kind = ItemKind(rawValue: try reader.readUInt8())
            let flags = try reader.readUInt8()
            item.isFavourite = flags & 1 != 0
            item.isMistake = flags & 2 != 0
            item.favouriteSince = try reader.readMoment()
            item.mistakeSince = try reader.readMoment()
            item.mistakes = try reader.readVariableSigned()
            item.order = try reader.readFoldOrder()
            rows.append(item)
        }
        items = EntityTable(rows)
    }

    private func writeSessions(to writer: inout ByteWriter) {
        writer.writeVariable(UInt64(sessions.count))
        for session in sessions.rows {
            writer.write(session.id)
            writer.write(session.mode?.rawValue ?? 0)
            writer.writeVariable(UInt64(session.decks.count))
            for deck in session.decks { writer.write(deck) }
            writer.writeVariable(session.seed)
            writer.write(session.startedAt)
            writer.write(session.endReason?.rawValue ?? 0)
            if let endedAt = session.endedAt { writer.write(endedAt) }
            writer.write(session.startPosition.rawValue)
            writer.write(session.startEvent)
            writer.write(session.order)
        }
    }

    @_lifetime(reader: copy reader)
    private mutating func readSessions(from reader: inout ByteReader) throws(ByteFault) {
        var rows: [SessionState] = []
        for _ in 0..<(try reader.readCount()) {
            var session = SessionState(id: try reader.readUniqueID())
            session.mode = SessionMode(rawValue: try reader.readUInt8())
            for _ in 0..<(try reader.readCount()) { session.decks.append(try reader.readUniqueID()) }
            session.seed = try reader.readVariable()
            session.startedAt = try reader.readMoment()
            session.endReason = SessionEndReason(rawValue: try reader.readUInt8())
            if session.endReason != nil { session.endedAt = try reader.readMoment() }
            session.startPosition = EventPosition(rawValue: try reader.readUInt64())
            session.startEvent = try reader.readEventID()
            session.order = try reader.readFoldOrder()
            rows.append(session)
        }
        sessions = EntityTable(rows)
    }
}
