/// The state of one check of all pages: what is claimed by whom, what was counted, what was found.
struct PageWalker: ~Copyable {
    /// What a page is known to be, in the snapshot that is being walked and in the one before.
    private struct Claim {
        static let used: UInt8 = 1
        static let free: UInt8 = 2
        static let now = used | free
        /// Claimed in an earlier snapshot: what can be said of the page by itself has been said.
        static let before: UInt8 = 4
        /// Freed by the commit of the newest snapshot, so in use in the one before.
        static let freedLast: UInt8 = 8
    }

    /// More pages than this are not checked: memory is three bytes each.
    private static let maxPages = 1 << 26

    private let file: PageFile
    private(set) var pageSize = 0
    private var pagesInFile: UInt64 = 0
    /// Those of them that some state may use.
    private(set) var filePages: UInt64 = 0
    private(set) var lastPage: UInt64 = 0
    private(set) var transaction: UInt64 = 0
    private(set) var buffers = PageBuffers(pageSize: 0, count: 1)
    private var claims: [UInt8] = []
    /// Entries of the leaves that were found sound and have nothing outside of them; 0 for every other page.
    private var plainLeafEntries: [UInt16] = []
    private var window = PageWindow(pageSize: 0)
    /// The named trees that are walked; nil is all of them.
    private(set) var wanted: Set<[UInt8]>?

    /// The last commit that freed pages, of those that the snapshot's lists name.
    private var lastFreeKey: UInt64 = 0
    private var usedPages: UInt64 = 0
    private var freePages: UInt64 = 0
    private var freePagesBeyondFile: UInt64 = 0
    private var pagesChecked = 2
    private var findings: [PageCheck.Finding] = []
    private var counts: [PageCheck.Kind: Int] = [:]
    private var hiddenCommit: UInt64?
    /// Findings so far: a tree in which none was made must have the counters that it says.
    private(set) var findingCount = 0

    init(_ file: consuming PageFile) throws(StoreFileError) {
        self.file = file
    }

    mutating func run(_ wanted: PageCheck.Snapshots) throws(StoreFileError) -> PageCheck {
        var snapshots: [PageCheck.Snapshot] = []
        let metas = try readMetas()
        if try prepare(metas) {
            for (age, meta) in metas.enumerated() {
                if age == 1, wanted == .newest || wasTakenBack(meta, before: metas[0]) { break }
                if age == 1, hiddenCommit != nil { break }
                reportFault(of: meta)
                snapshots.append(try walk(meta))
                if age == 0 {
                    checkAge(of: metas)
                    try lookForHiddenCommit(metas)
                }
            }
        }
        return PageCheck(
            pageSize: pageSize, pagesChecked: snapshots.isEmpty ? 0 : pagesChecked, findings: findings, counts: counts,
            snapshots: snapshots, hiddenCommit: hiddenCommit)
    }

    /// The first finding in the main tree and the named ones of these names, looked at by themselves: whether others use their pages
    /// too is no matter here.
    mutating func firstFinding(in names: [String]) throws(StoreFileError) -> PageCheck.Finding? {
        let metas = try readMetas()
        if findingCount == 0, let newest = metas.first, try prepare(metas) {
            reportFault(of: newest)
            wanted = Set(names.map { Array($0.utf8) })
            (lastPage, transaction) = (newest.lastPage, newest.transaction)
            var trees: [PageCheck.Tree] = []
            try walkTree(newest.main, .main, into: &trees)
        }
        return findings.first
    }

    /// The names in the main tree of the newest snapshot; nil where that tree can't be followed without a finding.
    mutating func databaseNames() throws(StoreFileError) -> Set<[UInt8]>? {
        let metas = try readMetas()
        guard findingCount == 0, let newest = metas.first, try prepare(metas) else { return nil }
        (lastPage, transaction) = (newest.lastPage, newest.transaction)
        let names = try subtreeNames(of: newest.main)
        return findingCount == 0 ? names : nil
    }

    /// The meta pages that can be followed, the newest first. Where the first is lost, the place of the second is guessed.
    private mutating func readMetas() throws(StoreFileError) -> [MetaPage] {
        var metas: [MetaPage] = []
        let first = try file.meta(0, at: 0)
        if let meta = check(first, at: 0, pageSize: nil) { metas.append(meta) }
        let sizes = first.map(\.isReadable) == true ? [first?.pageSize ?? 0] : [4096, 8192, 16384, 32768]
        var second: MetaPage?
        for size in sizes {
            second = try file.meta(1, at: Int(size))
            if second?.isReadable == true, second?.pageSize == size { break }
        }
        if let meta = check(second, at: 1, pageSize: first?.isReadable == true ? first?.pageSize : nil) { metas.append(meta) }
        if metas.count == 2, !metas[0].isNeighbour(of: metas[1]) {
            let numbers = "\(metas[0].transaction) and \(metas[1].transaction)"
            report(.badMeta, 0, "the meta pages are of commits \(numbers), which don't follow each other")
        }
        return metas.sorted { $0.transaction > $1.transaction }
    }

