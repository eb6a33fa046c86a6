internal import EventCoding
internal import Synchronization

/// Gives the blocks of a checkpoint for as long as somebody may ask for them.
package protocol CheckpointSource: Sendable {
    /// Hands over the block of that number, from 0 up, as it is stored now; false where it can't be read.
    func read(_ number: Int, _ body: (RawSpan) -> Void) -> Bool
}

/// The blocks of a checkpoint in memory.
package struct BlockList: CheckpointSource {
    let blocks: [[UInt8]]

    package init(_ blocks: [[UInt8]]) { self.blocks = blocks }

    package func read(_ number: Int, _ body: (RawSpan) -> Void) -> Bool {
        guard blocks.indices.contains(number) else { return false }
        let block = blocks[number]
        body(block.rawSpan)
        return true
    }
}

/// The cards of a checkpoint in the order of their identities. A block of them is read, checked and decoded when one of its cards is
/// first asked for.
///
/// All copies of a state share it. Once a block isn't there any more as it was written, ``fault`` says so, and whatever was asked since
/// may lack cards: whoever asked throws the answer away and asks a state that was made again.
final class StoredCards: Sendable {
    /// What a checkpoint says of a block of cards.
    struct Block: Sendable {
        let first: UniqueID
        let count: Int
        /// Checksum of its bytes: what is stored under its number by now may be another checkpoint's.
        let sum: UInt64
    }

    private struct Loaded {
        var rows: [[CardState]?]
        var missing: Int
        /// Whether somebody has gone through all of them: who does so again finds them decoded.
        var wasScanned = false
        var fault: ByteError?

        /// Notes what is wrong with a block.
        mutating func note(_ fault: ByteError) { if self.fault == nil { self.fault = fault } }
    }

    static let cardsInBlock = 512
    let blocks: [Block]
    private let source: any CheckpointSource
    private let loaded: Mutex<Loaded>

    /// Cards that are read when they are asked for; the first of `blocks` has the number 1.
    init(_ blocks: [Block], from source: any CheckpointSource) {
        self.blocks = blocks
        self.source = source
        loaded = Mutex(Loaded(rows: Array(repeating: nil, count: blocks.count), missing: blocks.count))
    }

    /// Cards that are there already, in the order of their identities.
    init(_ rows: [CardState], inBlocksOf size: Int = StoredCards.cardsInBlock) {
        let parts = stride(from: 0, to: rows.count, by: size).map { Array(rows[$0..<min($0 + size, rows.count)]) }
        blocks = parts.map { Block(first: $0[0].id, count: $0.count, sum: 0) }
        source = BlockList([])
        loaded = Mutex(Loaded(rows: parts, missing: 0))
    }

    var count: Int { blocks.reduce(0) { $0 + $1.count } }

    /// What is wrong with a block that was asked for.
    var fault: ByteError? { loaded.withLock { $0.fault } }

    /// Whether all blocks are in memory, so that nothing is read any more.
    var isLoaded: Bool { loaded.withLock { $0.missing == 0 } }

    /// The cards of a block; none where it can't be had.
    func rows(ofBlock number: Int) -> [CardState] {
        loaded.withLock { loaded in
            if let rows = loaded.rows[number] { return rows }
            guard loaded.fault == nil else { return [] }
            var rows: [CardState] = []
            rows.reserveCapacity(min(blocks[number].count, Self.cardsInBlock))
            if let fault = decode(number, { rows.append(copy $0) }) {
                loaded.note(fault)
                return []
            }
            loaded.rows[number] = rows
            loaded.missing -= 1
            return rows
        }
    }

    /// Hands over the cards of a block as they lie in the checkpoint, and says what is wrong with it.
    private func decode(_ number: Int, _ body: (borrowing CardState) -> Void) -> ByteError? {
        var fault: ByteError? = ByteError(.truncated, offset: 0)
        let isThere = source.read(number + 1) { bytes in
            do throws(ByteError) {
                try decode(number, bytes, body)
                fault = nil
            } catch { fault = error }
        }
        return isThere ? fault : ByteError(.truncated, offset: 0)
    }

