/// Why a folder can't be opened as a store, found by plain reads before anything is mapped.
package enum StoreFileError: Error, Hashable, Sendable {
    /// There is no folder, or no data file in it.
    case notAStore(path: String)
    /// A symbolic link, a folder, a device: anything but a regular file.
    case notARegularFile(path: String)
    /// A lock file that has other names as well (hard links), so that it may be somebody's.
    case hasOtherNames(path: String)
    /// The file could not be read.
    case unreadable(path: String, code: LMDBCode)
    /// The file ends before what must be in it.
    case tooShort(path: String, length: Int, needed: Int)
    /// A meta page isn't one, or its magic number isn't there.
    case badMetaPage(path: String, page: Int)
    /// A file of another format of LMDB (2 is that of LMDB 1.0).
    case unsupportedVersion(path: String, version: UInt32)
    /// A page size that isn't a power of two from 256 to 32,768, or not the same in both meta pages.
    case badPageSize(path: String, page: Int, size: UInt32)
    /// A field of the newest meta page that can't be right.
    case badMetaField(path: String, page: Int, field: String, value: UInt64)
    /// Pages that are in use lie outside the file, or the trees are damaged: the first finding, and how many there are.
    case damaged(path: String, first: PageCheck.Finding, count: Int)
    /// A database that every such store has isn't found in it, so what leads to it is damaged.
    case missingDatabase(path: String, name: String)
    /// The store is being written to, and what is to be done needs it to stay as it is.
    case busy(path: String)
}

extension StoreFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAStore(let path): "no store is here: \(path) is missing"
        case .notARegularFile(let path): "\(path) is not a regular file"
        case .hasOtherNames(let path):
            "\(path) has a second name somewhere (a hard link), and may be somebody's file: remove this name of it, and try again"
        case .unreadable(let path, let code): "\(path) can't be read: \(code)"
        case .tooShort(let path, let length, let needed):
            "\(path) was cut: it has \(length) bytes and needs at least \(needed): restore a copy, or salvage what is left"
        case .badMetaPage(let path, let page): "\(path) is not an LMDB file, or its meta page \(page) is damaged"
        case .unsupportedVersion(let path, let version):
            "\(path) has format version \(version) of LMDB, and only version 1 (LMDB 0.9) is read here"
        case .badPageSize(let path, let page, let size): "\(path): meta page \(page) gives a page size of \(size)"
        case .badMetaField(let path, let page, let field, let value): "\(path): meta page \(page) gives \(field) = \(value)"
        case .busy(let path): "\(path) is being written to, and the write doesn't end"
        case .missingDatabase(let path, let name): "\(path) has no database “\(name)”: what leads to it is damaged"
        case .damaged(let path, let first, let count):
            "\(path) is damaged, \(count) finding\(count == 1 ? "" : "s"), the first: \(first)"
        }
    }
}
