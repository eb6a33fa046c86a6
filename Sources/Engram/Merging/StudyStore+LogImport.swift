internal import EventCoding
internal import EventLog
internal import Hashing
internal import JSONText
internal import LMDB
public import StudyModel

extension StudyStore {
    /// Takes in the lines that `exportLog(_:)` made, here or on another device: the union of both logs.
    ///
    /// Each commit must prove itself, digest included; nothing is taken where one doesn't. The lines are read to their end before the
    /// store is locked for writing, however slowly they come.
    /// - Parameters:
    ///   - path: the file's name, for messages.
    ///   - moment: the time of the import; events that lie more than a day ahead of it are held back.
    ///   - nextLine: gives each line without its end, and `nil` at the end. Where it throws, nothing is taken.
    /// - Throws: ``StoreError/badInput(path:place:why:)`` with the number of the line.
    public func importLog(
        path: String, at moment: ZonedTime, nextLine: () throws(StoreError) -> [UInt8]?
    ) throws(StoreError) -> MergeReport {
        try take(at: moment, path: path) { (incoming) throws(StoreError) in
            var reader = CommitAssembler(path: path)
            while let line = try nextLine() {
                try inLog(storage(Interruption.check()))
                switch try reader.take(line) {
                case nil: continue
                case .commit(let commit)?: try incoming.take(commit.rawSpan, at: "line \(reader.firstLine)")
                case .aside(let held)?: try incoming.keep(aside: held)
                }
            }
            try reader.finish()
            try incoming.takeKept()
        }
    }

    /// Takes in what comes on standard input, as `importLog(path:at:nextLine:)` does; `name` is what messages call it.
    public func importLog(standardInputNamed name: String, at moment: ZonedTime) throws(StoreError) -> MergeReport {
        let lines = try LineReader(standardInputNamed: name)
        return try importLog(path: name, at: moment) { () throws(StoreError) in try lines.next() }
    }
}

/// Puts commits together again from the open form of their events.
private struct CommitAssembler {
    /// What a line completes.
    enum Product {
        case commit([UInt8])
        case aside(HeldCommit)
    }

    let path: String
    private var line = 0
    /// Number of the line on which the present commit began.
    private(set) var firstLine = 0
    private var note: LoggedEvent.CommitNote?
    private var frames = ByteWriter()
    private var count = 0
    private var traits = Commit.Traits()
    private var parts = HeldAsideParts()

    init(path: String) { self.path = path }

    func fault(_ line: Int, _ why: String) -> StoreError { .badInput(path: path, place: "line \(line)", why: why) }

