internal import FileSystem

/// What is known of a store that is written to: LMDB believes its file, so a page that lies would let it write over others.
///
/// Before the first write of a process, and whenever another process has written in between, the newest meta page and the pages
/// under ``HeadDigest`` must be those that the ``CommitNote`` speaks of; where they aren't, or there is no note, all pages are
/// walked, and nothing is written to a store in which anything is wrong. That much proves a write at the end of the databases that
/// are appended to. Before anything else is written or deleted, all pages are walked once a process.
///
/// Used by the one who has the turn to write alone.
struct WriteCheck: ~Copyable {
    private let file: PageFile
    private let note: OwnedFile
    private var digest: HeadDigest
    /// The state that is known to be right.
    private var known: CommitNote? = nil
    /// Whether all pages were walked in this process.
    private var isWhole = false

    /// - Parameters:
    ///   - identity: the data file that is mapped.
    ///   - appended: names of the databases that are written to at their ends.
    static func open(folder: String, identity: FileIdentity, appended: [String]) throws(StoreFileError) -> WriteCheck {
        let path = StoreFiles.dataPath(in: folder)
        let file = try PageFile.open(path)
        guard (try? file.file.status())?.identity == identity else { throw .notAStore(path: path) }
        guard let first = try file.meta(0, at: 0), first.isReadable else { throw .badMetaPage(path: path, page: 0) }
        let digest = HeadDigest(pageSize: Int(first.pageSize), appended: appended)
        return WriteCheck(file: file, note: openNote(folder + "/" + CommitNote.name), digest: digest)
    }

    private init(file: consuming PageFile, note: consuming OwnedFile, digest: HeadDigest) {
        self.file = file
        self.note = note
        self.digest = digest
    }

    /// The file of the note, made where there is none. Another program's file, a link, or a second name of somebody's file is left
    /// alone: then there is no note, and every process walks all pages.
    private static func openNote(_ path: String) -> OwnedFile {
        guard let found = try? OwnedFile.open(path, .create), let status = try? found.status(), status.isRegular, status.names == 1,
            CommitNote.isOurs(CommitNote.contents(found))
        else { return .absent }
        return found
    }

    /// What is to be written to.
    enum Part {
        /// The ends of the databases that are appended to, by the commit of this number.
        case head(before: UInt64)
        /// Whatever there is.
        case all
    }

    /// Throws unless the state that the write begins with is one in which that part may be written to.
    mutating func check(_ part: Part) throws(StoreFileError) {
        switch part {
        case .head(let number): try checkHead(before: number)
        case .all: if !isWhole { try walk() }
        }
    }

    private mutating func checkHead(before number: UInt64) throws(StoreFileError) {
        let (newest, older) = try StoreCheck.metas(file)
        if let fault = newest.fault { throw badMeta(newest, fault.field, fault.value) }
        // The commit will fill in the older one, and leave its head as it is.
        if older.pageNumber != UInt64(older.position) { throw badMeta(older, "page number", older.pageNumber) }
        if older.address != 0 { throw badMeta(older, "map address", older.address) }
        // LMDB goes by what it noted when the store was first opened.
        guard newest.transaction &+ 1 == number else { throw badMeta(newest, "transaction", newest.transaction) }
        let metaDigest = try CommitNote.digest(ofMeta: newest, in: file)
        if let known, known.transaction == newest.transaction, known.metaDigest == metaDigest { return }
        known = nil
        let noted = CommitNote.read(note)
        if let noted, noted.transaction > newest.transaction, try CommitNote.digest(ofMeta: older, in: file) == noted.metaDigest,
            try digest.of(older, in: file) == noted.headDigest
        {
            // The commit's own meta page is there, under another number, and so are its pages: to write now would bury the commit.
            // A file that was put back may have a meta page of the same content by chance, and never the pages too.
            throw badMeta(older, "transaction", older.transaction)
        }
        if let noted, noted.transaction == newest.transaction, noted.metaDigest == metaDigest,
            try digest.of(newest, in: file) == noted.headDigest
        {
            known = noted
            return
        }
        try walk()
        try record(newest)
    }

    private mutating func walk() throws(StoreFileError) {
        try StoreCheck.checkAllPages(file.path)
        isWhole = true
    }

    /// Notes what the file holds after a commit. That this fails costs the next writer a walk, and nobody data.
    mutating func noteCommit() {
        forget()
        guard let metas = try? StoreCheck.metas(file) else { return }
        try? record(metas.newest)
    }

    /// A commit failed, and nobody knows what it left.
    mutating func forget() { known = nil }

    private mutating func record(_ newest: MetaPage) throws(StoreFileError) {
        guard let head = try digest.of(newest, in: file) else { return }
        let metaDigest = try CommitNote.digest(ofMeta: newest, in: file)
        let state = CommitNote(transaction: newest.transaction, metaDigest: metaDigest, headDigest: head)
        known = state
        if note.isOpen { try? note.write(state.bytes, at: 0) }
    }

    private func badMeta(_ meta: MetaPage, _ field: String, _ value: UInt64) -> StoreFileError {
        .badMetaField(path: file.path, page: meta.position, field: field, value: value)
    }
}
