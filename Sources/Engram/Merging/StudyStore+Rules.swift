internal import EventCoding
internal import EventLog
internal import Hashing
internal import LMDB
internal import StudyModel
internal import Synchronization

extension StudyStore {
    /// What a payload is to the schema of its type, and whether its subject can be one of it.
    static func verdict(on header: borrowing EventHeader, payload: RawSpan) -> PayloadVerdict {
        do throws(ByteError) {
            guard let event = try StudyEvent.decode(header, payload: payload) else { return .unknown }
            let subject = header.subject
            guard event.hasSubject || subject == .none else { return .wrongSubject }
            return .valid(texts: event.erasableByteCount(version: header.version))
        } catch { return .invalid(error) }
    }

    /// Tries once, before the first action of an open store, whether commits that are held aside fit by now: a newer program may know
    /// what the one that held them aside didn't. That it fails is no matter of the action.
    func tryHeldAside(at moment: ZonedTime) {
        guard !hasTriedHeldAside.exchange(true, ordering: .relaxed), log.storedFormat == CommitLog.format else { return }
        let isWorthIt = try? log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            guard try log.heldAsideCount(transaction) > 0 else { return false }
            return try !log.wasHeldAsideTried(by: Self.knowledge, transaction)
        }
        guard isWorthIt == true, (try? take(at: moment, path: path, reading: { _ in })) != nil else { return }
        try? log.write { (transaction: inout WriteTransaction) throws(LogError) in
            try log.setHeldAsideTried(by: Self.knowledge, &transaction)
        }
    }

    /// Names what this program can read: its format, and every type of event with its version.
    private static let knowledge: [UInt8] = {
        let kinds = StudyEventKind.allCases.map { "\($0.rawValue):\($0.currentVersion)" }
        return uniqueID(namespace: "what is known", ["\(Commit.format)"] + kinds).description.utf8.map(\.self)
    }()
}
