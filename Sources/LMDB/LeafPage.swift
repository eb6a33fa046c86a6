internal import CPrefetch

/// The leaf page of the map that a cursor stands on: its entries are read where they lie, for a third of what a move of LMDB's
/// own cursor costs.
///
/// Only for a snapshot that is read: a page that a write has touched lies elsewhere, under no fixed address. Whatever isn't
/// plain ends the walk over the page, and LMDB's cursor goes on from there: a value in an overflow run, duplicates, a page or an
/// entry whose numbers can't be right.
@safe
@usableFromInline
struct LeafPage {
    @usableFromInline let start: UnsafeRawPointer
    @usableFromInline let size: Int
    @usableFromInline let count: Int
    @usableFromInline var index: Int

    /// The page around the key of an entry on it, in a map whose pages begin at multiples of their size; nil where the page or
    /// the entry isn't plain. Complexity: O(entries).
    init?(around key: UnsafeRawBufferPointer, size: Int) {
        guard size > 0, let key = key.baseAddress else { return nil }
        let offset = Int(UInt(bitPattern: key) & UInt(size - 1))
        let start = unsafe key - offset
        let page = unsafe PageBytes(UnsafeRawBufferPointer(start: start, count: size))
        let (lower, upper) = (Int(page.uint16(12)), Int(page.uint16(14)))
        guard page.uint16(10) == PageFormat.leafFlag, lower > PageFormat.headerSize, lower <= upper, upper <= size else { return nil }
        let node = offset - PageFormat.nodeHeaderSize
        // An entry with duplicates has others behind it that are on no list of the page.
        guard node >= upper, page.uint16(node + 4) == 0 else { return nil }
        let count = (lower - PageFormat.headerSize) / 2
        guard let index = (0..<count).first(where: { Int(page.uint16(PageFormat.headerSize + 2 * $0)) == node }) else { return nil }
        unsafe self.start = start
        self.size = size
        self.count = count
        self.index = index
    }

    /// The entry after the last one; nil where the page has no more, or none that is read here.
    @inlinable
    @inline(__always)
    mutating func next() -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
        guard index + 1 < count else { return nil }
        // The list of the entries' places lies within the page, for init has looked at its end, and at even places.
        let place = unsafe Int(
            UInt16(littleEndian: start.load(fromByteOffset: PageFormat.headerSize + 2 * (index + 1), as: UInt16.self)))
        guard place <= size - PageFormat.nodeHeaderSize else { return nil }
        let header = unsafe UInt64(littleEndian: start.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        let valueSize = Int(header & 0xFFFF_FFFF)
        let keySize = Int(header >> 48)
        let keyPlace = place + PageFormat.nodeHeaderSize
        guard header >> 32 & 0xFFFF == 0, keySize > 0, keyPlace + keySize + valueSize <= size else { return nil }
        index += 1
        return unsafe (
            UnsafeRawBufferPointer(start: start + keyPlace, count: keySize),
            UnsafeRawBufferPointer(start: start + keyPlace + keySize, count: valueSize)
        )
    }

    /// Whether every entry of the page has been given out.
    var isDone: Bool { index + 1 == count }

    /// Passes over the entry after the last one without a look at it; false where the page has no more.
    @inlinable
    @inline(__always)
    mutating func skip() -> Bool {
        guard index + 1 < count else { return false }
        index += 1
        return true
    }

    /// The key of the entry that was given out or passed over last, nil where its numbers can't be right.
    var presentKey: UnsafeRawBufferPointer? { unsafe key(at: index) }
    /// The same of the page's last entry.
    var lastKey: UnsafeRawBufferPointer? { unsafe key(at: count - 1) }

    private func key(at index: Int) -> UnsafeRawBufferPointer? {
        let place = unsafe Int(
            UInt16(littleEndian: start.load(fromByteOffset: PageFormat.headerSize + 2 * index, as: UInt16.self)))
        guard place <= size - PageFormat.nodeHeaderSize else { return nil }
        let keySize = unsafe Int(UInt16(littleEndian: start.loadUnaligned(fromByteOffset: place + 6, as: UInt16.self)))
        let keyPlace = place + PageFormat.nodeHeaderSize
        guard keyPlace + keySize <= size else { return nil }
        return unsafe UnsafeRawBufferPointer(start: start + keyPlace, count: keySize)
    }

    /// Has the page around `key` fetched from far memory, without waiting for it.
    static func prefetch(around key: UnsafeRawBufferPointer, size: Int) {
        guard size > 0, let key = key.baseAddress else { return }
        let start = unsafe key - Int(UInt(bitPattern: key) & UInt(size - 1))
        for line in stride(from: 0, to: size, by: 64) { unsafe engram_prefetch(start + line) }
    }
}
