internal import EventCoding
internal import FileSystem
package import LMDB

/// How far a verification came that had no time for everything, so that the next one goes on from there.
///
/// It lies in the file `verified` beside the data file. It says nothing of the part after it, and is believed of the part before
/// only as long as the log still has the very heads that were proved then, in every field. What becomes damaged later, in a part that was proved
/// before, is found when its turn comes again.
package struct VerificationProgress: Hashable, Sendable {
    /// The proved part of the log: everything up to these heads.
    package let heads: LogHeads
    /// The data file that it was.
    private let inode: UInt64

    static let fileName = "verified"
    private static let magic: UInt32 = 0x3150_5645
    private static let maximumSize = 1 << 20

    /// What is remembered of this log, if that is still so; else the beginning.
    package static func remembered(of log: CommitLog, _ transaction: borrowing ReadTransaction) throws(LogError) -> LogHeads {
        guard let bytes = StoreFolder.smallFile(path(of: log), limit: maximumSize), let progress = try? decode(bytes),
            progress.inode == transaction.dataFileIdentity.inode
        else { return LogHeads() }
        let heads = progress.heads
        let last = try log.lastSequence(transaction)
        // At the end, the next turn begins at the beginning.
        guard heads.sequence > 0, heads.sequence < last else { return LogHeads() }
        // Nothing in the file is believed that the log doesn't say as well.
        var there = LogHeads()
        do throws(LogError) {
            try log.forEachCommit(transaction) { (sequence, commit) throws(LogError) in
                guard sequence <= heads.sequence else { return false }
                try log.advance(&there, by: commit, sequence: sequence)
                return true
            }
        } catch {
            guard case .storage = error else { return LogHeads() }
            throw error
        }
        return there == heads ? heads : LogHeads()
    }

    /// Remembers how far a verification came. That it can't be written costs the next one time.
    package static func remember(_ heads: LogHeads, of log: CommitLog, _ transaction: borrowing ReadTransaction) {
        var body = ByteWriter()
        body.write(transaction.dataFileIdentity.inode)
        body.write(heads.sequence)
        body.write(origins: heads)
        var sealed = ByteWriter()
        sealed.write(magic)
        sealed.write(fastChecksum(body.bytes.rawSpan))
        sealed.write(bytes: body.bytes)
        try? StoreFolder.replaceFile(path(of: log), with: sealed.bytes)
    }

    private static func path(of log: CommitLog) -> String { log.path + "/" + fileName }

    private static func decode(_ bytes: [UInt8]) throws(ByteError) -> VerificationProgress {
        var reader = ByteReader(bytes.rawSpan)
        guard try reader.readUInt32() == magic else { throw ByteError(.badMagic, offset: 0) }
        let sum = try reader.readUInt64()
        guard fastChecksum(bytes.rawSpan.extracting(reader.offset..<bytes.count)) == sum else { throw ByteError(.badChecksum, offset: 4) }
        let inode = try reader.readUInt64()
        var heads = LogHeads()
        heads.sequence = try reader.readUInt64()
        try reader.readOrigins(into: &heads)
        try reader.finish()
        return VerificationProgress(heads: heads, inode: inode)
    }
}
