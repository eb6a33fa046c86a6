package import EventCoding
internal import Hashing
package import LMDB

/// A commit from elsewhere that isn't in the log: it doesn't fit what this program knows, or follows on one that doesn't.
package struct HeldCommit: Hashable, Sendable {
    /// Whose it says that it is; 0 where that can't be read.
    package let origin: OriginID
    /// Its number in its origin; 0 where that can't be read.
    package let number: UInt64
    /// Why it doesn't fit, as a word for scripts.
    package let reason: String
    /// The same for people.
    package let message: String
    /// As it came.
    package internal(set) var bytes: [UInt8]

    package init(origin: OriginID, number: UInt64, reason: String, message: String, bytes: [UInt8]) {
        self.origin = origin
        // What is more is no number of a commit, and the open form can't say it.
        self.number = min(number, UInt64(Int64.max))
        self.reason = reason
        self.message = message
        self.bytes = bytes
    }

    /// The commit that `bytes` say they are.
    package init(claimedBy bytes: [UInt8], reason: String, message: String) {
        let claim = try? CommitClaim(bytes.rawSpan)
        self.init(
            origin: claim?.origin ?? OriginID(rawValue: 0), number: claim?.number ?? 0, reason: reason, message: message, bytes: bytes)
    }

    /// Where it lies: the same bytes are held aside once.
    var key: [UInt8] {
        var hasher = SHA256Hasher()
        hasher.update(bytes.rawSpan)
        return CommitLog.bigEndian(origin.rawValue) + CommitLog.bigEndian(number) + hasher.finish().bytes
    }
}

/// How much may be held aside: what comes from elsewhere has limits.
package struct HeldAsideBudget: Sendable {
    /// Bytes of one origin.
    package static let ofOrigin = 64 << 20
    /// Bytes of all origins.
    package static let ofAll = 256 << 20

    /// Commits of all origins.
    package static let commits = 100_000

    private var used: [OriginID: Int] = [:]
    private var total = 0
    private var count = 0

    package init() {}

    mutating func add(_ count: Int, of origin: OriginID) {
        used[origin, default: 0] += count
        total += count
        self.count += 1
    }

    func hasRoom(for count: Int, of origin: OriginID) -> Bool {
        used[origin, default: 0] + count <= Self.ofOrigin && total + count <= Self.ofAll && self.count < Self.commits
    }
}

/// What became of a commit that was to be held aside.
package enum HoldOutcome: Hashable, Sendable {
    case held
    case wasHeld
    /// The limits don't let it in.
    case noRoom
}

/// The table `held_aside`: origin (8 bytes), number (8), SHA-256 of the bytes, to reason, message and bytes.
///
/// The bytes are stored turned over, so that a search through the pages of a damaged file doesn't take them for commits of the log.
extension CommitLog {
    /// How many commits are held aside. Complexity: constant.
    package func heldAsideCount(_ transaction: borrowing ReadTransaction) throws(LogError) -> Int {
        try storage(transaction.count(in: heldAside))
    }

    /// Hands over what is held aside, in the order of origins and numbers, until `body` says false; a record that isn't what was
    /// written as `nil`.
    package func forEachHeldAside(
        _ transaction: borrowing ReadTransaction, _ body: (_ key: [UInt8], _ commit: HeldCommit?) throws(LogError) -> Bool
    ) throws(LogError) {
        try forEachRecord(of: heldAside, transaction) { (key, value) throws(LogError) in
            try body(key.copied(), HeldCommit(key: key, value: value))
        }
    }

