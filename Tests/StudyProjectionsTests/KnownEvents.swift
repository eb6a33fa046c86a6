import EngramTesting
import EventCoding
import Scheduling
import StudyModel

let card = UniqueID(high: 0xCA7D, low: 1)
let deck = UniqueID(high: 0xDEC, low: 1)

/// Event `number` of `origin`, as many hours after noon of 2024-03-01 UTC.
func event(
    _ stated: StudyEvent, _ origin: UInt64, _ number: UInt64, about subject: UniqueID = card, hours: Int64, key: UInt64? = nil
) -> HistoryEvent {
    let wall = 1_709_294_400_000 + hours * 3_600_000
    return HistoryEvent(
        stated, id: EventID(origin: OriginID(rawValue: origin), number: number), subject: subject,
        at: ZonedTime(wallMilliseconds: wall, zoneMinutes: 0), logicalTime: LogicalTime(rawValue: wall << 16),
        key: key.map { UniqueID(high: 7, low: $0) })
}

/// The same of origin 1.
func event(_ stated: StudyEvent, _ number: UInt64, about subject: UniqueID = card, hours: Int64) -> HistoryEvent {
    event(stated, 1, number, about: subject, hours: hours)
}

func header(of stated: StudyEvent, _ number: UInt64) -> EventHeader { event(stated, number, hours: 1).header }

func review(_ grade: Grade) -> StudyEvent { .cardReviewed(CardReviewed(grade: grade, tookMilliseconds: 1000)) }

func id(_ origin: UInt64, _ number: UInt64) -> EventID { EventID(origin: OriginID(rawValue: origin), number: number) }

func void(_ origin: UInt64, _ number: UInt64, key: UInt64? = nil) -> StudyEvent {
    .actionVoided(ActionVoided(target: id(origin, number), targetKey: key.map { UniqueID(high: 7, low: $0) }))
}

func hold(_ origin: UInt64, _ number: UInt64) -> StudyEvent {
    .eventHeld(EventHeld(target: id(origin, number), reason: .aheadOfClock))
}

/// A scheduler of somebody's own: every card is due a day after its answer, whatever that was.
struct Learned: Scheduler {
    static let name = "sm2"
    var revision: Int { 1 }
    var parameters: [(name: String, value: String)] { [] }
    init(revision: Int?, parameters: [(name: String, value: String)]) throws(SchedulerError) {}
    func newCard(on day: StudyDay) -> SchedulerMemory { SchedulerMemory() }
    func memory(after answer: Answer, from memory: SchedulerMemory) -> SchedulerMemory { memory }
    func memory(placed placement: Placement) -> SchedulerMemory { SchedulerMemory() }
    func interval(of memory: SchedulerMemory) -> Int { 1 }
    func figures(of memory: SchedulerMemory) -> [(name: String, value: Double)] { [] }
}
