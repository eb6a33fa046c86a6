internal import Archive
internal import SQLite

extension ImportError {
    /// What an archive's error means for an import.
    init(_ error: ArchiveError) {
        let reason: Reason =
            switch error.kind {
            case .cannotOpen(let why): .unreadable(why)
            case .tooLarge(let limit): .tooLarge(limit: limit)
            case .noSuchMember: .missing("the member")
            case .notAnArchive(let why), .damaged(let why): .damaged(why)
            case .tooManyMembers(let count, let limit): .damaged("\(count) members, and at most \(limit) are read")
            case .encrypted: .unreadable("it is under a password")
            case .unknownCompression: .unreadable("it is compressed in a way that can't be read")
            case .suspiciousRatio(let packed, let limit): .damaged("it grows more than \(limit)-fold from \(packed) bytes")
            case .sizeMismatch(let declared, let actual): .damaged("it should have \(declared) bytes and has \(actual)")
            case .truncated: .damaged("it ends early")
            }
        self.init(path: error.path, place: error.member.map { .member($0) } ?? .file, reason: reason)
    }

    /// What a database's error means for an import.
    init(_ error: SQLiteError, path: String, member: String? = nil) {
        let reason: Reason =
            switch error.code.primary {
            case .cannotOpen, .inputOutput, .tooBig: .unreadable(error.message)
            case .outOfMemory: .unreadable("it needs more memory than a file of its size may take, or than there is")
            case .busy: .unreadable("another program is using it: close that program, or import a copy")
            case .interrupted: .damaged("it asks for more work than any honest file")
            default: .damaged(error.message)
            }
        let place = error.statement.map { Place.table($0) } ?? member.map { .member($0) } ?? .file
        self.init(path: path, place: place, reason: reason)
    }
}
