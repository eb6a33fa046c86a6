package import EventCoding
internal import Hashing

/// What an event means for the texts of others: this room doesn't know payloads.
package enum ErasureEffect: Hashable, Sendable {
    /// The texts of what it is about are to be gone.
    case erases
    /// That event doesn't count, unless it was released.
    case holds(EventID)
    /// That event counts, although it was held back.
    case releases(EventID)
}

/// Whose texts are to be gone, by everything that a survey found: an event that erases, wherever it lies, and any copy of an event whose
/// texts were erased. They are left out before anything is written.
struct SalvageErasures {
    private(set) var subjects: Set<UniqueID> = []

    init(_ survey: SalvageSurvey, _ rules: ReferenceRules) {
        var erasing: [EventID: UniqueID] = [:]
        var held: Set<EventID> = []
        var released: Set<EventID> = []
        func note(_ frame: RawSpan) {
            guard let event = try? Commit.Frame(frame, at: 0).event() else { return }
            let header = event.header
            if header.isErased { subjects.insert(header.subject) }
            switch rules.effect(header, event.payload) {
            case .erases: erasing[header.id] = header.subject
            case .holds(let target): held.insert(target)
            case .releases(let target): released.insert(target)
            case nil: break
            }
        }
        for commit in survey.commits {
            let bytes = survey.bytes(at: commit.place)
            for event in SalvageSelection.events(of: commit, in: bytes) {
                let start = event.place.offset - commit.place.offset
                note(bytes.rawSpan.extracting(start..<start + event.place.length))
            }
        }
        for event in survey.events { note(survey.bytes(at: event.place).rawSpan) }
        for (event, subject) in erasing where !held.contains(event) || released.contains(event) { subjects.insert(subject) }
    }

    /// An event that is written anew, without its texts where they are to be gone, and else with the mark that its schema gives it.
    func applied(
        to event: NewEvent, _ header: EventHeader, _ payload: RawSpan, _ rules: ReferenceRules, random: () -> UInt64
    ) -> NewEvent {
        guard !header.isErased else { return event }
        var mark: (count: Int, salt: UniqueID)?
        if case .possible(let count, let salt)? = event.erasure { mark = (count, salt) }
        let count = rules.texts.count(header, payload) ?? mark?.count ?? 0
        var event = event
        guard count > 0, count <= event.payload.count else {
            event.erasure = nil
            return event
        }
        let salt = mark?.salt ?? UniqueID(high: random(), low: random())
        guard subjects.contains(header.subject) else {
            event.erasure = .possible(count: count, salt: salt)
            return event
        }
        var hasher = SHA256Hasher()
        hasher.update(salt.bytes)
        hasher.update(Array(event.payload.suffix(count)))
        event.payload.removeLast(count)
        event.erasure = .done(hasher.finish())
        return event
    }
}
