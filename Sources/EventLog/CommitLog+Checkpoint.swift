internal import EventCoding
package import LMDB

/// A projection's state as it was at some point of the log, in blocks of bytes that only the projection understands.
package struct Checkpoint: Sendable {
    /// How far the log went.
    package let heads: LogHeads
    package let blocks: [[UInt8]]

    package init(heads: LogHeads, blocks: [[UInt8]]) {
        self.heads = heads
        self.blocks = blocks
    }
}

/// Losing a checkpoint costs time, never data: whatever is wrong with it, it reads as none.
extension CommitLog {
    private static let checkpointLayout: UInt32 = 1

    /// Replaces the checkpoint, in this transaction.
    package func write(_ checkpoint: Checkpoint, _ transaction: inout WriteTransaction) throws(LogError) {
        var head = ByteWriter()
        head.write(Self.checkpointLayout)
        head.write(checkpoint.heads.sequence)
        head.writeVariable(UInt64(checkpoint.blocks.count))
        head.write(origins: checkpoint.heads)
        try storage(transaction.deleteAll(in: checkpoints))
        for (number, block) in ([head.bytes] + checkpoint.blocks).enumerated() {
            var sealed = ByteWriter(reserving: block.count + 8)
            sealed.write(fastChecksum(block.rawSpan))
            sealed.write(bytes: block)
            try storage(transaction.put(UInt64(number), sealed.bytes, in: checkpoints, mode: .append))
        }
    }

    /// The last checkpoint; `nil` where there is none, or where it isn't whole.
    package func checkpoint(_ transaction: borrowing ReadTransaction) throws(LogError) -> Checkpoint? {
        guard let head = try checkpointBlock(0, transaction) else { return nil }
        var heads = LogHeads()
        var blockCount: UInt64 = 0
        do throws(ByteError) {
            var reader = ByteReader(head.rawSpan)
            guard try reader.readUInt32() == Self.checkpointLayout else { return nil }
            heads.sequence = try reader.readUInt64()
            blockCount = try reader.readVariable()
            try reader.readOrigins(into: &heads)
            try reader.finish()
        } catch { return nil }
        // A whole checkpoint proves that there were so many commits.
        let last = try lastSequence(transaction)
        guard heads.sequence <= last else { throw .missingCommit(sequence: last + 1) }
        var blocks: [[UInt8]] = []
        while UInt64(blocks.count) < blockCount {
            guard let block = try checkpointBlock(UInt64(blocks.count) + 1, transaction) else { return nil }
            blocks.append(block)
        }
        return Checkpoint(heads: heads, blocks: blocks)
    }

    /// Up to which commit the stored checkpoint goes; `nil` where there is none that is whole.
    package func checkpointSequence(_ transaction: borrowing ReadTransaction) throws(LogError) -> UInt64? {
        try checkpoint(transaction)?.heads.sequence
    }

    /// How many blocks the database of checkpoints holds, sound or not.
    package func checkpointBlockCount(_ transaction: borrowing ReadTransaction) throws(LogError) -> Int {
        try storage(transaction.count(in: checkpoints))
    }

    private func checkpointBlock(_ number: UInt64, _ transaction: borrowing ReadTransaction) throws(LogError) -> [UInt8]? {
        let key = Self.bigEndian(number)
        guard let value = try value(for: key, in: checkpoints, transaction) else { return nil }
        var reader = ByteReader(value)
        guard let sum = try? reader.readUInt64(), let body = try? reader.readBytes(reader.remaining) else { return nil }
        return fastChecksum(body) == sum ? body.copied() : nil
    }
}
