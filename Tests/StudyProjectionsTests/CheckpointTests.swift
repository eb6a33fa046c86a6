import EngramTesting
import EventCoding
import Scheduling
import StudyModel
import StudyProjections
import Testing

struct CheckpointTests {
    /// Some of everything, the same for ever.
    private static let log = {
        var shape = HistoryShape()
        shape.events = 250...250
        var generator = SeededGenerator(seed: 0xC4EC)
        return MemoryLog(HistoryGenerator(shape).history(using: &generator))
    }()

    /// So many cards, each reset once.
    private static func reset(_ count: Int) -> MemoryLog {
        MemoryLog(
            (0..<count).map { number in
                HistoryEvent(
                    .cardReset(CardReset()), id: EventID(origin: OriginID(rawValue: 1), number: UInt64(number + 1000)),
                    subject: UniqueID(high: 1, low: UInt64(number)), at: ZonedTime(wallMilliseconds: 0, zoneMinutes: 0),
                    logicalTime: LogicalTime(rawValue: Int64(number)))
            })
    }

    private static func read(_ blocks: [[UInt8]]) throws(CheckpointError) -> StudyState {
        let state = try StudyState(checkpoint: { blocks.indices.contains($0) ? blocks[$0] : nil }, cards: BlockList(blocks))
        if let fault = state.loadCards() { throw .malformed(fault) }
        return state
    }

    /// Where one of these changes, a checkpoint or a digest of before means something else: raise `checkpointVersion` or
    /// `digestVersion`. (Or the generator of histories changed.)
    @Test func theBytesOfAStateStay() {
        let sums = ([Self.log.canonical] + Self.log.state.checkpoint()).map { String(fastChecksum($0.rawSpan), radix: 16) }
        #expect(sums == ["df43d9e2183db0b3", "7a64387e93a6778e", "85f418a864d7f2c8"])
    }

