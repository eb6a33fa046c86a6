internal import CXXHash
internal import FileSystem

/// A small file beside the data file that says which commit is the newest, and what a next write relies on: the content of its meta
/// page and a digest of the pages that lead to the free ones.
///
/// Written after each commit, once that is on the disk, and not synced: it may be missing, old or torn, and is never needed. One
/// that says what the file says proves that nothing which it covers has changed since a commit that was made by these
/// rules. One that is ahead of the file says that the file has lost a commit which was acknowledged.
package struct CommitNote: Hashable, Sendable {
    /// The number of the newest commit.
    package let transaction: UInt64
    /// Of the content of its meta page, but for the number.
    let metaDigest: UInt64
    /// See ``HeadDigest``.
    let headDigest: UInt64

    static let name = "commit.note"
    static let size = 40
    private static let magic: UInt64 = 0x31_45_54_4F_4E_4D_47_45  // "EGMNOTE1"

    init(transaction: UInt64, metaDigest: UInt64, headDigest: UInt64) {
        self.transaction = transaction
        self.metaDigest = metaDigest
        self.headDigest = headDigest
    }

    /// Nil for bytes that no note has.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        let words = stride(from: 0, to: Self.size, by: 8).map { offset in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
        }
        guard words[0] == Self.magic, words[4] == Self.digest(bytes[..<32]) else { return nil }
        self.init(transaction: words[1], metaDigest: words[2], headDigest: words[3])
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for word in [Self.magic, transaction, metaDigest, headDigest] { Self.append(word, to: &bytes) }
        Self.append(Self.digest(bytes[...]), to: &bytes)
        return bytes
    }

    private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }

    private static func digest(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            return unsafe XXH3_64bits(start, bytes.count)
        }
    }

    /// Whether a file begins like a note, or is empty: any other is somebody else's.
    static func isOurs(_ bytes: [UInt8]) -> Bool {
        bytes.isEmpty || bytes.prefix(8).elementsEqual(CommitNote(transaction: 0, metaDigest: 0, headDigest: 0).bytes.prefix(8))
    }

    /// Of the content of a meta page, from its map size to its last page.
    static func digest(ofMeta meta: MetaPage, in file: borrowing PageFile) throws(StoreFileError) -> UInt64 {
        let offset = meta.position * Int(meta.pageSize)
        return digest(try file.bytes(at: offset + 24, count: 120)[...])
    }
}

extension CommitNote {
    /// The note of the store in the folder `path`; nil where there is none that can be read.
    package static func read(inStore path: String) -> CommitNote? {
        guard let file = try? OwnedFile.open(path + "/" + name, .read) else { return nil }
        return read(file)
    }

    /// Removes the note of the store in the folder `path`, if there is one. Another program's file of that name stays.
    static func remove(fromStore path: String) {
        guard let folder = try? Folder.open(path), let file = try? folder.file(name, .read), let status = try? file.status(),
            status.isRegular, status.names == 1, isOurs(contents(file))
        else { return }
        try? folder.removeFile(name)
    }

    static func read(_ file: borrowing OwnedFile) -> CommitNote? {
        CommitNote(contents(file))
    }

    /// What a file of a note's size holds, and one byte more of a longer one.
    static func contents(_ file: borrowing OwnedFile) -> [UInt8] {
        guard file.isOpen else { return [] }
        var bytes = [UInt8](repeating: 0, count: size + 1)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in unsafe (try? file.read(into: buffer, at: 0)) ?? 0 }
        return Array(bytes.prefix(count))
    }
}
