import EventCoding
internal import EventCoding
import JSONText
import SchemaGeneration
import StudyModel
import Testing

@Suite struct SchemaFaultTests {
    /// JSON that breaks a rule, and the field that the fault must name.
    static let badJSON: [(event: StudyEventKind, json: String, kind: SchemaError.Kind, field: String)] = [
        (.cardReviewed, "3", .wrongType, ""),
        (.cardReviewed, "{}", .missingField, "grade"),
        (.cardReviewed, #"{"grade":"fine"}"#, .badValue, "grade"),
        (.cardReviewed, #"{"grade":3}"#, .wrongType, "grade"),
        (.cardReviewed, #"{"grade":"good","took_ms":-1}"#, .outOfRange, "took_ms"),
        (.cardReviewed, #"{"grade":"good","took_ms":86400001}"#, .outOfRange, "took_ms"),
        (.cardReviewed, #"{"grade":"good","took_ms":1.5}"#, .wrongType, "took_ms"),
        (.cardReviewed, #"{"grade":"good","took_ms":null}"#, .wrongType, "took_ms"),
        (.cardReviewed, #"{"grade":"good","Grade":"good"}"#, .unknownField, "Grade"),
        (.cardDeleted, #"{"reason":"none"}"#, .unknownField, "reason"),
        (.cardMoved, #"{"deck":"0123"}"#, .badValue, "deck"),
        (.cardMoved, #"{"deck":"00000000000000000000000000000000"}"#, .badValue, "deck"),
        (.actionVoided, #"{"target":"0123456789abcdef/0"}"#, .badValue, "target"),
        (.actionVoided, #"{"target":"0123456789abcdef/9223372036854775808"}"#, .outOfRange, "target"),
        (.dayConfigured, #"{"rollover_hour":24}"#, .outOfRange, "rollover_hour"),
        (.favouriteSet, #"{"kind":"deck","on":true}"#, .badValue, "kind"),
        (.favouriteSet, #"{"kind":"card","on":1}"#, .wrongType, "on"),
        (.packInstalled, #"{"name":"x","digest":"00","words":0,"questions":0,"types":0}"#, .badValue, "digest"),
        (.sessionStarted, #"{"mode":"free","decks":["x"],"seed":0}"#, .badValue, "decks[0]"),
        (.sessionStarted, #"{"mode":"free","decks":{},"seed":0}"#, .wrongType, "decks"),
        (
            .schedulerConfigured, #"{"scheduler":"boxes","revision":1,"parameters":[{"name":"count"}]}"#, .missingField,
            "parameters[0].value"
        ),
        (
            .schedulerConfigured, #"{"scheduler":"boxes","revision":1,"parameters":[{"name":"a","value":"b"},7]}"#, .wrongType,
            "parameters[1]"
        ),
    ]

    @Test(arguments: badJSON) func faultsNameTheField(event: StudyEventKind, json: String, kind: SchemaError.Kind, field: String) throws {
        let value = try JSONValue(parsing: Array(json.utf8))
        let fault = #expect(throws: SchemaError.self) { try StudyEvent.decode(type: event.type, version: 1, json: value) }
        #expect(fault?.event == event.name)
        #expect(fault?.kind == kind)
        #expect(fault?.field == field)
        #expect(fault?.description.hasPrefix(field.isEmpty ? "\(event.name) " : "\(event.name): \(field) ") == true)
    }

    /// No event has so many fields; the rest isn't even looked at.
    @Test func membersBehindTheFirst64AreUnknown() {
        let surplus = (1...64).map { (key: "x\($0)", value: JSONValue.null) }
        let grade = (key: "grade", value: JSONValue.string("good"))
        for (members, kind, field) in [
            ([grade] + surplus, SchemaError.Kind.unknownField, "x1"), (surplus + [grade], .missingField, "grade"),
        ] {
            let fault = #expect(throws: SchemaError.self) {
                try StudyEvent.decode(type: StudyEventKind.cardReviewed.type, version: 1, json: .object(members))
            }
            #expect(fault?.kind == kind && fault?.field == field)
        }
    }

    /// Every field of every type: absent, of another kind, and beside one that nobody knows.
    @Test func everyFieldIsHeldToItsSchema() throws {
        for schema in try SchemaFixture.schemas().events {
            var generator = SplitMix64(seed: UInt64(schema.number))
            let sample = schema.sample(.most, version: schema.version, using: &generator)
            let members = try #require(sample.json.objectValue)
            #expect(throws: SchemaError.self) { try decode(schema, .object(members + [("surplus", .null)])) }
            for (index, field) in schema.fields.enumerated() {
                var without = members
                without.remove(at: index)
                if field.isOptional {
                    #expect(try decode(schema, .object(without)) != nil)
                } else {
                    let fault = #expect(throws: SchemaError.self) { try decode(schema, .object(without)) }
                    #expect(fault?.kind == .missingField && fault?.field == field.name)
                }
                for wrong: JSONValue in [.null, .number(0.5), .object([("x", .null)])] {
                    var changed = members
                    changed[index].value = wrong
                    let fault = #expect(throws: SchemaError.self) { try decode(schema, .object(changed)) }
                    #expect(fault?.kind == .wrongType && fault?.field == field.name)
                }
            }
        }
    }

    /// Values that Swift's types allow and the schemas don't: they must be caught before they are written.
    @Test func valuesAreCheckedBeforeTheyAreWritten() throws {
        let long = String(repeating: "ä", count: 32_769)
        let id = UniqueID(high: 1, low: 2)
        let question = QuizQuestion(question: id, item: id, prompt: "", options: ["a", "b"], right: 2)
        let lonely = QuizQuestion(question: id, item: id, prompt: "", options: ["a"], right: 0)
        func quiz(_ question: QuizQuestion) -> StudyEvent {
            .quizStarted(QuizStarted(testType: "", seed: 0, questions: [question]))
        }
        func placed(_ day: Int64) -> StudyEvent {
            .cardPlaced(CardPlaced(levelHalfSteps: 0, intervalDays: 0, dueDay: day, passed: 0, failed: 0, source: ""))
        }
        let cases: [(event: StudyEvent, field: String)] = [
            (placed(2_932_897), "due_day"), (placed(-719_163), "due_day"),
            (.actionVoided(ActionVoided(target: EventID(origin: OriginID(rawValue: 1), number: 1 << 63))), "target"),
            (.deckRenamed(DeckRenamed(title: long)), "title"),
            (.cardEdited(CardEdited(back: long)), "back"),
            (.cardReviewed(CardReviewed(grade: .good, tookMilliseconds: 86_400_001)), "took_ms"),
            (.deckRecoloured(DeckRecoloured(colour: 0x100_0000)), "colour"),
            (.sessionStarted(SessionStarted(mode: .free, decks: [], seed: 1 << 63)), "seed"),
            (.sessionStarted(SessionStarted(mode: .free, decks: Array(repeating: id, count: 65_537), seed: 0)), "decks"),
            (.actionVoided(ActionVoided(target: EventID(origin: OriginID(rawValue: 1), number: 0))), "target"),
            (quiz(question), "questions[0].right"),
            (quiz(lonely), "questions[0].options"),
        ]
        for (event, field) in cases {
            let fault = #expect(throws: SchemaError.self) { try event.validate() }
            #expect(fault?.field == field)
            // What validation refuses wouldn't decode either.
            let bytes = event.encodedPayload()
            #expect(throws: ByteError.self) { try StudyEvent.decode(type: event.type, version: 1, payload: unsafe bytes.span.bytes) }
        }
        #expect(throws: Never.self) { try StudyEvent.deckRenamed(DeckRenamed(title: String(long.dropLast()))).validate() }
    }
}
