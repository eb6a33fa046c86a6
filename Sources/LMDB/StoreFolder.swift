package import FileSystem

/// What a store's folder holds by which name, and the folders in which one is made before it takes its place.
package struct StoreFolder: Sendable {
    /// The file that is locked for as long as the store is open.
    package let guardFile: String
    /// What that file says once the store is on the disk, with all that its making writes; until then it is empty.
    let mark: StaticString
    /// Files that whoever keeps the store puts there.
    private let others: [String]

    package init(guardFile: String, mark: StaticString = "made\n", others: [String] = []) {
        self.guardFile = guardFile
        self.mark = mark
        self.others = others
    }

    private var locks: [String] { ["lock.mdb", guardFile, "writer.lock"] }
    /// The files that a store's folder may hold.
    private var files: [String] { ["data.mdb"] + locks + others + [CommitNote.name] }

    /// In a store's folder: where what shall take the store's place is made.
    var replacements: WorkFolder.Kind { work("replace") }
    /// In a store's folder: where the data file is kept that another one replaces.
    private var keepings: WorkFolder.Kind { work("keep") }
    /// Where a small file is written before it replaces one.
    private static let smallFiles = WorkFolder.Kind("file", files: ["file"])

    /// What is made in a store's folder.
    package var kinds: [WorkFolder.Kind] { [replacements, keepings, Self.smallFiles] }

    /// The folder of a work folder in which a store is made.
    package static let made = "store"

    /// Stores are made in folders of a work folder, of which more may have a purpose of their own; beside them lies the second name of a
    /// data file that is replaced.
    package func work(_ name: String, folders: [String] = []) -> WorkFolder.Kind {
        WorkFolder.Kind(name, files: ["previous"], folders: [Self.made] + folders, innerFiles: files)
    }

    /// Whether anything has that name.
    package static func exists(_ path: String) throws(LMDBError) -> Bool {
        try attempt("lstat", path, Files.exists(path))
    }

    /// Bytes of the store's data file; 0 where there is none.
    package static func dataLength(_ path: String) -> Int {
        (try? Files.status(of: StoreFiles.dataPath(in: path), followingLinks: false))?.length ?? 0
    }

    /// Removes the files of a store from its folder, which this run made. Nobody in this process may have the store open.
    package func empty(_ path: String) throws(LMDBError) { try Self.remove(files, in: path) }

    /// Removes a copy that a store keeps in its folder: a file, or the folder of an older store, in which there is nothing but the
    /// files of one. A link goes, not what it leads to.
    package func removeCopy(_ path: String) throws(LMDBError) {
        try attempt("unlink", path) { () throws(SystemCode) in
            let store = try Folder.open(Files.folder(of: path))
            let name = Files.name(of: path)
            guard let status = try store.status(of: name) else { return }
            guard status.isDirectory else { return try store.removeFile(name) }
            let copy = try store.folder(name)
            for file in try copy.names() {
                guard files.contains(file), try copy.status(of: file)?.isRegular == true else { throw .notEmpty }
            }
            for file in files { try copy.removeFile(file) }
            try store.removeFolder(name)
        }
    }

    /// The folders in a store's folder in which migrations kept it in a format: `NAME`, or `NAME-2` and so on.
    package static func keptDataFiles(of path: String, in name: String) -> [String] {
        guard let folder = try? Folder.open(path), let names = try? folder.names() else { return [] }
        return names.filter { $0 == name || $0.hasPrefix(name + "-") && Int($0.dropFirst(name.utf8.count + 1)) != nil }
    }

    /// Leaves of a store's folder only what a copy of the store needs.
    package func removeLocks(_ path: String) throws(LMDBError) { try Self.remove(locks, in: path) }

    private static func remove(_ files: [String], in path: String) throws(LMDBError) {
        try attempt("unlink", path) { () throws(SystemCode) in
            let folder = try Folder.open(path)
            for file in files { try folder.removeFile(file) }
        }
    }

    /// Throws where one of the store's own names is that of a link, a folder or a device, or where a lock is somebody's file under a
    /// second name: LMDB would write to what that leads to.
    func checkFiles(_ path: String) throws(LMDBError) {
        let folder = try attempt("open", path, Folder.open(path))
        // What has the name of the note and isn't one is left alone, and the store goes without.
        for file in files where file != CommitNote.name {
            let status = try attempt("lstat", path + "/" + file, folder.status(of: file))
            guard status?.isRegular ?? true else {
                throw LMDBError(.unusable(.notARegularFile(path: path + "/" + file)), operation: "open", path: path)
            }
            // A data file gets a second name for a moment where it is kept or replaced, and a kill may leave it.
            if locks.contains(file), let status, status.names > 1 {
                throw LMDBError(.unusable(.hasOtherNames(path: path + "/" + file)), operation: "open", path: path)
            }
        }
    }

    /// Throws where the folder holds anything but what an interrupted making of a store leaves.
    ///
    /// The guard is made first of all, empty, and bears its mark once a store was acknowledged: from then on no damage makes the folder
    /// a free one, not even the loss of its data file.
    func checkIsFree(_ path: String) throws(LMDBError) {
        let isFree = try attempt("open", path) { () throws(SystemCode) in
            let folder = try Folder.open(path)
            let names = try folder.names()
            guard !names.isEmpty else { return true }
            let mark = try? folder.file(guardFile, .read)
            let writer = try folder.status(of: "writer.lock")
            let said = try mark?.bytes(at: 0, count: 1)
            return names.allSatisfy((locks + ["data.mdb", CommitNote.name]).contains) && said == [] && writer?.length ?? 0 == 0
        }
        let isUncommitted = try StoreFiles.holdsNothingCommitted(in: path)
        guard isFree, isUncommitted else {
            throw LMDBError(.failed(.entryExists), operation: "open", path: path)
        }
    }

    /// Copies the data file of a store that nobody writes to, by plain reads, into another folder, and syncs it.
    package static func copyDataFile(of path: String, to folder: String) throws(LMDBError) {
        let data = StoreFiles.dataPath(in: path)
        var target = try NewFile(StoreFiles.dataPath(in: folder))
        do throws(StoreFileError) {
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

    /// Replaces a file by one that holds `bytes`, in one step. What isn't a regular file stays.
    package static func replaceFile(_ path: String, with bytes: [UInt8]) throws(LMDBError) {
        try inFiles { () throws(FileError) in
            let work = try WorkFolder.make(smallFiles, in: Files.folder(of: path))
            defer { work.remove() }
            let file = try work.makeFile("file")
            try naming("write", path) { () throws(SystemCode) in
                try file.write(bytes, at: 0)
                try file.sync()
            }
            try work.put("file", replacing: Files.name(of: path))
        }
    }
}

extension StoreFolder {
    /// Keeps a store's data file in a folder of its own inside the store's: what is there now stays there when another file takes the
    /// first name. It gets a second name; a file system without those gets a copy. Nobody may write to the store meanwhile.
    ///
    /// - Parameter name: the folder's name, or the beginning of it where something else has that name already.
    /// - Returns: the folder.
    package func keepDataFile(of path: String, in name: String) throws(LMDBError) -> String {
        if try Self.isKept(path, in: name) { return path + "/" + name }
        let work = try inFiles(WorkFolder.make(keepings, in: path))
        defer { work.remove() }
        let folder = try inFiles(work.makeFolder(Self.made))
        if try !Self.addName(of: path, in: folder) { try Self.copyDataFile(of: path, to: folder) }
        return try inFiles { () throws(FileError) in
            try work.sync(Self.made)
            var number = 1
            while true {
                let target = number == 1 ? name : "\(name)-\(number)"
                do throws(FileError) { try work.put(Self.made, as: target) } catch {
                    guard error.code == .entryExists, number < 1000 else { throw error }
                    number += 1
                    continue
                }
                try work.syncParent()
                return path + "/" + target
            }
        }
    }

    private static func addName(of path: String, in folder: String) throws(LMDBError) -> Bool {
        try attempt("open", folder) { () throws(SystemCode) in
            let store = try Folder.open(path)
            let kept = try Folder.open(folder)
            return (try? store.addName("data.mdb", in: kept, to: "data.mdb")) != nil
        }
    }

    /// Whether an interrupted run kept this very file there already.
    private static func isKept(_ path: String, in name: String) throws(LMDBError) -> Bool {
        try attempt("open", path + "/" + name) { () throws(SystemCode) in
            let store = try Folder.open(path)
            guard try store.status(of: name)?.isDirectory == true, let kept = try? store.folder(name) else { return false }
            guard let own = try store.status(of: "data.mdb"), let other = try kept.status(of: "data.mdb") else { return false }
            return own.isRegular && own.identity == other.identity
        }
    }
}
