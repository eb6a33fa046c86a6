package import EventCoding
internal import Scheduling
internal import StudyModel

/// What a checkpoint of a state can have wrong; it is then thrown away and the state folded anew.
package enum CheckpointError: Error, Hashable, Sendable {
    /// Written by a fold or in a layout that isn't this program's.
    case otherVersion
    /// The bytes don't have the layout that they claim.
    case malformed(ByteError)
}

extension StudyState {
    /// Raised whenever the same events would fold to another state, or the layout below changes.
    package static let checkpointVersion: UInt32 = 7
    /// No name or value of a parameter is longer, in bytes.
    private static let maximumNameBytes = 1 << 16
    /// Bytes of each card of a block.
    private static let cardBytes = 174

    /// The state as blocks of bytes, for ``init(from:checkpoint:cards:)``: first the small things and where the cards lie, then the cards in
    /// the order of their identities, then the values of the app's projections.
    ///
    /// The order of the other rows is that of the arrays, so equal states may have different checkpoints; whether two states
    /// are the same is told by ``writeCanonical(texts:to:)``. Complexity: O(size).
    package func checkpoint() -> [[UInt8]] {
        var state = self
        return state.settleIntoCheckpoint()
    }

    /// The same, and this state goes on from it: copies that are held copy nothing but what changes from now on.
    ///
    /// - Parameter size: so many cards are in a block, but the last; where the cards lie in blocks already, those stay.
    package mutating func settleIntoCheckpoint(inBlocksOf size: Int = StoredCards.cardsInBlock) -> [[UInt8]] {
        let cards = cards.settle(inBlocksOf: size)
        var blocks: [StoredCards.Block] = []
        let cardBlocks = cards.blocks.indices.map { number in
            var writer = FixedFieldWriter(bytes: ByteWriter(reserving: cards.blocks[number].count * Self.cardBytes))
            for card in cards.rows(ofBlock: number) { writer.write(card) }
            let bytes = writer.bytes.bytes
            blocks.append(
                StoredCards.Block(first: cards.blocks[number].first, count: cards.blocks[number].count, sum: fastChecksum(bytes.rawSpan)))
            return bytes
        }
        var head = CheckpointWriter(bytes: ByteWriter(reserving: 4096))
        head.bytes.write(Self.checkpointVersion)
        write(projections.stored, to: &head.bytes)
        head.bytes.writeVariable(UInt64(cards.count))
        head.bytes.write(latest)
        head.bytes.writeVariable(UInt64(unknownEvents))
        head.bytes.writeVariable(UInt64(unreadableEvents))
        tallies.write(to: &head.bytes)
        writeControls(to: &head.bytes)
        writeSettings(to: &head.bytes)
        decks.write(to: &head)
        items.write(to: &head)
        sessions.write(to: &head)
        packs.write(to: &head)
        quizzes.write(to: &head)
        apps.write(to: &head)
        answers.write(to: &head)
        head.bytes.write(blocks)
        return [head.bytes.bytes] + cardBlocks + projections.encoded.map(\.bytes)
    }

    private func write(_ stored: [ProjectionSet.Stored], to writer: inout ByteWriter) {
        writer.writeVariable(UInt64(stored.count))
        for projection in stored {
            writer.writeText(projection.name)
            writer.writeVariable(projection.version)
            writer.write(projection.order)
        }
    }

    /// The app's projections whose values the blocks of a checkpoint hold; none where it is of another version.
    package static func projections(storedIn blocks: [[UInt8]]) -> [ProjectionSet.Stored] {
        guard let head = blocks.first else { return [] }
        var reader = ByteReader(head.rawSpan)
        return (try? projections(from: &reader)) ?? []
    }

    @_lifetime(reader: copy reader)
    private static func projections(from reader: inout ByteReader) throws(ByteError) -> [ProjectionSet.Stored] {
        guard try reader.readUInt32() == checkpointVersion else { throw ByteError(.unknownFormat, offset: 0) }
        var stored: [ProjectionSet.Stored] = []
        for _ in 0..<(try reader.readCount()) {
            let (name, version) = (try reader.readText(limit: maximumNameBytes), try reader.readVariable())
            stored.append(ProjectionSet.Stored(name: name, version: version, order: try reader.readFoldOrder()))
        }
        return stored
    }

