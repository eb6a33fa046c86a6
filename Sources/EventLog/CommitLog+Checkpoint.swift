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
        guard let (heads, blockCount) = try checkpointHeads(transaction) else { return nil }
        var blocks: [[UInt8]] = []
        while blocks.count < blockCount {
            guard let block = try checkpointBlock(blocks.count, transaction) else { return nil }
            blocks.append(block)
        }
        return Checkpoint(heads: heads, blocks: blocks)
    }

    /// How far the log went at the last checkpoint, and how many blocks it has, sound or not; `nil` where there is none.
    package func checkpointHeads(
        _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> (heads: LogHeads, blockCount: Int)? {
        guard let head = try checkpointBlock(-1, transaction) else { return nil }
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
        return (heads, Int(clamping: blockCount))
    }

    /// What tells the last checkpoint from others: the checksum of its first block; `nil` where there is none.
    package func checkpointStamp(_ transaction: borrowing ReadTransaction) throws(LogError) -> UInt64? {
        guard let value = try value(for: Self.bigEndian(1), in: checkpoints, transaction) else { return nil }
        var reader = ByteReader(value)
        return try? reader.readUInt64()
    }

    /// Hands over the bytes of a block of the last checkpoint where they lie, from 0 up, without a look at its checksum; false where there
    /// is none.
    package func readCheckpointBlock(
        _ number: Int, _ transaction: borrowing ReadTransaction, _ body: (RawSpan) -> Void
    ) throws(LogError) -> Bool {
        guard let value = try value(for: Self.bigEndian(UInt64(number + 1)), in: checkpoints, transaction), value.byteCount >= 8 else {
            return false
        }
        body(value.extracting(8..<value.byteCount))
        return true
    }

    /// Up to which commit the stored checkpoint goes; `nil` where there is none that is whole.
    package func checkpointSequence(_ transaction: borrowing ReadTransaction) throws(LogError) -> UInt64? {
        try checkpoint(transaction)?.heads.sequence
    }

    /// How many blocks the database of checkpoints holds, sound or not.
    package func checkpointBlockCount(_ transaction: borrowing ReadTransaction) throws(LogError) -> Int {
        try storage(transaction.count(in: checkpoints))
    }

    /// A block of the last checkpoint, from 0 up; `nil` where there is none, or its checksum says that it isn't whole.
    package func checkpointBlock(_ number: Int, _ transaction: borrowing ReadTransaction) throws(LogError) -> [UInt8]? {
        let key = Self.bigEndian(UInt64(number + 1))
        guard let value = try value(for: key, in: checkpoints, transaction) else { return nil }
        var reader = ByteReader(value)
        guard let sum = try? reader.readUInt64(), let body = try? reader.readBytes(reader.remaining) else { return nil }
        return fastChecksum(body) == sum ? body.copied() : nil
    }
}
