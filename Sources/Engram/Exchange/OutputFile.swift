internal import FileSystem

/// A file that is there as a whole or not at all: it is written in a folder beside its place, brought to the disk, and put there.
final class OutputFile {
    private let path: String
    private let overwrites: Bool
    private let work: WorkFolder
    private let file: OwnedFile
    private var offset = 0

    static let exports = WorkFolder.Kind("export", files: ["file"])

    /// Begins a file for `path`.
    ///
    /// - Throws: ``StoreError/fileExists(path:)`` where a file is there that isn't to be overwritten; ``StoreError/badInput(path:place:why:)``
    ///   where what is there isn't a regular file, a link for one.
    init(path: String, overwriting overwrites: Bool) throws(StoreError) {
        guard !path.isEmpty, path.last != "/", !path.utf8.contains(0) else {
            throw .badInput(path: path, place: "", why: "is no path of a file")
        }
        self.path = path
        self.overwrites = overwrites
        let present: FileStatus?
        do throws(SystemCode) { present = try Files.statusIfThere(of: path, followingLinks: false) } catch {
            throw .storage(path: path, operation: "write", why: error.description)
        }
        if let present {
            guard present.isRegular else { throw Self.isNoFile(path) }
            guard overwrites else { throw .fileExists(path: path) }
        }
        do throws(FileError) {
            work = try WorkFolder.make(Self.exports, in: Files.folder(of: path))
            file = try work.makeFile("file", permissions: 0o666)
        } catch { throw Self.fault(path, error) }
    }

    func write(_ bytes: [UInt8]) throws(StoreError) {
        do throws(SystemCode) { try file.write(bytes, at: offset) } catch {
            throw .storage(path: path, operation: "write", why: error.description)
        }
        offset += bytes.count
    }

    /// Brings it to the disk and to its place. Without this call nothing of it stays.
    func finish() throws(StoreError) {
        do throws(SystemCode) { try file.sync() } catch { throw .storage(path: path, operation: "sync", why: error.description) }
        let name = Files.name(of: path)
        do throws(FileError) {
            if overwrites { try work.put("file", replacing: name) } else { try work.put("file", as: name) }
        } catch {
            guard error.code == .entryExists else { throw Self.fault(path, error) }
            throw overwrites ? Self.isNoFile(path) : .fileExists(path: path)
        }
        // The name is on the disk only when its folder is. Where a folder can't be synced, the system does it in its own time.
        try? work.syncParent()
        work.remove()
    }

    private static func isNoFile(_ path: String) -> StoreError {
        .badInput(path: path, place: "", why: "is there, and is no regular file; name another one")
    }

    private static func fault(_ path: String, _ error: FileError) -> StoreError {
        .storage(path: path, operation: "write", why: error.code.description)
    }
}