    /// Where the commits lie that are held aside, in the order of origins and numbers: those that the log has by now, and those that
    /// it may still take. What the log has another commit for is neither. Complexity: O(commits), where any is held.
    package func heldAsideKeys(
        _ heads: LogHeads, _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> (known: [[UInt8]], open: [[UInt8]]) {
        var open: [[UInt8]] = []
        var passed: [(key: [UInt8], digest: SHA256Digest)] = []
        var wanted: [OriginID: Set<SHA256Digest>] = [:]
        try forEachHeldAside(transaction) { (key, commit) throws(LogError) in
            guard let commit else { return true }
            guard commit.number > 0, commit.number <= heads[commit.origin].commits, let claim = try? CommitClaim(commit.bytes.rawSpan)
            else {
                open.append(key)
                return true
            }
            passed.append((key, claim.digest))
            wanted[commit.origin, default: []].insert(claim.digest)
            return true
        }
        let found = try numbers(ofDigests: wanted, transaction)
        return (passed.filter { found[$0.digest] != nil }.map(\.key), open)
    }

    /// The commit that is held aside at `key`; `nil` where none is, or it isn't what was put there.
    package func heldAside(_ key: [UInt8], _ transaction: borrowing ReadTransaction) throws(LogError) -> HeldCommit? {
        guard let value = try value(for: key, in: heldAside, transaction) else { return nil }
        return HeldCommit(key: key.rawSpan, value: value)
    }

    /// How much room the commits that are held aside leave. Complexity: O(those).
    package func heldAsideBudget(_ transaction: borrowing ReadTransaction) throws(LogError) -> HeldAsideBudget {
        var budget = HeldAsideBudget()
        try forEachHeldAside(transaction) { (_, commit) throws(LogError) in
            if let commit { budget.add(commit.bytes.count, of: commit.origin) }
            return true
        }
        return budget
    }

    /// Holds a commit aside, unless it is already.
    package func hold(
        _ commit: HeldCommit, _ budget: inout HeldAsideBudget, _ transaction: inout WriteTransaction
    ) throws(LogError) -> HoldOutcome {
        let key = commit.key
        guard try storage(transaction.value(for: key.rawSpan, in: heldAside) == nil) else { return .wasHeld }
        guard budget.hasRoom(for: commit.bytes.count, of: commit.origin) else { return .noRoom }
        budget.add(commit.bytes.count, of: commit.origin)
        try storage(transaction.put(key, commit.stored, in: heldAside))
        return .held
    }

    private static let triedKey: [UInt8] = Array("held aside tried".utf8)

    /// Whether the commits that are held aside were tried by a program that knows what `knowledge` names.
    package func wasHeldAsideTried(by knowledge: [UInt8], _ transaction: borrowing ReadTransaction) throws(LogError) -> Bool {
        try record(Self.triedKey, transaction) == knowledge
    }

    /// Records that they were tried.
    package func setHeldAsideTried(by knowledge: [UInt8], _ transaction: inout WriteTransaction) throws(LogError) {
        try setRecord(Self.triedKey, knowledge, &transaction)
    }

    /// Takes a commit out of what is held aside.
    package func release(_ key: [UInt8], _ transaction: inout WriteTransaction) throws(LogError) {
        _ = try storage(transaction.delete(key, in: heldAside))
    }

    /// Erases the texts about `subjects` in what is held aside; a commit that may hold some which can't be told from the rest goes as a whole.
    ///
    /// - Returns: how many commits were changed or went.
    package func eraseHeldAside(
        of subjects: Set<UniqueID>, by rules: TextRules, _ transaction: inout WriteTransaction
    ) throws(LogError) -> Int {
        guard !subjects.isEmpty, try heldAsideCount(transaction.reader) > 0 else { return 0 }
        var changed: [(key: [UInt8], commit: HeldCommit?)] = []
        try forEachHeldAside(transaction.reader) { (key, commit) throws(LogError) in
            guard let commit else { return true }
            let bytes = HeldCommit.withoutTexts(commit.bytes, of: subjects, by: rules)
            guard bytes != commit.bytes else { return true }
            var other = commit
            other.bytes = bytes ?? []
            changed.append((key, bytes == nil ? nil : other))
            return true
        }
        for (key, commit) in changed {
            try release(key, &transaction)
            guard let commit else { continue }
            try storage(transaction.put(commit.key, commit.stored, in: heldAside))
        }
        return changed.count
    }
}

extension CommitLog {
    /// Holds aside what another log does, as far as it can be read. For a store that is made of that one.
    package func takeHeldAside(from file: RawFile) throws(LogError) {
        let records = TreeScan(of: "held_aside", in: file, anyKeys: true).values
        guard !records.isEmpty else { return }
        try write { (transaction: inout WriteTransaction) throws(LogError) in
            var budget = try heldAsideBudget(transaction.reader)
            for record in records where record.length <= 2 * Commit.maximumSize {
                let (key, value) = (file.bytes(of: record.keyPlace), file.bytes(at: record.offset, count: record.length))
                // The root of the table may lead into another one: what doesn't prove that it was held aside wasn't.
                guard let held = HeldCommit(key: key.rawSpan, value: value.rawSpan) else { continue }
                _ = try hold(held, &budget, &transaction)
            }
        }
    }
}

extension HeldCommit {
    /// Long messages would be cut here; none is.
    private static let textLimit = 4096

