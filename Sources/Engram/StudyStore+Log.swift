public import EventCoding
internal import EventLog
internal import Hashing
public import JSONText
internal import LMDB
public import StudyModel

/// An event of the log in its open form.
public struct LoggedEvent: Sendable {
    /// Sequence number of its commit, in the order of arrival in this store.
    public let sequence: UInt64
    /// Its identity.
    public let event: EventID
    /// Name of its type, or `type_N` where this program doesn't know it.
    public let type: String
    /// Version of its schema.
    public let version: Int
    /// Its hybrid logical time: milliseconds times 65,536, plus a counter.
    public let logicalTime: Int64
    /// When it happened.
    public let at: ZonedTime
    /// What it is about.
    public let subject: UniqueID
    /// What an imported row says, digested.
    public let key: UniqueID?
    /// What of its payload may be erased one day, or was.
    public let erasure: Erasure?
    /// What it states; of a type or version that this program doesn't know, `{"bytes": "…"}` in hexadecimal digits.
    public let payload: JSONValue
    /// The commit that it begins, where it is the first event of one.
    public let commit: CommitNote?

    /// What the first event of a commit says of it in the open form, so that the commit can be made again, digest for digest.
    public struct CommitNote: Hashable, Sendable {
        /// The form of its bytes, and the rule of its digest.
        public let format: UInt8
        /// Number of the commit in its origin.
        public let number: UInt64
        /// Number of its events.
        public let events: Int
        /// Digest of the origin's history up to it.
        public let digest: SHA256Digest
        /// The key that the caller gave the action.
        public let key: UniqueID?
        /// Where texts without a mark were erased, so that the digest can't be computed again: the digest of what is left.
        public let withdrawal: SHA256Digest?
    }

    /// One line of NDJSON, without its end.
    public func line() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("sequence")
        writer.value(sequence)
        writer.key("event")
        writer.value(event.description)
        writer.key("type")
        writer.value(type)
        writer.key("version")
        writer.value(version)
        writer.key("logical_time")
        writer.value(logicalTime)
        writer.key("at")
        writer.value(at.iso)
        writer.key("subject")
        writer.value(subject.description)
        if let key {
            writer.key("key")
            writer.value(key.description)
        }
        switch erasure {
        case .possible(let count, let salt):
            writer.key("erasable")
            writer.value(count)
            writer.key("salt")
            writer.value(salt.description)
        case .done(let digest):
            writer.key("erased")
            writer.value(digest.description)
        case nil: break
        }
        writer.key("payload")
        writer.write(payload)
        if let commit {
            writer.key("commit")
            writer.beginObject()
            if commit.format > Commit.oldestFormat {
                writer.key("format")
                writer.value(Int64(commit.format))
            }
            writer.key("number")
            writer.value(commit.number)
            writer.key("events")
            writer.value(commit.events)
            writer.key("digest")
            writer.value(commit.digest.description)
            if let key = commit.key {
                writer.key("key")
                writer.value(key.description)
            }
            if let withdrawal = commit.withdrawal {
                writer.key("withdrawn")
                writer.value(withdrawal.description)
            }
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }
}