    /// Takes the next line; a commit once its last event came.
    mutating func take(_ bytes: [UInt8]) throws(StoreError) -> Product? {
        line += 1
        if bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }) { return nil }
        if let why = LineLimit.violation(of: bytes) { throw fault(line, why) }
        let object: JSONValue
        do throws(JSONError) { object = try JSONValue(parsing: bytes) } catch {
            throw fault(line, "column \(error.column): \(error.message)")
        }
        guard case .object = object else { throw fault(line, "an event should be a JSON object") }
        if let part = object[HeldAsideParts.field] {
            guard note == nil else { throw fault(line, "the commit of line \(firstLine) has not all its events yet") }
            do throws(HeldAsideParts.PartsError) { return try parts.take(part).map { .aside($0) } } catch { throw fault(line, error.why) }
        }
        guard parts.isEmpty else { throw fault(line, "a part of the commit that is held aside is missing before it") }
        try begin(object)
        guard let note else { throw fault(line, "the field \"commit\" is missing, and no commit is under way") }
        try append(object)
        guard count == note.events else { return nil }
        let commit = Commit.assemble(
            digest: note.digest, format: note.format, number: note.number, frames: frames.bytes, eventCount: count, traits: traits,
            actionKey: note.key, withdrawal: note.withdrawal)
        self.note = nil
        return .commit(commit)
    }

    func finish() throws(StoreError) {
        if let note { throw fault(firstLine, "the commit has \(note.events) events, and only \(count) of them came") }
        guard parts.isEmpty else { throw fault(line, "the last part of the commit that is held aside is missing") }
    }

    private mutating func begin(_ object: JSONValue) throws(StoreError) {
        guard let commit = object["commit"] else { return }
        guard note == nil else { throw fault(line, "a commit begins before the one of line \(firstLine) has all its events") }
        guard let number = commit["number"]?.integerValue, number > 0 else { throw wrong("commit.number", "a number from 1 up") }
        guard let events = commit["events"]?.integerValue, (1...Int64(Commit.maximumEvents)).contains(events) else {
            throw wrong("commit.events", "a number from 1 to \(Commit.maximumEvents)")
        }
        guard let digest = commit["digest"]?.stringValue.flatMap({ SHA256Digest($0) }) else {
            throw wrong("commit.digest", "64 hexadecimal digits")
        }
        // Files of the first release don't name their format.
        let known = Int64(Commit.oldestFormat)...Int64(Commit.format)
        guard let format = commit["format"] == nil ? known.lowerBound : commit["format"]?.integerValue, known.contains(format) else {
            throw wrong("commit.format", "a format from \(known.lowerBound) to \(known.upperBound); a newer engram reads newer ones")
        }
        var withdrawal: SHA256Digest?
        if let value = commit["withdrawn"] {
            withdrawal = value.stringValue.flatMap { SHA256Digest($0) }
            guard withdrawal != nil else { throw wrong("commit.withdrawn", "64 hexadecimal digits") }
        }
        note = LoggedEvent.CommitNote(
            format: UInt8(format), number: UInt64(number), events: Int(events), digest: digest, key: try key(commit, "commit.key"),
            withdrawal: withdrawal)
        firstLine = line
        frames.removeAll()
        count = 0
        traits = Commit.Traits()
    }

    private func wrong(_ field: String, _ allowed: String) -> StoreError { fault(line, "\(field) is missing or isn't \(allowed)") }

    private func key(_ object: JSONValue, _ field: String) throws(StoreError) -> UniqueID? {
        guard let value = object["key"] else { return nil }
        guard let key = value.stringValue.flatMap({ UniqueID($0) }) else { throw wrong(field, "a UUID") }
        return key
    }

    private mutating func append(_ object: JSONValue) throws(StoreError) {
        guard let id = object["event"]?.stringValue.flatMap({ EventID($0) }) else { throw wrong("event", "of the form ORIGIN/NUMBER") }
        guard let type = object["type"]?.stringValue.flatMap(Self.type(named:)) else { throw wrong("type", "the name of an event type") }
        guard let version = object["version"]?.integerValue.flatMap({ UInt8(exactly: $0) }) else { throw wrong("version", "from 0 to 255") }
        guard let time = object["logical_time"]?.integerValue else { throw wrong("logical_time", "a whole number") }
        guard let at = object["at"]?.stringValue.flatMap({ ZonedTime(iso: $0) }) else { throw wrong("at", "an ISO 8601 time with offset") }
        guard let subject = object["subject"]?.stringValue.flatMap({ UniqueID($0) }) else { throw wrong("subject", "a UUID") }
        let header = EventHeader(
            type: type, version: version, zoneMinutes: at.zoneMinutes, id: id, logicalTime: LogicalTime(rawValue: time),
            wallMilliseconds: at.wallMilliseconds, subject: subject, key: try key(object, "key"))
        var payload = try payload(object["payload"], type, version)
        let erasure = try erasure(object, &payload)
        do throws(ByteError) { try EventFrame.append(header, payload: payload.bytes, erasure: erasure, to: &frames) } catch {
            throw fault(line, "the event is too large (\(error.kind.rawValue))")
        }
        guard frames.count < Commit.maximumSize else { throw fault(line, "the commit is larger than \(Commit.maximumSize) bytes") }
        count += 1
        traits.apply(type, isErasable: erasure != nil)
    }

    /// What of the payload may be erased, or was; of one that was, the empty texts are taken off.
    private func erasure(_ object: JSONValue, _ payload: inout OpenPayload) throws(StoreError) -> Erasure? {
        if let value = object["erased"] {
            guard let digest = value.stringValue.flatMap({ SHA256Digest($0) }) else { throw wrong("erased", "64 hexadecimal digits") }
            payload.bytes.removeLast(payload.erasable)
            return .done(digest)
        }
        guard let value = object["salt"] else { return nil }
        guard let salt = value.stringValue.flatMap({ UniqueID($0) }) else { throw wrong("salt", "a UUID") }
        guard let count = object["erasable"]?.integerValue, (0...Int64(payload.bytes.count)).contains(count) else {
            throw wrong("erasable", "from 0 to the length of the payload")
        }
        return .possible(count: Int(count), salt: salt)
    }

    /// A payload's bytes, and how many of them at the end are texts that may be erased.
    private struct OpenPayload {
        var bytes: [UInt8]
        var erasable = 0
    }

    private func payload(_ value: JSONValue?, _ type: EventType, _ version: UInt8) throws(StoreError) -> OpenPayload {
        guard let value else { throw wrong("payload", "an object") }
        if let members = value.objectValue, members.count == 1, members[0].key == "bytes",
            let text = members[0].value.stringValue, let bytes = EventCoding.bytes(hexadecimal: text)
        {
            return OpenPayload(bytes: bytes)
        }
        do throws(SchemaError) {
            guard let event = try StudyEvent.decode(type: type, version: version, json: value) else {
                throw SchemaError(.badVersion, event: "type \(type.rawValue)", field: "payload", detail: "given as {\"bytes\": …}")
            }
            return OpenPayload(bytes: event.encodedPayload(version: version), erasable: event.erasableByteCount(version: version))
        } catch { throw fault(line, "\(error)") }
    }

    private static func type(named name: String) -> EventType? {
        if let type = StudyEvent.type(named: name) { return type }
        guard name.hasPrefix("type_"), let number = UInt16(name.dropFirst(5)) else { return nil }
        return EventType(rawValue: number)
    }
}
