/// An entry of a page, its place in the page checked.
struct TreeNode {
    let offset: Int
    let flags: UInt16
    let keySize: Int
    /// A leaf's: the size of the value, wherever it is.
    let valueSize: Int
    /// A branch's: the page below.
    let child: UInt64
    /// Bytes that it takes up, rounded up to even.
    let size: Int

    var keyOffset: Int { offset + PageFormat.nodeHeaderSize }
    var valueOffset: Int { keyOffset + keySize }
    var isBig: Bool { flags & PageFormat.bigDataFlag != 0 }

    /// Reads an entry; nil if it isn't wholly in the page's entry area.
    @inline(__always)
    init?(_ index: Int, of bytes: PageBytes, isLeaf: Bool, pageSize: Int) {
        let offset = Int(bytes.uint16(PageFormat.headerSize + 2 * index))
        let area = Int(bytes.uint16(14))
        guard offset >= area, offset & 1 == 0, offset + PageFormat.nodeHeaderSize <= pageSize else { return nil }
        // The four fields of the header in one load.
        let header = bytes.uint64(offset)
        let low = header & 0xFFFF_FFFF
        let flags = UInt16(truncatingIfNeeded: header >> 32)
        let keySize = Int(header >> 48)
        guard keySize <= PageFormat.maxKeySize else { return nil }
        let inPage = !isLeaf ? 0 : flags & PageFormat.bigDataFlag != 0 ? 8 : Int(low)
        let size = (PageFormat.nodeHeaderSize + keySize + inPage + 1) & ~1
        guard offset + size <= pageSize else { return nil }
        self.offset = offset
        self.flags = isLeaf ? flags : 0
        self.keySize = keySize
        valueSize = isLeaf ? Int(low) : 0
        child = isLeaf ? 0 : low | UInt64(flags) << 32
        self.size = size
    }
}
