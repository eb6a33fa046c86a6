/// What is wrong with an archive or with compressed bytes, and where.
package struct ArchiveError: Error, Hashable, Sendable {
    /// The ways in which an archive can be wrong.
    package enum Kind: Hashable, Sendable {
        /// The file can't be opened; the system's or the library's words say why.
        case cannotOpen(String)
        /// Not a zip archive, or one whose directory is damaged.
        case notAnArchive(String)
        /// More members than anything honest has.
        case tooManyMembers(Int, limit: Int)
        /// No such member.
        case noSuchMember
        /// A member under a password.
        case encrypted
        /// A way of compressing that the library doesn't know.
        case unknownCompression
        /// Larger than its reader allows: declared so, or found so.
        case tooLarge(limit: Int)
        /// Far larger than its compressed bytes can honestly be.
        case suspiciousRatio(compressed: Int, limit: Int)
        /// The member's size isn't the declared one.
        case sizeMismatch(declared: Int, actual: Int)
        /// The bytes end early.
        case truncated
        /// The compressed bytes are damaged, or their checksum differs; the library's words say what it met.
        case damaged(String)
    }

    /// What is wrong.
    package let kind: Kind
    /// The archive.
    package let path: String
    /// The member; `nil` where the archive as a whole is meant.
    package let member: String?

    package init(_ kind: Kind, path: String, member: String? = nil) {
        self.kind = kind
        self.path = path
        self.member = member
    }
}

extension ArchiveError: CustomStringConvertible {
    package var description: String {
        let what =
            switch kind {
            case .cannotOpen(let why): "can't be opened: \(why)"
            case .notAnArchive(let why): "is no readable zip archive: \(why)"
            case .tooManyMembers(let count, let limit): "has \(count) members; at most \(limit) are read"
            case .noSuchMember: "is not in the archive"
            case .encrypted: "is under a password: export it without one"
            case .unknownCompression: "is compressed in a way that can't be read: export it again"
            case .tooLarge(let limit): "is larger than \(limit) bytes"
            case .suspiciousRatio(let compressed, let limit): "grows more than \(limit)-fold from \(compressed) bytes: a decompression bomb"
            case .sizeMismatch(let declared, let actual): "should have \(declared) bytes and has \(actual)"
            case .truncated: "ends early: copy or download it again"
            case .damaged(let why): "is damaged: \(why)"
            }
        return "\(path)\(member.map { ": \($0)" } ?? "") \(what)"
    }
}

/// How much is read of what a stranger packed.
package struct ArchiveLimits: Hashable, Sendable {
    /// Members of an archive: a collection with media has tens of thousands.
    package var members = 1_000_000
    /// Bytes of one unpacked member.
    package var bytes = 1 << 30
    /// How many times its packed size a member may have once it is larger than `freeBytes`.
    package var ratio = 250
    /// Up to this size any ratio will do: an almost empty database packs very well.
    package var freeBytes = 64 << 20

    package init() {}

    package init(members: Int = 1_000_000, bytes: Int, ratio: Int = 250, freeBytes: Int = 64 << 20) {
        self.members = members
        self.bytes = bytes
        self.ratio = ratio
        self.freeBytes = freeBytes
    }

    /// Why `count` unpacked bytes out of `packed` are too many; `nil` where they aren't.
    func objection(to count: Int, packed: Int) -> ArchiveError.Kind? {
        if count > bytes { return .tooLarge(limit: bytes) }
        guard count > freeBytes else { return nil }
        let (most, overflow) = max(1, packed).multipliedReportingOverflow(by: ratio)
        return !overflow && count > most ? .suspiciousRatio(compressed: packed, limit: ratio) : nil
    }
}