extension StudyStore {
    /// Hands over the events of the log in the order of their arrival, until `body` says false.
    ///
    /// - Parameters:
    ///   - sequence: only those of commits after it; none where the log ends before.
    ///   - types: only those of these types; all where there are none.
    ///   - body: takes an event, and says whether to go on.
    public func events(
        since sequence: UInt64 = 0, types: Set<String> = [], _ body: (LoggedEvent) -> Bool
    ) throws(StoreError) {
        guard sequence < .max else { return }
        do throws(LogError) {
            try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                try log.forEveryCommit(from: sequence + 1, transaction) { (number, commit) throws(LogError) in
                    try Self.open(commit, sequence: number) { types.isEmpty || types.contains($0.type) ? body($0) : true }
                }
            }
        } catch { throw StoreError(error, path: path) }
    }

    /// Hands over the whole log as lines of NDJSON, without their ends, until `write` says false.
    ///
    /// `importLog(path:at:nextLine:)` makes the same log of them again, digest for digest. Each commit is proved first, since
    /// it would be refused there. Commits that are held aside come last, as bytes.
    /// - Throws: ``StoreError/damaged(path:place:why:)`` at the first commit that isn't what was written.
    public func exportLog(_ write: (_ line: [UInt8]) -> Bool) throws(StoreError) {
        do throws(LogError) {
            try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                var chains = CommitChains()
                var goesOn = true
                try log.forEveryCommit(transaction) { (sequence, commit) throws(LogError) in
                    try chains.prove(commit, sequence: sequence)
                    goesOn = try Self.lines(of: commit, sequence: sequence).allSatisfy(write)
                    return goesOn
                }
                guard goesOn else { return }
                try log.forEachHeldAside(transaction) { (_, held) throws(LogError) in
                    held.map { HeldAsideParts.lines(of: $0).allSatisfy(write) } ?? true
                }
            }
        } catch { throw StoreError(error, path: path) }
    }

    /// The lines of a commit: its events or, where one of them has no open form that leads back to it, the bytes.
    private static func lines(of commit: RawSpan, sequence: UInt64) throws(LogError) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var hasOpenForm = true
        _ = try open(commit, sequence: sequence) { event in
            let line = event.line()
            hasOpenForm = EventHeader.zoneRange.contains(event.at.zoneMinutes) && line.count <= LineLimit.bytes
            lines.append(line)
            return hasOpenForm
        }
        guard !hasOpenForm, let origin = try? Commit.origin(of: commit), let header = try? Commit.header(of: commit) else { return lines }
        return HeldAsideParts.lines(
            of: HeldCommit(
                origin: origin, number: header.number, reason: "no_open_form", message: "its events can't be written as lines",
                bytes: commit.copied()))
    }

    /// Hands over what can be read of the events of a store that a newer program wrote, in a format that this one doesn't know:
    /// those in commits that still have a form which it knows. Nothing is proved, and nothing is ever written to such a store.
    ///
    /// - Returns: how many commits couldn't be read.
    public static func events(
        ofNewerStoreAt path: String, since sequence: UInt64 = 0, _ body: (LoggedEvent) -> Bool
    ) throws(StoreError) -> Int {
        var unread = 0
        do throws(LogError) {
            let log = try CommitLog.open(path: path, companions: Self.companionDatabases, readOnly: true, anyFormat: true)
            try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                guard sequence < .max else { return }
                try log.forEachCommit(from: sequence + 1, transaction) { (number, commit) throws(LogError) in
                    do throws(LogError) { return try Self.open(commit, sequence: number, body) } catch {
                        guard case .malformed = error else { throw error }
                        unread += 1
                        return true
                    }
                }
            }
        } catch { throw StoreError(error, path: path) }
        return unread
    }

    /// Hands over the events of a commit in their open form; false once `body` says so.
    static func open(_ commit: RawSpan, sequence: UInt64, _ body: (LoggedEvent) -> Bool) throws(LogError) -> Bool {
        do throws(ByteError) {
            let header = try Commit.header(of: commit)
            var note: LoggedEvent.CommitNote? = LoggedEvent.CommitNote(header)
            var frames = Commit.frames(of: commit, header)
            while let frame = try frames.next() {
                let event = try frame.intactEvent()
                let opened = LoggedEvent(
                    event.header, payload: event.payload, erasure: frame.erasure, sequence: sequence, commit: note)
                guard body(opened) else { return false }
                note = nil
            }
            try frames.finish()
            return true
        } catch { throw .malformed(sequence: sequence, error) }
    }
}

extension LoggedEvent.CommitNote {
    init(_ header: Commit.Header) {
        self.init(
            format: header.format, number: header.number, events: header.eventCount, digest: header.digest, key: header.actionKey,
            withdrawal: header.withdrawal)
    }
}

extension LoggedEvent {
    init(_ header: EventHeader, payload: RawSpan, erasure: Erasure?, sequence: UInt64, commit: CommitNote?) {
        self.sequence = sequence
        event = header.id
        type = StudyEvent.name(of: header.type) ?? "type_\(header.type.rawValue)"
        version = Int(header.version)
        logicalTime = header.logicalTime.rawValue
        at = ZonedTime(wallMilliseconds: header.wallMilliseconds, zoneMinutes: header.zoneMinutes)
        subject = header.subject
        key = header.key
        self.erasure = erasure
        self.payload = Self.open(payload, header)
        self.commit = commit
    }

    /// The JSON form of a payload where it leads back to the same bytes, else the bytes themselves.
    private static func open(_ payload: RawSpan, _ header: EventHeader) -> JSONValue {
        let bytes = payload.copied()
        if let event = try? StudyEvent.decode(header, payload: payload) {
            let erased = header.isErased ? event.erasableByteCount(version: header.version) : 0
            if event.encodedPayload(version: header.version).dropLast(erased).elementsEqual(bytes) {
                return event.json(version: header.version)
            }
        }
        return .object([("bytes", .string(hexadecimal(bytes)))])
    }
}