    fileprivate var stored: [UInt8] {
        var writer = ByteWriter(reserving: bytes.count + 128)
        writer.writeText(String(reason.prefix(Self.textLimit / 4)))
        writer.writeText(String(message.prefix(Self.textLimit / 4)))
        writer.write(bytes: bytes.lazy.map(~))
        return writer.bytes
    }

    /// `nil` where the bytes aren't those that the key was made of.
    fileprivate init?(key: RawSpan, value: RawSpan) {
        self.init(value: value)
        guard self.key == key.copied() else { return nil }
    }

    fileprivate init?(value: RawSpan) {
        var reader = ByteReader(value)
        guard let reason = try? reader.readText(limit: Self.textLimit), let message = try? reader.readText(limit: Self.textLimit),
            let rest = try? reader.readBytes(reader.remaining)
        else { return nil }
        self.init(claimedBy: rest.copied().map(~), reason: reason, message: message)
    }

    /// `bytes` without the texts about `subjects`; `nil` where they may hold some that can't be told from the rest.
    package static func withoutTexts(
        _ bytes: [UInt8], of subjects: Set<UniqueID>, by rules: TextRules
    ) -> [UInt8]? {
        guard subjects.contains(where: { isNamed($0, in: bytes) }) else { return bytes }
        // It can't be withdrawn, since nobody knows what it follows on: where a mark doesn't say what is text, it goes.
        let rules = TextRules(count: rules.count, bearsTexts: { _ in false }, isFree: rules.isFree)
        let erased = try? Commit.erasing(bytes.rawSpan, after: .zero, by: rules) { subjects.contains($0.subject) }
        guard let erased else { return holdsTexts(bytes, of: subjects, by: rules) ? nil : bytes }
        let rest = erased.bytes ?? bytes
        return erased.left > 0 || holdsTexts(rest, of: subjects, by: rules) ? nil : rest
    }

    /// Whether an event about `subjects` may hold texts: all but those do of which the schema says that they don't.
    private static func holdsTexts(_ bytes: [UInt8], of subjects: Set<UniqueID>, by rules: TextRules) -> Bool {
        let span = bytes.rawSpan
        guard let header = try? Commit.header(of: span) else { return true }
        var frames = Commit.frames(of: span, header)
        while let frame = try? frames.next() {
            guard let event = try? frame.event() else { return true }
            if subjects.contains(event.header.subject), !rules.isFree(event.header, event.payload) { return true }
        }
        return !frames.isFinished
    }

    private static func isNamed(_ subject: UniqueID, in bytes: [UInt8]) -> Bool {
        let name = subject.bytes
        guard let first = name.first, bytes.count >= name.count else { return false }
        return (0...bytes.count - name.count).contains { bytes[$0] == first && bytes[$0..<$0 + name.count].elementsEqual(name) }
    }
}
