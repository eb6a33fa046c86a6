internal import FileSystem

/// A store's folder as a whole: made beside where it shall be, synced, and put in its place by one rename.
package enum StoreFolder {
    /// The files that a store's folder may hold.
    static let files = [
        "data.mdb", "data.mdb.previous", "lock.mdb", "engram.lock", "writer.lock", "events.ndjson", "verified", "verified.partial",
        CommitNote.name,
    ]
    /// The folder in a store's folder in which what shall take the store's place is made.
    static let replacement = "replacement"

    /// Whether anything has that name.
    package static func exists(_ path: String) throws(LMDBError) -> Bool {
        try attempt("lstat", path) { () throws(SystemCode) in try Files.exists(path) }
    }

    /// Bytes of the store's data file; 0 where there is none.
    package static func dataLength(_ path: String) -> Int {
        (try? Files.status(of: StoreFiles.dataPath(in: path), followingLinks: true))?.length ?? 0
    }

    /// Makes an empty folder, for its owner only. What an earlier attempt left under that name is removed first.
    package static func makeEmpty(_ path: String) throws(LMDBError) {
        try remove(path)
        try attempt("mkdir", path) { () throws(SystemCode) in try Files.makeDirectory(path) }
    }

    /// Removes a store's folder with the files that a store has, and nothing else: where there is more, it stays, and that is
    /// an error. Nobody in this process may have the store open.
    package static func remove(_ path: String) throws(LMDBError) {
        guard try exists(path) else { return }
        let inner = path + "/" + replacement
        if try exists(inner) { try remove(inner) }
        try attempt("unlink", path) { () throws(SystemCode) in
            for file in files { try Files.removeFile(path + "/" + file) }
            try Files.removeDirectory(path)
        }
    }

    /// Removes a copy that a store keeps in its folder: a file, or the folder of an older store. A link goes, not what it leads to.
    package static func removeCopy(_ path: String) throws(LMDBError) {
        let status = try attempt("lstat", path) { () throws(SystemCode) in try Files.statusIfThere(of: path, followingLinks: false) }
        guard let status else { return }
        if status.isDirectory { return try remove(path) }
        try attempt("unlink", path) { () throws(SystemCode) in try Files.removeFile(path) }
    }

    /// Leaves of a store's folder only what a copy of the store needs.
    package static func removeLocks(_ path: String) throws(LMDBError) {
        try attempt("unlink", path) { () throws(SystemCode) in
            for file in ["lock.mdb", "engram.lock", "writer.lock", CommitNote.name] { try Files.removeFile(path + "/" + file) }
        }
    }

    /// Puts the folder `path` on the disk, then under the name `target`, which nothing must have, and syncs that too.
    package static func move(_ path: String, to target: String) throws(LMDBError) {
        guard try !exists(target) else { throw LMDBError(.failed(.entryExists), operation: "rename", path: target) }
        try attempt("rename", target) { () throws(SystemCode) in
            try Files.syncDirectory(path)
            try Files.rename(path, to: target)
            try Files.syncDirectory(Files.folder(of: target))
        }
    }

    /// Copies the data file of a store that nobody writes to, by plain reads, into another folder, and syncs it.
    package static func copyDataFile(of path: String, to folder: String) throws(LMDBError) {
        let data = StoreFiles.dataPath(in: path)
        var target = try NewFile(StoreFiles.dataPath(in: folder))
        do throws(StoreFault) {
            let source = try PageFile.open(data)
            var offset = 0
            while true {
                let piece = try source.bytes(at: offset, count: 1 << 20)
                guard !piece.isEmpty, target.write(piece) else { break }
                offset += piece.count
            }
        } catch { throw LMDBError(.unusable(error), operation: "read", path: path) }
        try target.finish()
    }

    /// What a file holds; `nil` where it isn't there, can't be read, or is larger than `limit`.
    package static func smallFile(_ path: String, limit: Int) -> [UInt8]? {
        guard let file = try? PageFile.open(path), let length = try? file.length(), length <= limit else { return nil }
        return try? file.bytes(at: 0, count: length)
    }

    /// Replaces a file by one that holds `bytes`, in one step.
    package static func replaceFile(_ path: String, with bytes: [UInt8]) throws(LMDBError) {
        let partial = path + ".partial"
        try attempt("unlink", partial) { () throws(SystemCode) in try Files.removeFile(partial) }
        var file = try NewFile(partial)
        _ = file.write(bytes)
        try file.finish()
        try attempt("rename", path) { () throws(SystemCode) in try Files.rename(partial, to: path) }
    }
}

extension StoreFolder {
    /// Gives a store's data file a second name, in a folder of its own: what is there now stays there when another file takes the
    /// first name. A file system without second names gets a copy. Nobody may write to the store meanwhile.
    package static func keepDataFile(of path: String, in folder: String) throws(LMDBError) {
        try makeEmpty(folder)
        let (data, kept) = (StoreFiles.dataPath(in: path), StoreFiles.dataPath(in: folder))
        var hasName = true
        do throws(SystemCode) { try Files.addName(kept, to: data) } catch { hasName = false }
        if !hasName { try copyDataFile(of: path, to: folder) }
        try attempt("fsync", folder) { () throws(SystemCode) in
            try Files.syncDirectory(folder)
            try Files.syncDirectory(path)
        }
    }
}
