internal import FileSystem

/// Whether the two meta pages of a file are of the commits that they say, as far as their trees of free pages tell: a commit
/// notes there, under its own number, which pages it freed, and every commit but the first frees some.
enum SnapshotAge {
    /// Nothing speaks against it.
    case right
    /// The pages that would tell can't be read, or are being used again at this moment.
    case unknown
    /// The newest snapshot is of an earlier commit than its meta page says.
    case newestIsEarlier
    /// The older one is of a later commit, which its changed number hides: it knows more pages than the newest, and files never shrink,
    /// or the note beside the file says that it was acknowledged.
    case olderIsLater
    /// The older one names a commit after its own. Either its number was changed, and a commit is hidden, or it is what LMDB left of
    /// a commit that failed at the very last step: then it has put back the number and the last page, and left the roots.
    case olderMayBeLater

    /// Reads the rightmost path of both trees of free pages.
    init(newest: MetaPage, older: MetaPage, in file: borrowing PageFile) throws(StoreFileError) {
        self = .right
        guard !newest.main.isEmpty, !older.main.isEmpty else { return }
        if older.lastPage > newest.lastPage {
            self = .olderIsLater
            return
        }
        guard let newestKey = try Self.lastKey(of: newest, in: file), let olderKey = try Self.lastKey(of: older, in: file) else {
            self = .unknown
            return
        }
        if newest.transaction > 1, newestKey < newest.transaction {
            // Where the note was written for this very page, it is the list's number that was changed.
            if try !CommitNote.vouches(for: newest, in: file) { self = .newestIsEarlier }
        } else if olderKey > older.transaction {
            switch try CommitNote.isHidden(older, behind: newest, in: file) {
            case true?: self = .olderIsLater
            case false?: self = .right
            case nil: self = .olderMayBeLater
            }
        }
    }

    /// The greatest key in the tree of free pages, 0 in an empty one; nil where it can't be followed.
    private static func lastKey(of meta: MetaPage, in file: borrowing PageFile) throws(StoreFileError) -> UInt64? {
        guard !meta.free.isEmpty else { return 0 }
        let pageSize = Int(meta.pageSize)
        let buffers = PageBuffers(pageSize: pageSize, count: 1)
        var number = meta.free.root
        for _ in 0..<PageFormat.maxDepth {
            guard number >= 2, number <= meta.lastPage, unsafe try file.read(into: buffers.writable(0), at: Int(number) * pageSize) else {
                return nil
            }
            let page = buffers.page(0)
            let isLeaf = page.uint16(10) == PageFormat.leafFlag
            let count = (Int(page.uint16(12)) - PageFormat.headerSize) / 2
            guard page.uint64(0) == number, isLeaf || page.uint16(10) == PageFormat.branchFlag, count > 0,
                let node = TreeNode(count - 1, of: page, isLeaf: isLeaf, pageSize: pageSize)
            else { return nil }
            if isLeaf { return node.keySize == 8 ? page.uint64(node.keyOffset) : nil }
            number = node.child
        }
        return nil
    }
}

extension CommitNote {
    /// Whether the note beside the file was written for this meta page.
    fileprivate static func vouches(for meta: MetaPage, in file: borrowing PageFile) throws(StoreFileError) -> Bool {
        guard let note = read(inStore: Files.folder(of: file.path)), note.transaction == meta.transaction else { return false }
        return try digest(ofMeta: meta, in: file) == note.metaDigest
    }

    /// Whether the note beside the file says that the older meta page is of a commit after the newest one, which was acknowledged; nil where
    /// it says nothing of either.
    fileprivate static func isHidden(_ older: MetaPage, behind newest: MetaPage, in file: borrowing PageFile) throws(StoreFileError)
        -> Bool?
    {
        guard let note = read(inStore: Files.folder(of: file.path)) else { return nil }
        if note.transaction > newest.transaction { return try digest(ofMeta: older, in: file) == note.metaDigest ? true : nil }
        guard note.transaction == newest.transaction else { return nil }
        return try digest(ofMeta: newest, in: file) == note.metaDigest ? false : nil
    }
}