    /// The state that those blocks hold; `block` gives each by its number, from 0 up, or nothing where there is none. Those of cards
    /// are read from `source` when they are asked for.
    ///
    /// Folded under the schedulers that were known then: where `beginning` knows others, it is of another version, and so it is where one
    /// of its projections isn't among those that are stored.
    package init(
        from beginning: StudyState = StudyState(), checkpoint block: (Int) -> [UInt8]?, cards source: some CheckpointSource
    ) throws(CheckpointError) {
        self = beginning
        guard let first = block(0) else { throw .otherVersion }
        do throws(ByteError) {
            var reader = ByteReader(first.rawSpan)
            let stored = try Self.projections(from: &reader)
            let count = try reader.readVariable()
            latest = try reader.readFoldOrder()
            unknownEvents = try Int(clamping: reader.readVariable())
            unreadableEvents = try Int(clamping: reader.readVariable())
            tallies = try Tallies(from: &reader)
            try readControls(from: &reader)
            try readSettings(from: &reader)
            decks = try EntityTable(from: &reader)
            items = try EntityTable(from: &reader)
            sessions = try EntityTable(from: &reader)
            packs = try EntityTable(from: &reader)
            quizzes = try EntityTable(from: &reader)
            apps = try EntityTable(from: &reader)
            answers = try QuizAnswers(from: &reader)
            let blocks = try reader.readBlocks()
            try reader.finish()
            let cards = StoredCards(blocks, from: source)
            guard UInt64(cards.count) == count else { throw ByteError(.badLength, offset: 0) }
            self.cards = CardTable(cards)
            guard projections.read(stored, value: { block(1 + blocks.count + $0) }) else { throw ByteError(.unknownFormat, offset: 0) }
        } catch {
            throw error.kind == .unknownFormat ? .otherVersion : .malformed(error)
        }
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
    private mutating func readControls(from reader: inout ByteReader) throws(ByteError) {
        for _ in 0..<(try reader.readCount()) {
            let offset = reader.offset
            let effect: Control.Effect
            switch try reader.readUInt8() {
            case 0: effect = .void
            case 5: effect = .hold
            case 6: effect = .release
            case let code:
                guard let grade = Grade(rawValue: code) else { throw ByteError(.badValue, offset: offset) }
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
                writer.write(setting.deck == nil ? 0 : 2 as UInt8)
                if let deck = setting.deck { writer.write(deck) }
                writer.write(UInt8(scheduler.isKnown ? 1 : 0))
                writer.writeText(scheduler.name)
                writer.writeVariable(UInt64(clamping: scheduler.revision))
                writer.writeVariable(UInt64(scheduler.parameters.count))
                for (name, value) in scheduler.parameters {
                    writer.writeText(name)
                    writer.writeText(value)
                }
            case .rolloverHour(let hour):
                writer.write(1 as UInt8)
                writer.write(hour)
            }
            writer.write(header: setting.header)
        }
    }

    @_lifetime(reader: copy reader)
    private mutating func readSettings(from reader: inout ByteReader) throws(ByteError) {
        for _ in 0..<(try reader.readCount()) {
            let offset = reader.offset
            let change: Setting.Change
            let code = try reader.readUInt8()
            let deck = code == 2 ? try reader.readUniqueID() : nil
            if code != 1 {
                let isKnown = try reader.readUInt8() == 1
                let name = try reader.readText(limit: Self.maximumNameBytes)
                let revision = try Int(clamping: reader.readVariable())
                var parameters: [(name: String, value: String)] = []
                for _ in 0..<(try reader.readCount()) {
                    let name = try reader.readText(limit: Self.maximumNameBytes)
                    parameters.append((name, try reader.readText(limit: Self.maximumNameBytes)))
                }
                let scheduler = schedulers.recorded(name: name, revision: revision, parameters: parameters)
                guard scheduler.isKnown == isKnown else { throw ByteError(.unknownFormat, offset: offset) }
                change = .scheduler(scheduler)
            } else {
                change = .rolloverHour(try reader.readUInt8())
            }
            rules.insert(Setting(change: change, deck: deck, header: try reader.readHeader()), controls: controls)
        }
    }
}