    /// Says what is wrong with a meta page; returns it if it can be followed.
    private mutating func check(_ meta: MetaPage?, at position: Int, pageSize: UInt32?) -> MetaPage? {
        let page = UInt64(position)
        guard let meta else {
            report(.badMeta, page, "the file ends before it")
            return nil
        }
        guard meta.isReadable, pageSize == nil || pageSize == meta.pageSize else {
            report(
                .badMeta, page,
                "magic \(meta.magic), version \(meta.version), flags \(meta.pageFlags), page size \(meta.pageSize)")
            return nil
        }
        // A root out of range is found again where it is followed.
        if meta.lastPage < PageFormat.maxFileSize / UInt64(meta.pageSize) { return meta }
        reportFault(of: meta)
        return nil
    }

    private mutating func reportFault(of meta: MetaPage) {
        guard let fault = meta.fault else { return }
        report(.badMeta, UInt64(meta.position), "\(fault.field) is \(fault.value)")
    }

    /// Whether the older meta page is that of a commit that failed at the very last step.
    ///
    /// LMDB then puts back the page's old number and last page and leaves the roots, so that nobody takes it for the newest
    /// and its trees are those of no commit. That harms nobody: the next commit writes the page. It is known by a root that
    /// the newest snapshot has as a free page, or not at all, where the true one was freed by the newest commit itself.
    private func wasTakenBack(_ meta: MetaPage, before newest: MetaPage) -> Bool {
        guard meta.isNeighbour(of: newest) else { return false }
        return [meta.main.root, meta.free.root].contains { root in
            guard root >= 2, root < pagesInFile else { return false }
            return root > newest.lastPage || root < filePages && claims[Int(root)] & (Claim.free | Claim.freedLast) == Claim.free
        }
    }

    private mutating func prepare(_ metas: [MetaPage]) throws(StoreFileError) -> Bool {
        guard let first = metas.first else { return false }
        let length = try file.length()
        let lastPage = metas.reduce(0) { max($0, $1.lastPage) }
        pageSize = Int(first.pageSize)
        // What lies beyond is no state's.
        pagesInFile = UInt64(length / pageSize)
        filePages = min(pagesInFile, lastPage + 1)
        // Bytes after the last whole page are what a full disk left of a failed write. A page that is in use and isn't whole
        // is found to lie outside the file.
        guard filePages <= UInt64(PageWalker.maxPages) else {
            report(.badLength, filePages, "more pages than can be checked")
            return false
        }
        // One level more than a tree may have, and one for the first page of an overflow run.
        buffers = PageBuffers(pageSize: pageSize, count: PageFormat.maxDepth + 2)
        claims = [UInt8](repeating: 0, count: Int(filePages))
        plainLeafEntries = [UInt16](repeating: 0, count: Int(filePages))
        window = PageWindow(pageSize: pageSize)
        return true
    }

    private mutating func walk(_ meta: MetaPage) throws(StoreFileError) -> PageCheck.Snapshot {
        for index in claims.indices where claims[index] != 0 { claims[index] = Claim.before }
        (usedPages, freePages, freePagesBeyondFile, lastFreeKey) = (2, 0, 0, 0)
        (lastPage, transaction) = (meta.lastPage, meta.transaction)
        var trees: [PageCheck.Tree] = []
        try walkTree(meta.main, .main, into: &trees)
        try walkTree(meta.free, .free, into: &trees)
        return PageCheck.Snapshot(
            metaPage: meta.position, commitNumber: meta.transaction, lastPage: lastPage, usedPages: usedPages,
            freePages: freePages, leakedPages: countLeaks(), trees: trees)
    }

    /// A commit that changes anything frees the pages that it replaces, the root of the main tree at least. So the newest
    /// snapshot names its own commit in its lists; one that doesn't is an older one whose number was changed.
    private mutating func checkAge(of metas: [MetaPage]) {
        guard metas.count == 2, findingCount == 0, metas.allSatisfy({ !$0.main.isEmpty }) else { return }
        guard !wasTakenBack(metas[1], before: metas[0]) else { return }
        guard lastFreeKey != metas[0].transaction else { return }
        let (number, freed) = (metas[0].transaction, lastFreeKey)
        report(.badMeta, UInt64(metas[0].position), "of commit \(number), but the last commit that freed pages was \(freed)")
    }

    /// The older snapshot must not be newer than the newest: LMDB would have gone back by a commit.
    private mutating func lookForHiddenCommit(_ metas: [MetaPage]) throws(StoreFileError) {
        guard metas.count == 2, metas[0].isNeighbour(of: metas[1]) else { return }
        switch try SnapshotAge(newest: metas[0], older: metas[1], in: file) {
        case .right, .unknown, .newestIsEarlier: break
        case .olderIsLater:
            let number = metas[1].transaction
            hiddenCommit = metas[0].transaction + 1
            report(
                .badMeta, UInt64(metas[1].position),
                "of commit \(number), it says, but of a later one than the newest, which is hidden")
        case .olderMayBeLater: hiddenCommit = metas[0].transaction + 1
        }
    }

