package import EventCoding
internal import Hashing
package import LMDB

extension CommitLog {
    /// Bytes of commits that are carried over in one transaction.
    private static let migrationBatch = 8 << 20

    /// Makes a log in the empty folder `folder` that holds every commit of this one in the present format, in the same order.
    ///
    /// Its device has a new origin, unless ``replaceStore(_:prove:)`` records the one that is its own. Complexity: O(bytes).
    ///
    /// - Parameters:
    ///   - random: gives the origin.
    ///   - erasableCount: of an event's payload, how many bytes at the end are texts that may be erased.
    package func upgradedCopy(
        in folder: String, random: () -> UInt64, erasableCount: @escaping (borrowing EventHeader, RawSpan) -> Int,
        progress: (Int) -> Void = { _ in }
    ) throws(LogError) -> CommitLog {
        let copy = try CommitLog.create(path: folder, origin: .new(from: random()), companions: companions)
        var upgrade = CommitUpgrade(erasableCount: erasableCount)
        var heads = LogHeads()
        var batch: [[UInt8]] = []
        var size = 0
        try read { (transaction: borrowing ReadTransaction) throws(LogError) in
            try forEachCommit(transaction) { (sequence, commit) throws(LogError) in
                guard sequence == heads.sequence + UInt64(batch.count) + 1 else { throw .missingCommit(sequence: sequence - 1) }
                let bytes = try upgrade.takeIfOlder(commit, sequence: sequence) ?? commit.copied()
                size += bytes.count
                batch.append(bytes)
                if size >= Self.migrationBatch {
                    try copy.append(batch, heads: &heads)
                    batch.removeAll()
                    size = 0
                    progress(Int(clamping: sequence))
                }
                return true
            }
        }
        try copy.append(batch, heads: &heads)
        try copy.recordFormerHeads(upgrade.oldHeads)
        try copyRecords(to: copy)
        try copyCompanions(to: copy)
        return copy
    }

    /// Carries over what a record says that can't be made again: the heads of before an earlier migration.
    private func copyRecords(to copy: CommitLog) throws(LogError) {
        let former = try read { (transaction: borrowing ReadTransaction) throws(LogError) in try record(Self.formerHeadsKey, transaction) }
        guard let former else { return }
        try copy.write { (transaction: inout WriteTransaction) throws(LogError) in
            try copy.setRecord(Self.formerHeadsKey, former, &transaction)
        }
    }

    /// Copies what is held aside and the databases of other rooms as they are.
    private func copyCompanions(to copy: CommitLog) throws(LogError) {
        for name in companions + [heldAside.name] {
            let source = try storage(environment.database(name))
            let target = try storage(copy.environment.database(name))
            try read { (old: borrowing ReadTransaction) throws(LogError) in
                try copy.write { (new: inout WriteTransaction) throws(LogError) in
                    try forEachRecord(of: source, old) { (key, value) throws(LogError) in
                        try storage(new.put(key, value, in: target))
                        return true
                    }
                }
            }
        }
    }

    private func append(_ commits: [[UInt8]], heads: inout LogHeads) throws(LogError) {
        guard !commits.isEmpty else { return }
        var next = heads
        try write { (transaction: inout WriteTransaction) throws(LogError) in
            var hasher = SHA256Hasher()
            for commit in commits { _ = try appendForeign(commit.rawSpan, heads: &next, hasher: &hasher, &transaction) }
        }
        heads = next
    }

    /// Where this log isn't what `former`, which it was made of, says: another number of commits, or an event with another header or
    /// payload. `nil` where every event is there as it was. Complexity: O(bytes).
    package func firstDifference(from former: CommitLog) throws(LogError) -> String? {
        try former.read { (old: borrowing ReadTransaction) throws(LogError) in
            try read { (new: borrowing ReadTransaction) throws(LogError) in
                guard try lastSequence(new) == former.lastSequence(old) else { return "the number of commits" }
                var difference: String?
                var cursor = try commitCursor(from: 1, new)
                try former.forEachCommit(old) { (sequence, commit) throws(LogError) in
                    guard cursor.number == sequence, try Self.holdSame(cursor.value, commit, sequence) else {
                        difference = "commit \(sequence)"
                        return false
                    }
                    _ = try storage(cursor.next())
                    return true
                }
                return difference
            }
        }
    }

    private static func holdSame(_ left: RawSpan, _ right: RawSpan, _ sequence: UInt64) throws(LogError) -> Bool {
        do throws(ByteError) {
            var lefts = try Commit.frames(of: left)
            var rights = try Commit.frames(of: right)
            while let frame = try lefts.next() {
                let event = try frame.intactEvent()
                guard let other = try rights.next() else { return false }
                let same = try other.intactEvent()
                guard event.header == same.header, event.payload.copied() == same.payload.copied() else { return false }
            }
            if let _ = try rights.next() { return false }
            try lefts.finish()
            try rights.finish()
            return true
        } catch { throw .malformed(sequence: sequence, error) }
    }

    private static let formerHeadsKey: [UInt8] = Array("former heads".utf8)

    /// Notes the head digests that the log had in an older format, for whoever has written one down.
    private func recordFormerHeads(_ heads: [FormerHead]) throws(LogError) {
        guard !heads.isEmpty else { return }
        var writer = ByteWriter()
        for head in heads {
            writer.write(head.origin.rawValue)
            writer.writeVariable(head.commits)
            writer.write(head.digest)
        }
        let bytes = writer.bytes
        try write { (transaction: inout WriteTransaction) throws(LogError) in
            try setRecord(Self.formerHeadsKey, bytes, &transaction)
        }
    }

    /// The head digests that the log had in an older format when it was carried over, by origin.
    package func formerHeads(_ transaction: borrowing ReadTransaction) throws(LogError) -> [FormerHead] {
        guard let value = try record(Self.formerHeadsKey, transaction) else { return [] }
        var reader = ByteReader(value.rawSpan)
        var heads: [FormerHead] = []
        while reader.remaining > 0, let origin = try? reader.readUInt64(), let commits = try? reader.readVariable(),
            let digest = try? reader.readDigest()
        {
            heads.append(FormerHead(origin: OriginID(rawValue: origin), commits: commits, digest: digest))
        }
        return heads
    }
}
