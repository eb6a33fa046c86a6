internal import CXXHash

/// A digest over the pages that a write to the end of some trees relies on, as they lie in the file: the whole tree of free
/// pages with its lists, the whole main tree, and of each database that is appended to the pages from its root to its last leaf.
///
/// Two states with one digest have the same free pages, roots and counters, and the same ends of those databases: what proved
/// one proves the other. Reads plainly, within bounds, and ends on any input.
struct HeadDigest {
    /// No sound list of free pages takes up more: this many pages name free space of 32 GiB.
    private static let maxPages = 1 << 14
    /// Levels of a tree, a run of a large list, and nothing else.
    private let buffers: PageBuffers
    private let pageSize: Int
    private let appended: [[UInt8]]
    private var lastPage: UInt64 = 0
    private var pagesLeft = 0
    private var value: UInt64 = 0
    private var found: [TreeRecord] = []

    /// - Parameter appended: names of the databases that are written to at their ends.
    init(pageSize: Int, appended: [String]) {
        self.pageSize = pageSize
        self.appended = appended.map { Array($0.utf8) }
        buffers = PageBuffers(pageSize: pageSize, count: PageFormat.maxDepth + 2)
    }

    /// The digest of the state that `meta` begins; nil where its pages can't be followed.
    mutating func of(_ meta: MetaPage, in file: borrowing PageFile) throws(StoreFileError) -> UInt64? {
        guard meta.fault == nil, Int(meta.pageSize) == pageSize else { return nil }
        (lastPage, pagesLeft, value, found) = (meta.lastPage, Self.maxPages, 0, [])
        guard try add(meta.free, .free, file), try add(meta.main, .main, file) else { return nil }
        let ends = found
        for record in ends {
            guard record.fault(lastPage: lastPage, isFreeTree: false) == nil, try add(record, .end, file) else { return nil }
        }
        return value
    }

    /// How much of a tree is looked at.
    private enum Part {
        case free
        case main
        /// Only the last page of each level.
        case end
    }

    private mutating func add(_ record: TreeRecord, _ part: Part, _ file: borrowing PageFile) throws(StoreFileError) -> Bool {
        record.isEmpty ? true : try add(record.root, level: 1, depth: Int(record.depth), part, file)
    }

    private mutating func add(
        _ page: UInt64, level: Int, depth: Int, _ part: Part, _ file: borrowing PageFile
    ) throws(StoreFileError) -> Bool {
        guard level <= depth, depth <= PageFormat.maxDepth, try take(page, level: level, file) else { return false }
        let bytes = buffers.page(level)
        let isLeaf = level == depth
        guard bytes.uint64(0) == page, bytes.uint16(10) == (isLeaf ? PageFormat.leafFlag : PageFormat.branchFlag) else { return false }
        let count = (Int(bytes.uint16(12)) - PageFormat.headerSize) / 2
        guard count >= 1, PageFormat.headerSize + 2 * count <= pageSize else { return false }
        if isLeaf, part == .end { return true }
        for index in (part == .end ? count - 1 : 0)..<count {
            guard let node = TreeNode(index, of: bytes, isLeaf: isLeaf, pageSize: pageSize) else { return false }
            if !isLeaf {
                guard try add(node.child, level: level + 1, depth: depth, part, file) else { return false }
            } else if node.isBig {
                guard try addRun(bytes.uint64(node.valueOffset), size: node.valueSize, file) else { return false }
            } else if part == .main, node.flags == PageFormat.subtreeFlag, node.valueSize == TreeRecord.size,
                appended.contains(bytes.slice(node.keyOffset, node.keySize).array)
            {
                found.append(TreeRecord(bytes, at: node.valueOffset))
            }
        }
        return true
    }

    /// A large list of free pages, with the header that says how many pages it has.
    private mutating func addRun(_ run: UInt64, size: Int, _ file: borrowing PageFile) throws(StoreFileError) -> Bool {
        let pages = (PageFormat.headerSize + size + pageSize - 1) / pageSize
        for index in 0..<pages {
            guard try take(run &+ UInt64(index), level: PageFormat.maxDepth + 1, file) else { return false }
        }
        return true
    }

    /// Reads a page into the buffer of a level and adds it to the digest.
    private mutating func take(_ page: UInt64, level: Int, _ file: borrowing PageFile) throws(StoreFileError) -> Bool {
        guard page >= 2, page <= lastPage, pagesLeft > 0 else { return false }
        pagesLeft -= 1
        let target = unsafe buffers.writable(level)
        guard unsafe try file.read(into: target, at: Int(page) * pageSize), let start = target.baseAddress else { return false }
        value = unsafe XXH3_64bits_withSeed(start, target.count, value)
        return true
    }
}