    /// Pages that nobody claimed. Where the file ends before the last page, the rest must be free.
    private mutating func countLeaks() -> UInt64 {
        let end = min(filePages, lastPage + 1)
        var leaks: UInt64 = 0
        var first: UInt64 = 0
        for page in stride(from: UInt64(2), to: end, by: 1) where claims[Int(page)] & Claim.now == 0 {
            if leaks == 0 { first = page }
            leaks += 1
        }
        let beyond = lastPage + 1 - end
        if beyond > freePagesBeyondFile {
            // Such a page would have been written, had it been used: so the file was cut, or the last page isn't that.
            let missing = beyond - freePagesBeyondFile
            report(.pageOutsideFile, end, "the file ends before \(missing) pages that aren't free, this one among them")
        }
        if leaks > 0 {
            let commit = transaction
            report(.leakedPages, first, "\(leaks) pages of commit \(commit) are neither in use nor free, this one first")
        }
        return leaks
    }
}

// MARK: - What the walk over a tree asks for

extension PageWalker {
    mutating func report(_ kind: PageCheck.Kind, _ page: UInt64, _ detail: @autoclosure () -> String) {
        findingCount += 1
        let count = (counts[kind] ?? 0) + 1
        counts[kind] = count
        guard count <= PageCheck.findingsPerKind else { return }
        findings.append(PageCheck.Finding(kind: kind, page: page, detail: detail()))
    }

    /// A finding that was made in an earlier snapshot and isn't told again.
    mutating func noteRepeated() { findingCount += 1 }

    /// Whether an earlier snapshot had the page in use too, so that what is wrong with it has been said.
    func wasSeen(_ page: UInt64) -> Bool {
        page < filePages && claims[Int(page)] & Claim.before != 0
    }

    mutating func noteFreeKey(_ key: UInt64) {
        lastFreeKey = max(lastFreeKey, key)
    }

    /// Notes that a leaf is sound by itself and has neither large values nor trees.
    mutating func notePlainLeaf(_ page: UInt64, entries: Int) {
        if page < filePages { plainLeafEntries[Int(page)] = UInt16(clamping: entries) }
    }

    /// The number of entries of a leaf that an earlier snapshot had too, and that needn't be read again; nil for any other.
    func entriesOfKnownLeaf(_ page: UInt64) -> UInt64? {
        guard wasSeen(page), plainLeafEntries[Int(page)] > 0 else { return nil }
        return UInt64(plainLeafEntries[Int(page)])
    }

    /// Claims a page that is in use. False, and a finding, if it can't be: out of range, or claimed already.
    mutating func claim(_ page: UInt64, from parent: UInt64) -> Bool {
        let last = lastPage
        guard page >= 2, page <= last else {
            report(.pageOutOfRange, page, "referred to by page \(parent); the last page is \(last)")
            return false
        }
        let pages = filePages
        guard page < pages else {
            report(.pageOutsideFile, page, "referred to by page \(parent); the file has \(pages) pages")
            return false
        }
        let claim = claims[Int(page)]
        if claim & Claim.free != 0 {
            report(.pageFreeAndUsed, page, "free, and referred to by page \(parent)")
            return false
        }
        if claim & Claim.used != 0 {
            report(.pageUsedTwice, page, "referred to a second time by page \(parent)")
            return false
        }
        if claim == 0 { pagesChecked += 1 }
        claims[Int(page)] = claim | Claim.used
        usedPages += 1
        return true
    }

    /// Claims a page that a list calls free.
    mutating func claimFree(_ page: UInt64, from parent: UInt64, freedBy key: UInt64) {
        let last = lastPage
        guard page >= 2, page <= last else {
            report(.pageOutOfRange, page, "free by page \(parent); the last page is \(last)")
            return
        }
        freePages += 1
        guard page < filePages else {
            freePagesBeyondFile += 1
            return
        }
        let claim = claims[Int(page)]
        if claim & Claim.now != 0 {
            report(
                .pageFreeAndUsed, page,
                claim & Claim.free != 0 ? "free twice, the second time by page \(parent)" : "free by page \(parent), and in use")
            return
        }
        claims[Int(page)] = claim | Claim.free | (key == transaction ? Claim.freedLast : 0)
    }

    /// Reads a page into the buffer of a level; false, and a finding, if the file ends before.
    mutating func load(_ page: UInt64, level: Int) throws(StoreFileError) -> Bool {
        guard let bytes = try view(page) else { return false }
        unsafe bytes.copy(to: buffers.writable(level))
        return true
    }

    /// The bytes of a page, until the next one is read; nil, and a finding, if the file ends before.
    mutating func view(_ page: UInt64) throws(StoreFileError) -> PageBytes? {
        guard page < filePages, let bytes = try window.page(Int(page), of: file) else {
            report(.pageOutsideFile, page, "the file ends before it")
            return nil
        }
        return bytes
    }

    /// What stands in the first 16 bytes of a page; nil, and a finding, if the file ends before.
    mutating func header(of page: UInt64) throws(StoreFileError) -> (number: UInt64, flags: UInt16, pages: UInt32)? {
        guard page < filePages, let header = try file.header(of: page, pageSize: pageSize) else {
            report(.pageOutsideFile, page, "the file ends before it")
            return nil
        }
        return header
    }
}
