internal import CFiles

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// An open folder: what is in it is reached from here by name alone, so that nothing which happens to the path that led here, and no
/// symbolic link in it, leads anywhere else.
package struct Folder: ~Copyable, Sendable {
    private let file: OwnedFile

    private init(_ file: consuming OwnedFile) { self.file = file }

    /// Opens the folder that a person named; links in the path are theirs, and followed.
    package static func open(_ path: String) throws(SystemCode) -> Folder {
        Folder(try OwnedFile.open(path, .directory))
    }

    /// Opens a folder in this one; a link that leads to one is refused.
    package func folder(_ name: String) throws(SystemCode) -> Folder {
        Folder(try OwnedFile.open(name, .directory, in: self, permissions: 0))
    }

    /// Opens a file in this folder.
    package func file(_ name: String, _ mode: OwnedFile.Mode, permissions: UInt32 = 0o600) throws(SystemCode) -> OwnedFile {
        try OwnedFile.open(name, mode, in: self, permissions: permissions)
    }

    var descriptor: Int32 { file.descriptor }

    package func status() throws(SystemCode) -> FileStatus { try file.status() }

    package func sync() throws(SystemCode) { try file.sync() }

    package func lock(_ mode: OwnedFile.LockMode, waiting: Bool) throws(SystemCode) { try file.lock(mode, waiting: waiting) }

    /// What has that name here, be it a link; nil where nothing has.
    package func status(of name: String) throws(SystemCode) -> FileStatus? {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if SystemCode.last == .noEntry { return nil }
            throw SystemCode.last
        }
        return FileStatus(status)
    }

    /// Makes a folder that only its owner may enter.
    package func makeFolder(_ name: String) throws(SystemCode) {
        guard unsafe mkdirat(descriptor, name, 0o700) == 0 else { throw SystemCode.last }
    }

    /// Removes the name of a file or link, if it is there.
    package func removeFile(_ name: String) throws(SystemCode) {
        guard unsafe unlinkat(descriptor, name, 0) != 0, SystemCode.last != .noEntry else { return }
        throw SystemCode.last
    }

    /// Removes an empty folder, if it is there.
    package func removeFolder(_ name: String) throws(SystemCode) {
        guard unsafe unlinkat(descriptor, name, AT_REMOVEDIR) != 0, SystemCode.last != .noEntry else { return }
        throw SystemCode.last
    }

    /// Gives a file of this folder a second name in another, which nothing must have.
    package func addName(_ target: String, in other: borrowing Folder, to name: String) throws(SystemCode) {
        guard unsafe linkat(descriptor, name, other.descriptor, target, 0) == 0 else { throw SystemCode.last }
    }

    /// Moves a file or folder into another folder, in one step that a crash can't halve; a file that had the name there is gone.
    package func move(_ name: String, to other: borrowing Folder, as target: String) throws(SystemCode) {
        guard unsafe renameat(descriptor, name, other.descriptor, target) == 0 else { throw SystemCode.last }
    }

    /// The same under a name that nothing has, be it a link that leads nowhere: of several that try at once, one succeeds.
    ///
    /// - Parameter asksSystem: whether the system's own call for that is tried first; not every file system has one.
    /// - Throws: `entryExists` where the name is taken.
    package func moveToFreeName(
        _ name: String, to other: borrowing Folder, as target: String, asksSystem: Bool = true
    ) throws(SystemCode) {
        if asksSystem {
            if unsafe files_rename_new(descriptor, name, other.descriptor, target) == 0 { return }
            guard [ENOSYS, EINVAL, ENOTSUP, EOPNOTSUPP].contains(errno) else { throw SystemCode.last }
        }
        guard let moved = try status(of: name) else { throw .noEntry }
        if moved.isDirectory {
            // The name is taken by an empty folder first: that is refused where there is anything, and replaced only while it is empty.
            try other.makeFolder(target)
            do throws(SystemCode) { try move(name, to: other, as: target) } catch {
                try? other.removeFolder(target)
                throw error == .notEmpty || error == .notADirectory ? .entryExists : error
            }
            return
        }
        do throws(SystemCode) { try addName(target, in: other, to: name) } catch {
            guard error != .entryExists, error != .noSpace, error != .readOnlyFileSystem else { throw error }
            // No second names here: the name is taken by an empty file first.
            _ = try other.file(target, .createNew)
            do throws(SystemCode) { try move(name, to: other, as: target) } catch {
                try? other.removeFile(target)
                throw error
            }
            return
        }
        try removeFile(name)
    }

    /// The names in this folder, sorted.
    package func names() throws(SystemCode) -> [String] {
        // A stream of its own, since closing it closes its descriptor.
        #if canImport(Darwin)
            let opened = unsafe Darwin.openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #elseif canImport(Musl)
            let opened = unsafe Musl.openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #else
            let opened = unsafe Glibc.openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #endif
        guard opened >= 0 else { throw SystemCode.last }
        guard let stream = unsafe fdopendir(opened) else {
            let code = SystemCode.last
            close(opened)
            throw code
        }
        defer { unsafe _ = closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw SystemCode.last }
                break
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

extension OwnedFile {
    /// Opens what has a name in `folder`. No link is followed.
    static func open(_ name: String, _ mode: Mode, in folder: borrowing Folder, permissions: UInt32) throws(SystemCode) -> OwnedFile {
        while true {
            let flags = mode.flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            #if canImport(Darwin)
                let descriptor = unsafe Darwin.openat(folder.descriptor, name, flags, mode_t(permissions))
            #elseif canImport(Musl)
                let descriptor = unsafe Musl.openat(folder.descriptor, name, flags, mode_t(permissions))
            #else
                let descriptor = unsafe Glibc.openat(folder.descriptor, name, flags, mode_t(permissions))
            #endif
            if descriptor >= 0 { return OwnedFile(descriptor: descriptor) }
            guard errno == EINTR else { throw SystemCode.last }
        }
    }
}
