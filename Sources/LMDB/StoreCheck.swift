internal import FileSystem

/// The check of a store before it is mapped: plain reads of its meta pages, and of all pages where the file's length isn't
/// what they promise.
///
/// LMDB itself trusts its file: a page that lies outside it, or a root that isn't a page of a tree, kills the process.
package enum StoreCheck {
    /// Checks the store in the folder `path`, in constant time where the file has the length that its newest meta page says.
    package static func quickCheck(_ path: String) throws(StoreFileError) {
        try check(dataPath: StoreFiles.dataPath(in: path), writerFile: .absent)
    }

    /// The same without the walk over all pages where the file is longer than its last page: pages beyond it harm nobody. Where it
    /// is shorter they are walked, since only that tells whether what is missing was in use.
    package static func headCheck(_ path: String) throws(StoreFileError) {
        try check(dataPath: StoreFiles.dataPath(in: path), writerFile: .absent, mayBeLonger: true)
    }

    /// Walks all pages of the newest commit of the store in the folder `path`, whatever the length of the file. Others may write
    /// to it meanwhile: where something is found, they are held off, and all is looked at once more.
    package static func checkPages(_ path: String) throws(StoreFileError) {
        let dataPath = StoreFiles.dataPath(in: path)
        do throws(StoreFileError) { return try checkAllPages(dataPath) } catch {
            guard let writer = try? OwnedFile.open(StoreFiles.writerPath(in: path), .read),
                (try? writer.lock(.exclusive, waiting: true)) != nil
            else { throw error }
            // The lock goes with the file.
            try checkAllPages(dataPath)
        }
    }

    /// Throws where the main tree is sound and lacks one of these databases: a file of another program, which nothing may be written
    /// to, or beside.
    package static func checkNames(_ names: [String], in path: String) throws(StoreFileError) {
        let dataPath = StoreFiles.dataPath(in: path)
        var walker = try PageWalker(PageFile.open(dataPath))
        guard let found = try walker.databaseNames(), let missing = names.first(where: { !found.contains(Array($0.utf8)) }) else { return }
        throw .missingDatabase(path: dataPath, name: missing)
    }

    /// Looks at the databases of these names alone: what is read of them is then theirs, whatever is wrong with others.
    package static func checkPages(of names: [String], in path: String) throws(StoreFileError) {
        let dataPath = StoreFiles.dataPath(in: path)
        var walker = try PageWalker(PageFile.open(dataPath))
        guard let first = try walker.firstFinding(in: names) else { return }
        throw .damaged(path: dataPath, first: first, count: 1)
    }

    /// The same, with writers held off by `writerFile` while all pages are read.
    static func check(dataPath: String, writerFile: borrowing OwnedFile, mayBeLonger: Bool = false) throws(StoreFileError) {
        let file = try PageFile.open(dataPath)
        // A commit that happens between two reads may look odd for a moment; what is truly wrong stays so.
        var attempts = 3
        while true {
            do throws(StoreFileError) {
                if try hasExpectedLength(file, mayBeLonger: mayBeLonger) { return }
                break
            } catch {
                attempts -= 1
                guard attempts > 0 else { throw error }
                System.sleep(milliseconds: 2)
            }
        }
        let isLocked = writerFile.isOpen && (try? writerFile.lock(.exclusive, waiting: true)) != nil
        defer { if isLocked { try? writerFile.lock(.none, waiting: false) } }
        try checkAllPages(dataPath)
    }

    /// Checks both meta pages and the newest one's roots; tells whether the file ends where the last page does. It may end
    /// earlier (pages at the end that are free may never have been written) or later (a failed transaction made it grow).
    private static func hasExpectedLength(_ file: borrowing PageFile, mayBeLonger: Bool) throws(StoreFileError) -> Bool {
        let (newest, older) = try metas(file)
        if let fault = newest.fault {
            throw .badMetaField(path: file.path, page: newest.position, field: fault.field, value: fault.value)
        }
        switch try SnapshotAge(newest: newest, older: older, in: file) {
        case .right, .unknown, .olderMayBeLater: break
        case .newestIsEarlier:
            throw .badMetaField(path: file.path, page: newest.position, field: "transaction", value: newest.transaction)
        case .olderIsLater:
            throw .badMetaField(path: file.path, page: older.position, field: "transaction", value: older.transaction)
        }
        // Pages are written before the meta page that knows them, so the length is asked for last.
        let pageSize = Int(newest.pageSize)
        let length = try file.length()
        for root in [newest.free.root, newest.main.root] where root != PageFormat.noPage {
            guard root < UInt64(length / pageSize), let header = try file.header(of: root, pageSize: pageSize) else {
                throw .tooShort(path: file.path, length: length, needed: (Int(root) + 1) * pageSize)
            }
            guard header.number == root, [PageFormat.branchFlag, PageFormat.leafFlag].contains(header.flags) else {
                let finding = PageCheck.Finding(
                    kind: .badPageHeader, page: root, detail: "root has number \(header.number) and flags \(header.flags)")
                throw .damaged(path: file.path, first: finding, count: 1)
            }
        }
        let expected = (newest.lastPage + 1) * UInt64(pageSize)
        return UInt64(length) == expected || mayBeLonger && UInt64(length) > expected
    }

    /// LMDB opens a file only if both of its meta pages are ones.
    static func metas(_ file: borrowing PageFile) throws(StoreFileError) -> (newest: MetaPage, older: MetaPage) {
        let length = try file.length()
        let least = 2 * Int(PageFormat.minPageSize)
        guard length >= least, let first = try file.meta(0, at: 0) else {
            throw .tooShort(path: file.path, length: length, needed: least)
        }
        try checkIdentity(first, file.path)
        guard length >= 2 * Int(first.pageSize), let second = try file.meta(1, at: Int(first.pageSize)) else {
            throw .tooShort(path: file.path, length: length, needed: 2 * Int(first.pageSize))
        }
        try checkIdentity(second, file.path)
        guard second.pageSize == first.pageSize else {
            throw .badPageSize(path: file.path, page: 1, size: second.pageSize)
        }
        let (newest, older) = first.transaction < second.transaction ? (second, first) : (first, second)
        guard first.isNeighbour(of: second) else {
            throw .badMetaField(
                path: file.path, page: newest.position, field: "transaction", value: newest.transaction)
        }
        return (newest, older)
    }

    private static func checkIdentity(_ meta: MetaPage, _ path: String) throws(StoreFileError) {
        guard meta.hasMagic else { throw .badMetaPage(path: path, page: meta.position) }
        guard meta.version == PageFormat.version else { throw .unsupportedVersion(path: path, version: meta.version) }
        guard PageFormat.isPageSize(meta.pageSize) else {
            throw .badPageSize(path: path, page: meta.position, size: meta.pageSize)
        }
    }

    /// Refuses what would crash or mislead LMDB. Leaked pages only waste space.
    static func checkAllPages(_ dataPath: String) throws(StoreFileError) {
        let check = try PageCheck.run(dataPath: dataPath, snapshots: .newest)
        let grave = check.findings.filter { $0.kind != .leakedPages }
        guard let first = grave.first else { return }
        throw .damaged(path: dataPath, first: first, count: check.findingCount - (check.counts[.leakedPages] ?? 0))
    }
}
