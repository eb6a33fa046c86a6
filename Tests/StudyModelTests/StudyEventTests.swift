import EventCoding
import JSONText
import SchemaGeneration
import StudyModel
import Testing

@Suite struct StudyEventTests {
    /// The schema alone makes a payload in both forms; the library must read both as one event, and write both again.
    @Test func bothFormsOfAnEventAreOne() throws {
        try SchemaFixture.forEachCase { schema, generator, place in
            let sample = schema.sample(.random, version: schema.version, using: &generator)
            let event = try #require(try decode(schema, sample.bytes), place)
            #expect(event.name == schema.name && event.type.rawValue == schema.number && event.version == schema.version, place)
            #expect(event.encodedPayload() == sample.bytes, place)
            #expect(event.json() == sample.json, place)
            // Through the text of JSON, as an export and an import have it.
            let fromJSON = try decode(schema, try JSONValue(parsing: sample.json.bytes()))
            #expect(fromJSON == event, place)
            #expect(fromJSON?.encodedPayload() == sample.bytes, place)
            #expect(throws: Never.self, place) { try event.validate() }
        }
    }

    /// Damaged bytes are a fault or another event, never a crash; and no two payloads state one event.
    @Test func damagedPayloadsNeverCrash() throws {
        var accepted = 0
        var refused = 0
        try SchemaFixture.forEachCase { schema, generator, place in
            var bytes = schema.sample(.random, version: schema.version, using: &generator).bytes
            switch generator.next() % 4 {
            case 0: bytes = (0..<(generator.next() % 64)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            case 1: bytes.removeLast(min(bytes.count, 1 + Int(generator.next() % 8)))
            case 2: bytes.append(UInt8(truncatingIfNeeded: generator.next()))
            default:
                if !bytes.isEmpty { bytes[Int(generator.next() % UInt64(bytes.count))] ^= 1 << UInt8(generator.next() % 8) }
            }
            do {
                let event = try #require(try decode(schema, bytes), place)
                #expect(event.encodedPayload() == bytes, place)
                #expect(throws: Never.self, place) { try event.validate() }
                accepted += 1
            } catch let fault as ByteError {
                #expect((0...bytes.count).contains(fault.offset), place)
                refused += 1
            }
        }
        #expect(accepted > 0 && refused > 0)
    }

    /// A skim says what the event says, and refuses what it refuses.
    @Test func skimsAgreeWithEvents() throws {
        try SchemaFixture.forEachCase { schema, generator, place in
            guard schema.hasSkim, let kind = StudyEventKind(name: schema.name) else { return }
            var bytes = schema.sample(.random, version: schema.version, using: &generator).bytes
            if generator.next() & 1 == 0 { bytes[Int(generator.next() % UInt64(bytes.count))] ^= 0x81 }
            func text(_ place: TextPlace) -> String {
                String(decoding: bytes[Int(place.offset)..<Int(place.offset) + Int(place.byteCount)], as: UTF8.self)
            }
            let event = try? decode(schema, bytes)
            var reader = ByteReader(unsafe bytes.span.bytes)
            var skimmed: StudyEvent?
            do {
                switch kind {
                case .cardCreated:
                    let skim = try CardCreated.Skim(decoding: &reader, version: 1)
                    try reader.finish()
                    skimmed = .cardCreated(CardCreated(deck: skim.deck, front: text(skim.front), back: text(skim.back)))
                case .cardEdited:
                    let skim = try CardEdited.Skim(decoding: &reader, version: 1)
                    try reader.finish()
                    skimmed = .cardEdited(CardEdited(front: skim.front.map(text), back: skim.back.map(text)))
                case .deckCreated:
                    let skim = try DeckCreated.Skim(decoding: &reader, version: 1)
                    try reader.finish()
                    skimmed = .deckCreated(DeckCreated(title: text(skim.title), colour: skim.colour))
                default: Issue.record("\(schema.name) has a skim that is not tested here")
                }
            } catch is ByteError {}
            #expect(skimmed == event, place)
            #expect(skimmed?.encodedPayload() == event?.encodedPayload(), place)
        }
    }

    /// What this program can't know, it leaves alone.
    @Test func unknownTypesAndNewerVersionsAreNoFault() throws {
        let junk: [UInt8] = [0xFF, 0xFF, 0xFF]
        let known = Set(StudyEventKind.allCases.map(\.rawValue))
        for number in [0, 5, 15, 258, 260, 1000, UInt16.max] where !known.contains(number) {
            let type = EventType(rawValue: number)
            #expect(try StudyEvent.decode(type: type, version: 1, payload: unsafe junk.span.bytes) == nil)
            #expect(try StudyEvent.decode(type: type, version: 1, json: .null) == nil)
            #expect(StudyEvent.name(of: type) == nil)
        }
        for kind in StudyEventKind.allCases {
            #expect(try StudyEvent.decode(type: kind.type, version: kind.currentVersion + 1, payload: unsafe junk.span.bytes) == nil)
            #expect(try StudyEvent.decode(type: kind.type, version: .max, json: .null) == nil)
            #expect(throws: ByteError(.unknownFormat, offset: 0)) {
                try StudyEvent.decode(type: kind.type, version: 0, payload: unsafe junk.span.bytes)
            }
            let fault = #expect(throws: SchemaError.self) { try StudyEvent.decode(type: kind.type, version: 0, json: .object([])) }
            #expect(fault?.kind == .badVersion)
            #expect(StudyEvent.type(named: kind.name) == kind.type)
            #expect(StudyEvent.name(of: kind.type) == kind.name)
        }
        #expect(StudyEvent.type(named: "card_forgotten") == nil)
        #expect(StudyEventKind.allCases.count == 33)
    }

