internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Where a work folder is: what is needed to remove it.
final class WorkPlace: Sendable {
    let kind: WorkFolder.Kind
    let name: String
    let parent: Folder
    let folder: Folder

    private init(_ kind: WorkFolder.Kind, name: String, parent: consuming Folder, folder: consuming Folder) {
        self.kind = kind
        self.name = name
        self.parent = parent
        self.folder = folder
    }

    /// What this run has under way.
    private static let present = Mutex<[ObjectIdentifier: WorkPlace]>([:])
    private static let markName = "mark"

    /// Makes, locks and marks a folder; nil where the name is taken, or somebody cleaned the folder away before it was locked.
    static func make(_ kind: WorkFolder.Kind, _ token: String, in path: String) throws(SystemCode) -> WorkPlace? {
        try present.withLock { present throws(SystemCode) in
            let name = kind.prefix + token
            let parent = try Folder.open(path)
            do throws(SystemCode) { try parent.makeFolder(name) } catch {
                if error == .entryExists { return nil }
                throw error
            }
            do throws(SystemCode) {
                let folder = try parent.folder(name)
                try folder.lock(.exclusive, waiting: true)
                let mark = try folder.file(markName, .createNew)
                try mark.write(Array(Self.mark(kind, token, try folder.status()).utf8), at: 0)
                let place = WorkPlace(kind, name: name, parent: parent, folder: folder)
                present[ObjectIdentifier(place)] = place
                return place
            } catch {
                let parent = try Folder.open(path)
                if error == .noEntry { return nil }
                if let folder = try? parent.folder(name) { try? folder.removeFile(markName) }
                try? parent.removeFolder(name)
                throw error
            }
        }
    }

    private static func mark(_ kind: WorkFolder.Kind, _ token: String, _ status: FileStatus) -> String {
        "engram work folder\nkind \(kind.name)\ntoken \(token)\nfolder \(status.identity.device) \(status.identity.inode)\n"
            + "owner \(status.owner)\n"
    }

    /// Keeps a signal from removing this run's folders while `body` runs.
    static func undisturbed(_ body: () throws(SystemCode) -> Void) throws(SystemCode) {
        try present.withLock { _ throws(SystemCode) in try body() }
    }

    static func forget(_ place: WorkPlace) {
        let gone = present.withLock { present in
            place.remove(attempts: 1)
            return present.removeValue(forKey: ObjectIdentifier(place))
        }
        _ = gone
    }

    static func removeAll(thenEnd end: () -> Void) {
        present.withLock { present in
            // Others of this process may still be writing: what they make in between is removed in the next attempt.
            for place in present.values { place.remove(attempts: 200) }
            end()
        }
    }

    /// Removes the folder, should it still be the one at its name, with what its kind knows; the mark goes last.
    private func remove(attempts: Int) {
        for attempt in 1...attempts {
            guard let here = try? parent.status(of: name), let own = try? folder.status(), here.identity == own.identity else { return }
            Self.empty(folder, kind)
            if (try? folder.names()) == [Self.markName] {
                try? folder.removeFile(Self.markName)
                if (try? parent.removeFolder(name)) != nil { return }
            }
            guard attempt < attempts else { return }
            var pause = timespec(tv_sec: 0, tv_nsec: 2_000_000)
            unsafe _ = nanosleep(&pause, nil)
        }
    }

    private static func empty(_ folder: borrowing Folder, _ kind: WorkFolder.Kind) {
        for file in kind.files { try? folder.removeFile(file) }
        for name in kind.folders {
            guard let inner = try? folder.folder(name) else { continue }
            for file in kind.innerFiles { try? inner.removeFile(file) }
            try? folder.removeFolder(name)
        }
    }

    /// What came of an attempt to remove what a run made.
    enum Clearing {
        /// It is gone, or nothing that a run made.
        case done
        /// A living run has it.
        case inUse
    }

    /// Removes what a killed run left, if that is what it is.
    static func clear(_ kind: WorkFolder.Kind, token: String, in parent: borrowing Folder) -> Clearing {
        let name = kind.prefix + token
        guard token.utf8.count == 32, token.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
            let status = try? parent.status(of: name), status.isDirectory, status.owner == geteuid(),
            let folder = try? parent.folder(name), (try? folder.status().identity) == status.identity
        else { return .done }
        guard (try? folder.lock(.exclusive, waiting: false)) != nil else { return .inUse }
        guard let names = try? folder.names() else { return .done }
        // Killed between making the folder and marking it: nothing is in it that could be lost.
        let isUnmarked = names.isEmpty || names == [markName] && isEmptyFile(markName, folder)
        guard isUnmarked || isProved(folder, kind, token, status) && isKnown(folder, names, kind) else { return .done }
        empty(folder, kind)
        guard let left = try? folder.names(), left.isEmpty || left == [markName] else { return .done }
        try? folder.removeFile(markName)
        try? parent.removeFolder(name)
        return .done
    }

    private static func isEmptyFile(_ name: String, _ folder: borrowing Folder) -> Bool {
        guard let status = try? folder.status(of: name) else { return false }
        return status.isRegular && status.length == 0
    }

    /// Whether the mark was written by a run of that kind, by this user, in this very folder. The number of a device may be another one
    /// after the machine was started again, and a folder can't leave its device.
    private static func isProved(_ folder: borrowing Folder, _ kind: WorkFolder.Kind, _ token: String, _ status: FileStatus) -> Bool {
        let expected = mark(kind, token, status).split(separator: "\n").map { $0.split(separator: " ") }
        guard let file = try? folder.file(markName, .read), let present = try? file.status(), present.isRegular, present.length < 512,
            let bytes = try? file.bytes(at: 0, count: present.length)
        else { return false }
        let found = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
        guard found.count == expected.count else { return false }
        for (line, right) in zip(found, expected) {
            guard line.count == right.count, line.first == right.first, line.last == right.last else { return false }
        }
        return true
    }

    /// Whether there is nothing but what that kind makes.
    private static func isKnown(_ folder: borrowing Folder, _ names: [String], _ kind: WorkFolder.Kind) -> Bool {
        for name in names where name != markName {
            guard let status = try? folder.status(of: name) else { return false }
            if kind.files.contains(name), status.isRegular { continue }
            guard kind.folders.contains(name), status.isDirectory, let inner = try? folder.folder(name),
                let innerNames = try? inner.names()
            else { return false }
            for file in innerNames {
                guard kind.innerFiles.contains(file), (try? inner.status(of: file))?.isRegular == true else { return false }
            }
        }
        return true
    }
}