    /// The digests of small histories, which stay as well.
    @Test func theDigestsOfSmallHistoriesStay() throws {
        let made = [
            event(.deckCreated(DeckCreated(title: "Words")), 1, about: deck, hours: 0),
            event(.cardCreated(CardCreated(deck: deck, front: "a", back: "b")), 2, hours: 0), event(review(.good), 3, hours: 1),
        ]
        let forgotten = UniqueID(high: 1, low: 1)
        let more = made + [event(review(.again), 4, about: forgotten, hours: 1), event(.cardErased(CardErased()), 5, hours: 2)]
        let intervals = try ConfiguredScheduler(spec: "fixed")
        let favourite = event(.favouriteSet(FavouriteSet(kind: .word, on: true)), 1, hours: 1)
        let wrong = event(.questionAnswered(QuestionAnswered(quiz: deck, question: deck, chosen: 0, correct: false)), 2, hours: 2)
        let logs = [
            MemoryLog(), MemoryLog(made), MemoryLog(more), MemoryLog(more, overriding: intervals),
            MemoryLog(Array(made.dropLast()), overriding: intervals), MemoryLog([favourite]), MemoryLog([wrong]),
        ]
        let sums = logs.map { String(fastChecksum($0.canonical.rawSpan), radix: 16) }
        #expect(
            sums == [
                "a05335b2794f0504", "9c8a29dd8e5b925a", "d8d2313f3d06fc3e", "420eb89cabc8dbbc", "6f74d7b42e3ee907", "1d131be93c7f4665",
                "6a794b4e596412bf",
            ])
        var withoutTexts: [UInt8] = []
        logs[1].state.writeCanonical(texts: { _ in nil }) { withoutTexts += $0.copied() }
        #expect(String(fastChecksum(withoutTexts.rawSpan), radix: 16) == "327c7ec9ebd1ffb")
    }

    /// A fold keeps the times of a list that a word has left; so does a checkpoint.
    @Test func whatLeftAListReadsBackAsWell() throws {
        let on = event(.favouriteSet(FavouriteSet(kind: .word, on: true)), 1, hours: 1)
        let wrong = event(.questionAnswered(QuestionAnswered(quiz: deck, question: deck, chosen: 0, correct: false)), 2, hours: 2)
        let off = event(.favouriteSet(FavouriteSet(kind: .word, on: false)), 3, hours: 3)
        let dismissed = event(.mistakeDismissed(MistakeDismissed(kind: .word)), 4, hours: 4)
        for events in [[on, wrong], [on, wrong, off], [on, wrong, dismissed]] {
            let state = MemoryLog(events).state
            #expect(try Self.read(state.checkpoint()).differences(from: state).isEmpty)
        }
    }

    @Test func digestsComeInPiecesOfWholeRows() {
        let sizes = [0, 2000, 4000].map { count in
            var pieces: [Int] = []
            Self.reset(count).state.writeCanonical(texts: { _ in nil }) { pieces.append($0.byteCount) }
            #expect(pieces.allSatisfy { $0 <= 60_100 } && pieces.count == (count == 4000 ? 2 : 1), "\(pieces)")
            return pieces.reduce(0, +)
        }
        // Their number takes a byte more.
        #expect(sizes[2] - sizes[1] == sizes[1] - sizes[0] - 1)
    }

    @Test func aSchedulerThatIsKnownNowNeedsAnotherCheckpoint() {
        let unknown = SchedulerConfigured(scheduler: "sm2", revision: 1, parameters: [])
        let blocks = MemoryLog([event(.schedulerConfigured(unknown), 1, about: .none, hours: 0)]).state.checkpoint()
        #expect(throws: Never.self) { try Self.read(blocks) }
        #expect(throws: CheckpointError.otherVersion) {
            try StudyState(
                from: StudyState(schedulers: KnownSchedulers(adding: [Learned.self])),
                checkpoint: { blocks.indices.contains($0) ? blocks[$0] : nil }, cards: BlockList(blocks))
        }
    }

    @Test func aCheckpointReadsBackAsTheStateThatWroteIt() throws {
        let state = Self.log.state
        let again = try Self.read(state.checkpoint())
        #expect(again.checkpoint() == state.checkpoint() && again.differences(from: state).isEmpty)
        #expect(Self.log.canonical(of: again) == Self.log.canonical)
        #expect([again.unknownEvents, again.unreadableEvents] == [state.unknownEvents, state.unreadableEvents])
    }

    @Test func settingsKeepTheirKeys() throws {
        let setting = event(.dayConfigured(DayConfigured(rolloverHour: 3)), 1, 1, about: .none, hours: 0, key: 4)
        let state = MemoryLog([setting]).state
        let again = try Self.read(state.checkpoint())
        #expect(again.rules.settings == state.rules.settings && again.rules.settings.first?.header == setting.header)
    }

    @Test func cardsLieInBlocksOf512() throws {
        for (count, sizes) in [(0, []), (1, [1]), (512, [512]), (513, [512, 1])] {
            let blocks = Self.reset(count).state.checkpoint()
            // Rows of cards that went through the same are of one size.
            let row = blocks.dropFirst().first.map { $0.count / (sizes.first ?? 1) } ?? 0
            #expect(blocks.dropFirst().map { $0.count / row } == sizes)
            #expect(try Self.read(blocks).knownCards.count == count)
        }
    }

    @Test func whatIsNoCheckpointIsRefused() throws {
        let blocks = Self.log.state.checkpoint()
        var newer = blocks
        newer[0][0] += 1
        for wrong in [[], newer] { #expect(throws: CheckpointError.otherVersion) { try Self.read(wrong) } }
        for (wrong, fault) in [
            ([blocks[0]], ByteError(.truncated, offset: 0)),
            (blocks.dropLast() + [blocks[1] + blocks[1]], ByteError(.badChecksum, offset: 0)),
            ([blocks[0] + [0]] + blocks.dropFirst(), ByteError(.trailingBytes, offset: blocks[0].count)),
        ] {
            #expect(throws: CheckpointError.malformed(fault)) { try Self.read(wrong) }
        }
        #expect(throws: CheckpointError.self) { try Self.read([blocks[0], blocks[1] + [0]]) }
        // More days than there are bytes.
        var lying = StudyState().checkpoint()
        lying[0][25] = 0x7F
        #expect(throws: CheckpointError.malformed(ByteError(.badLength, offset: 25))) { try Self.read(lying) }
        for count in stride(from: 4, to: blocks[0].count, by: 41) {
            #expect(throws: CheckpointError.self, "\(count) bytes") { try Self.read([Array(blocks[0].prefix(count))] + blocks.dropFirst()) }
        }
        for count in stride(from: 1, to: blocks[1].count, by: 23) {
            #expect(throws: CheckpointError.self, "\(count) bytes") { try Self.read([blocks[0], Array(blocks[1].prefix(count))]) }
        }
    }
}