    @Test func aPayloadIsTheWholeOfItsBytes() throws {
        let held = EventHeld(target: EventID(origin: OriginID(rawValue: 1), number: 2), reason: .aheadOfClock)
        let bytes = StudyEvent.eventHeld(held).encodedPayload()
        let again = try EventHeld.decode(bytes.rawSpan, version: 1)
        #expect(again == held)
        let more = bytes + [0]
        #expect(throws: ByteError(.trailingBytes, offset: bytes.count)) { try EventHeld.decode(more.rawSpan, version: 1) }
    }

    @Test func settingsAndImportsAreAboutNothing() throws {
        for schema in try SchemaFixture.schemas().events {
            var generator = SplitMix64(seed: 1)
            let event = try #require(try decode(schema, schema.sample(.most, version: schema.version, using: &generator).bytes))
            let isAboutNothing = ["scheduler_configured", "day_configured", "history_imported"].contains(schema.name)
            #expect(event.hasSubject != isAboutNothing, "\(schema.name)")
        }
    }

    private static let deck = String(repeating: "0", count: 32)

    /// Type, version, whether its texts were erased, payload, and whether no text of anybody is left in it for sure.
    private static let erasable: [(kind: UInt16, version: UInt8, isErased: Bool, hex: String, isFree: Bool)] = [
        (StudyEventKind.cardReviewed.rawValue, 1, false, "0100", true), (StudyEventKind.cardReviewed.rawValue, 1, true, "0100", false),
        (StudyEventKind.cardReviewed.rawValue, 1, false, "01", false), (StudyEventKind.cardReviewed.rawValue, 9, false, "0100", false),
        (StudyEventKind.cardDeleted.rawValue, 1, false, "", true), (StudyEventKind.cardDeleted.rawValue, 9, false, "", false),
        (StudyEventKind.cardCreated.rawValue, 1, false, deck + "01610162", false),
        (StudyEventKind.cardCreated.rawValue, 1, false, deck + "0000", false),
        (StudyEventKind.cardCreated.rawValue, 1, true, deck, true), (StudyEventKind.cardCreated.rawValue, 1, true, deck + "0161", false),
        (StudyEventKind.cardCreated.rawValue, 9, true, deck, true), (StudyEventKind.cardCreated.rawValue, 0, true, deck, true),
        (StudyEventKind.cardCreated.rawValue, 9, false, deck, false), (StudyEventKind.cardCreated.rawValue, 0, false, deck, false),
        (StudyEventKind.cardEdited.rawValue, 1, true, "", true),
        (StudyEventKind.cardEdited.rawValue, 1, true, "01", false), (60_000, 1, true, "", false), (60_000, 1, false, "", false),
    ]

