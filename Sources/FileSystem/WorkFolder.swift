/// A folder in which a run makes something, beside the place where it shall be: under a name that can't be guessed, for its owner
/// alone, and gone with the last reference.
///
/// It is locked for as long as it is used, and holds a mark that says what it is, with its own name and number in it: so the next run of
/// the same kind knows what a killed one left, and takes nothing else for that. Only names that its kind knows are ever removed from
/// it, by way of open folders, so that no link leads out of it; whatever else somebody put there stays, and the folder with it.
package final class WorkFolder: Sendable {
    /// What is made in such a folder, which tells what may be removed from it.
    package struct Kind: Hashable, Sendable {
        /// A word of the letters a to z.
        package let name: String
        /// Files in the folder itself.
        package let files: [String]
        /// Folders in it.
        package let folders: [String]
        /// Files in those.
        package let innerFiles: [String]

        package init(_ name: String, files: [String] = [], folders: [String] = [], innerFiles: [String] = []) {
            self.name = name
            self.files = files
            self.folders = folders
            self.innerFiles = innerFiles
        }

        var prefix: String { ".engram-\(name)-" }
    }

    /// The folder, by the path of the one that it is in.
    package let path: String
    private let place: WorkPlace

    private init(_ place: WorkPlace, path: String) {
        self.place = place
        self.path = path
    }

    deinit { remove() }

    /// Removes the folder, with what its kind knows. It can be done more than once.
    package func remove() { WorkPlace.forget(place) }

    /// Makes a folder in the folder `parent`, once what killed runs of the same kind left there is gone.
    package static func make(_ kind: Kind, in parent: String) throws(FileError) -> WorkFolder {
        clearLeftovers([kind], in: parent)
        for _ in 0..<16 {
            let token = hex(.random(in: .min ... .max)) + hex(.random(in: .min ... .max))
            let path = parent + "/" + kind.prefix + token
            guard let place = try naming("mkdir", path, { () throws(SystemCode) in try WorkPlace.make(kind, token, in: parent) }) else {
                continue
            }
            return WorkFolder(place, path: path)
        }
        throw FileError(.entryExists, operation: "mkdir", path: parent)
    }

    /// Makes an empty folder in it; its path.
    package func makeFolder(_ name: String) throws(FileError) -> String {
        let path = path + "/" + name
        try naming("mkdir", path) { () throws(SystemCode) in try place.folder.makeFolder(name) }
        return path
    }

    /// Makes an empty file in it.
    package func makeFile(_ name: String, permissions: UInt32 = 0o600) throws(FileError) -> OwnedFile {
        try naming("open", path + "/" + name) { () throws(SystemCode) in
            try place.folder.file(name, .createNew, permissions: permissions)
        }
    }

    /// Gives a file of the folder that this one is in a second name here; false where the file system has none.
    package func addName(_ name: String, to original: String) -> Bool {
        (try? place.parent.addName(name, in: place.folder, to: original)) != nil
    }

    /// Puts what was made under a name in the folder that this one is in, where nothing must have that name, be it a link.
    ///
    /// - Throws: `entryExists` where the name is taken; of several runs at once, all but one get that.
    package func put(_ name: String, as target: String) throws(FileError) {
        try putting(target) { () throws(SystemCode) in
            try place.folder.moveToFreeName(name, to: place.parent, as: target)
        }
    }

    /// Puts a file that was made in the place of another, which must be a regular one or none.
    package func put(_ name: String, replacing target: String) throws(FileError) {
        try putting(target) { () throws(SystemCode) in
            let present = try place.parent.status(of: target)
            guard present?.isRegular ?? true else { throw .entryExists }
            try place.folder.move(name, to: place.parent, as: target)
        }
    }

    /// Puts a file of a folder in this one in the place of another, likewise.
    package func put(_ name: String, of inner: String, replacing target: String) throws(FileError) {
        try putting(target) { () throws(SystemCode) in
            let present = try place.parent.status(of: target)
            guard present?.isRegular ?? true else { throw .entryExists }
            try place.folder.folder(inner).move(name, to: place.parent, as: target)
        }
    }

    private func putting(_ target: String, _ body: () throws(SystemCode) -> Void) throws(FileError) {
        try naming("rename", Files.folder(of: path) + "/" + target) { () throws(SystemCode) in
            // Not while a signal removes what this run made.
            try WorkPlace.undisturbed(body)
        }
    }

    /// Puts the names in a folder of this one, or in it itself, on the disk.
    package func sync(_ name: String? = nil) throws(FileError) {
        try naming("fsync", name.map { path + "/" + $0 } ?? path) { () throws(SystemCode) in
            guard let name else { return try place.folder.sync() }
            try place.folder.folder(name).sync()
        }
    }

    /// Puts the names beside this folder on the disk.
    package func syncParent() throws(FileError) {
        try naming("fsync", Files.folder(of: path)) { () throws(SystemCode) in try place.parent.sync() }
    }

    /// Removes what killed runs of these kinds left in a folder. What can't be proved to be that stays.
    /// - Returns: whether none of them is being used there: what a living run has stays.
    @discardableResult
    package static func clearLeftovers(_ kinds: [Kind], in parent: String) -> Bool {
        guard let folder = try? Folder.open(parent) else { return true }
        var isUnused = true
        for name in (try? folder.names()) ?? [] {
            guard let kind = kinds.first(where: { name.hasPrefix($0.prefix) }) else { continue }
            if WorkPlace.clear(kind, token: String(name.dropFirst(kind.prefix.count)), in: folder) == .inUse { isUnused = false }
        }
        return isUnused
    }

    /// Removes all that this run has under way, and keeps it from making or placing any more until `end` has ended the process.
    package static func removeAll(thenEnd end: () -> Void) { WorkPlace.removeAll(thenEnd: end) }

    private static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
