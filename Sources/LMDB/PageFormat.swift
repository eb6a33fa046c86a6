/// The file format of LMDB 0.9 (version 1, 64 bits, little-endian), as far as a reader of it needs it.
///
/// A file is an array of pages; the first two are meta pages, written in turns. A page begins with its own number (8 bytes),
/// padding (2), flags (2), and the bounds of the free space in its middle (2 + 2), in place of which the first page of an
/// overflow run has the length of the run in pages (4).
@usableFromInline
enum PageFormat {
    static let magic: UInt32 = 0xBEEF_C0DE
    static let version: UInt32 = 1
    @inlinable static var headerSize: Int { 16 }
    @inlinable static var nodeHeaderSize: Int { 8 }
    static let maxKeySize = 511
    static let maxDepth = 32
    /// LMDB takes the system's page size, and no system that it runs on has a smaller one.
    static let minPageSize: UInt32 = 4096
    static let maxPageSize: UInt32 = 32768
    /// Root of an empty tree.
    static let noPage = UInt64.max
    /// A map can't be larger than what processors address.
    static let maxFileSize = UInt64(1) << 47

    static let branchFlag: UInt16 = 0x01
    static let leafFlag: UInt16 = 0x02
    static let overflowFlag: UInt16 = 0x04
    static let metaFlag: UInt16 = 0x08
    static let packedLeafFlag: UInt16 = 0x20

    static let bigDataFlag: UInt16 = 0x01
    static let subtreeFlag: UInt16 = 0x02
    static let duplicatesFlag: UInt16 = 0x04

    /// Flag of a tree whose keys are numbers in the machine's byte order; the tree of free pages is one.
    static let integerKeyFlag: UInt16 = 0x08
    /// What else the tree of free pages may carry: the environment was opened by the name of its file.
    static let noSubfolderFlag: UInt16 = 0x4000

    /// Larger nodes have their value in an overflow run.
    static func maxNodeSize(pageSize: Int) -> Int { ((pageSize - headerSize) / 2 & ~1) - 2 }

    static func isPageSize(_ size: UInt32) -> Bool {
        size >= minPageSize && size <= maxPageSize && size & (size - 1) == 0
    }
}

/// What LMDB records of a tree (`MDB_db`), 48 bytes.
struct TreeRecord: Hashable, Sendable {
    static let size = 48

    let padding: UInt32
    let flags: UInt16
    let depth: UInt16
    let branchPages: UInt64
    let leafPages: UInt64
    let overflowPages: UInt64
    let entries: UInt64
    let root: UInt64

    init(_ bytes: PageBytes, at offset: Int) {
        padding = bytes.uint32(offset)
        flags = bytes.uint16(offset + 4)
        depth = bytes.uint16(offset + 6)
        branchPages = bytes.uint64(offset + 8)
        leafPages = bytes.uint64(offset + 16)
        overflowPages = bytes.uint64(offset + 24)
        entries = bytes.uint64(offset + 32)
        root = bytes.uint64(offset + 40)
    }

    var isEmpty: Bool { root == PageFormat.noPage }

    /// What can't be right of this record in a file whose highest page is `lastPage`: the field and its value.
    func fault(lastPage: UInt64, isFreeTree: Bool) -> (field: String, value: UInt64)? {
        let allowed = isFreeTree ? PageFormat.noSubfolderFlag : 0
        let expected = isFreeTree ? PageFormat.integerKeyFlag : 0
        if flags & ~allowed != expected { return ("flags", UInt64(flags)) }
        if depth > PageFormat.maxDepth { return ("depth", UInt64(depth)) }
        if isEmpty {
            if depth != 0 { return ("depth", UInt64(depth)) }
            if entries != 0 { return ("entries", entries) }
            return nil
        }
        if depth == 0 { return ("depth", 0) }
        if root < 2 || root > lastPage { return ("root", root) }
        return nil
    }
}

/// The content of a meta page.
struct MetaPage: Hashable, Sendable {
    static let size = 152

    let position: Int
    let pageNumber: UInt64
    let pageFlags: UInt16
    let magic: UInt32
    let version: UInt32
    let address: UInt64
    let free: TreeRecord
    let main: TreeRecord
    let lastPage: UInt64
    let transaction: UInt64

    init(_ bytes: PageBytes, position: Int) {
        self.position = position
        pageNumber = bytes.uint64(0)
        pageFlags = bytes.uint16(10)
        magic = bytes.uint32(16)
        version = bytes.uint32(20)
        address = bytes.uint64(24)
        free = TreeRecord(bytes, at: 40)
        main = TreeRecord(bytes, at: 88)
        lastPage = bytes.uint64(136)
        transaction = bytes.uint64(144)
    }

    var pageSize: UInt32 { free.padding }
    var hasMagic: Bool { magic == PageFormat.magic && pageFlags == PageFormat.metaFlag }
    var isReadable: Bool { hasMagic && version == PageFormat.version && PageFormat.isPageSize(pageSize) }

    /// Each commit writes one of the two pages, in turns: so their numbers are neighbours, or both 0 in a new file. One that
    /// isn't the other's neighbour would make LMDB go back to an older state, or never forward again.
    func isNeighbour(of other: MetaPage) -> Bool {
        transaction == 0 && other.transaction == 0
            || max(transaction, other.transaction) - min(transaction, other.transaction) == 1
    }

    /// The first field that can't be right: its name and its value.
    var fault: (field: String, value: UInt64)? {
        if pageNumber != UInt64(position) { return ("page number", pageNumber) }
        if address != 0 { return ("map address", address) }
        if lastPage < 1 || lastPage >= PageFormat.maxFileSize / UInt64(max(1, pageSize)) { return ("last page", lastPage) }
        // The pages are written in turns; a new file has two of number 0.
        if transaction != 0, transaction & 1 != UInt64(position) { return ("transaction", transaction) }
        if let fault = free.fault(lastPage: lastPage, isFreeTree: true) { return ("free tree " + fault.field, fault.value) }
        if let fault = main.fault(lastPage: lastPage, isFreeTree: false) { return ("main tree " + fault.field, fault.value) }
        return nil
    }
}