    @Test(arguments: erasable)
    func whatHoldsNoTextIsKnown(kind: UInt16, version: UInt8, isErased: Bool, hex: String, isFree: Bool) throws {
        let header = EventHeader(
            type: EventType(rawValue: kind), version: version, zoneMinutes: 0, id: EventID(origin: OriginID(rawValue: 1), number: 1),
            logicalTime: LogicalTime(rawValue: 0), wallMilliseconds: 0, subject: .none, isErased: isErased)
        let payload = try #require(bytes(hexadecimal: hex))
        let found = StudyEvent.isFreeOfTexts(header, payload: payload.rawSpan)
        #expect(found == isFree)
    }

    /// Type, version, payload, and how many bytes of its end may be erased.
    @Test(
        arguments: [
            (StudyEventKind.cardCreated.rawValue, 1, deck + "01610162", 4), (StudyEventKind.cardCreated.rawValue, 1, deck + "0000", 2),
            (StudyEventKind.cardCreated.rawValue, 1, deck + "01", 0), (StudyEventKind.cardCreated.rawValue, 9, deck + "01610162", 0),
            (StudyEventKind.cardEdited.rawValue, 1, "01016100", 4), (StudyEventKind.cardReviewed.rawValue, 1, "0100", 0),
            (60_000, 1, "", 0),
        ] as [(UInt16, UInt8, String, Int)])
    func textsAtTheEndMayBeErased(kind: UInt16, version: UInt8, hex: String, count: Int) throws {
        let payload = try #require(bytes(hexadecimal: hex))
        let found = StudyEvent.erasableByteCount(type: EventType(rawValue: kind), version: version, payload: payload.rawSpan)
        #expect(found == count)
    }

    /// Payloads that break a rule of one field each, and the offset of what breaks it.
    static let badBytes: [(event: StudyEventKind, hex: String, fault: ByteError)] = [
        (.cardReviewed, "", ByteError(.truncated, offset: 0)),
        (.cardReviewed, "0000", ByteError(.badValue, offset: 0)),
        (.cardReviewed, "0500", ByteError(.badValue, offset: 0)),
        (.cardReviewed, "0102", ByteError(.badValue, offset: 1)),
        (.cardReviewed, "0101", ByteError(.truncated, offset: 2)),
        (.cardReviewed, "01018100", ByteError(.badVariableInteger, offset: 2)),
        // 86,400,001 ms: more than a day.
        (.cardReviewed, "010181b89929", ByteError(.badValue, offset: 2)),
        (.cardReviewed, "010000", ByteError(.trailingBytes, offset: 2)),
        (.dayConfigured, "18", ByteError(.badValue, offset: 0)),
        (.deckRenamed, "01ff", ByteError(.badText, offset: 0)),
        (.deckRenamed, "02c3", ByteError(.truncated, offset: 1)),
        (.deckRenamed, "818004", ByteError(.badLength, offset: 0)),
        (.deckRecoloured, "0180808008", ByteError(.badValue, offset: 1)),
        (.actionVoided, "000000000000000000", ByteError(.badValue, offset: 8)),
        (.actionVoided, "0000000000000000" + "80808080808080808001", ByteError(.badValue, offset: 8)),
        // Days after 9999-12-31 and before 0001-01-01.
        (.cardPlaced, "0000" + "c282e602" + "0000" + "00" + "00", ByteError(.badValue, offset: 2)),
        (.cardPlaced, "0000" + "f5e457" + "0000" + "00" + "00", ByteError(.badValue, offset: 2)),
        // Five parameters in two bytes.
        (.schedulerConfigured, "0000" + "05" + "0000", ByteError(.truncated, offset: 3)),
        // Numbers from 2^63 up have no place in JSON.
        (.quizFinished, "8080808080808080800100", ByteError(.badValue, offset: 0)),
        (.sessionStarted, "0105", ByteError(.truncated, offset: 2)),
        (.sessionStarted, "01818004", ByteError(.badLength, offset: 1)),
        (.favouriteSet, "0102", ByteError(.badValue, offset: 1)),
        (.cardDeleted, "00", ByteError(.trailingBytes, offset: 0)),
    ]

    @Test(arguments: badBytes) func badPayloadsArePlaced(kind: StudyEventKind, hex: String, fault: ByteError) throws {
        let payload = try #require(bytes(hexadecimal: hex))
        #expect(throws: fault) { try StudyEvent.decode(type: kind.type, version: 1, payload: unsafe payload.span.bytes) }
    }
}