    private func decode(_ number: Int, _ bytes: RawSpan, _ body: (borrowing CardState) -> Void) throws(ByteError) {
        let block = blocks[number]
        guard fastChecksum(bytes) == block.sum else { throw ByteError(.badChecksum, offset: 0) }
        var reader = FixedFieldReader(reader: ByteReader(bytes))
        var (count, last) = (0, block.first)
        while reader.reader.remaining > 0 {
            let row = try reader.readRow(CardState.self)
            guard count == 0 ? row.id == last : last < row.id else { throw ByteError(.badValue, offset: reader.reader.offset) }
            (count, last) = (count + 1, row.id)
            body(row)
        }
        let isBeforeNext = number + 1 == blocks.count || last < blocks[number + 1].first
        guard count == block.count, isBeforeNext else { throw ByteError(.badLength, offset: reader.reader.offset) }
    }

    /// Reads all blocks that aren't in memory. Complexity: O(cards).
    func load() { for number in blocks.indices { _ = rows(ofBlock: number) } }

    /// The card of that identity, if it is one of these. Complexity: O(log cards), and once for each block O(its cards).
    func row(of id: UniqueID) -> CardState? {
        let next = blocks.partitioningIndex { id < $0.first }
        guard next > 0 else { return nil }
        let rows = rows(ofBlock: next - 1)
        let place = rows.partitioningIndex { id <= $0.id }
        return place < rows.count && rows[place].id == id ? rows[place] : nil
    }

    /// Hands over each card from `first` to `last`, in the order of the identities.
    func forEach(from first: UniqueID, through last: UniqueID, _ body: (borrowing CardState) -> Void) {
        let start = max(0, blocks.partitioningIndex { first < $0.first } - 1)
        for number in start..<max(start, blocks.partitioningIndex { last < $0.first }) {
            let rows = rows(ofBlock: number)
            for place in rows.indices where first <= rows[place].id && rows[place].id <= last { body(rows[place]) }
        }
    }

    /// Hands over each card, in the order of the identities: the first time without keeping what isn't in memory. Complexity: O(cards).
    func forEach(_ body: (borrowing CardState) -> Void) {
        let isFirst = loaded.withLock { loaded in
            defer { loaded.wasScanned = true }
            return !loaded.wasScanned
        }
        for number in blocks.indices {
            if isFirst, loaded.withLock({ $0.rows[number] == nil && $0.fault == nil }) {
                if let fault = decode(number, body) { loaded.withLock { $0.note(fault) } }
            } else {
                let rows = rows(ofBlock: number)
                for place in rows.indices { body(rows[place]) }
            }
        }
    }
}

extension Array {
    /// The first index whose element has the property, in an array in which all after it have it too. Complexity: O(log n).
    fileprivate func partitioningIndex(_ hasProperty: (borrowing Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if hasProperty(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

// MARK: - Coding

extension ByteWriter {
    mutating func write(_ blocks: [StoredCards.Block]) {
        writeVariable(UInt64(blocks.count))
        for block in blocks {
            write(block.first)
            writeVariable(UInt64(block.count))
            write(block.sum)
        }
    }
}

extension ByteReader {
    @_lifetime(self: copy self)
    mutating func readBlocks() throws(ByteError) -> [StoredCards.Block] {
        var blocks: [StoredCards.Block] = []
        for _ in 0..<(try readCount()) {
            let (first, start) = (try readUniqueID(), offset)
            let count = try readVariable()
            guard count > 0, count <= UInt64(Int32.max), blocks.last.map({ $0.first < first }) ?? true else {
                throw ByteError(.badValue, offset: start)
            }
            blocks.append(StoredCards.Block(first: first, count: Int(count), sum: try readUInt64()))
        }
        return blocks
    }
}
