#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// What is asked of the system about files by their paths. Failures are thrown as the `errno` that the call left.
package enum Files {
    /// Creates a folder that only its owner may enter.
    package static func makeDirectory(_ path: String) throws(SystemCode) {
        guard unsafe mkdir(path, 0o700) == 0 else { throw SystemCode.last }
    }

    /// Makes the folders above `path` that are missing.
    package static func makeFolders(above path: String) throws(SystemCode) {
        var folder = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/").dropLast() {
            folder += "/" + part
            guard (try? isDirectory(folder)) != true else { continue }
            do throws(SystemCode) { try makeDirectory(folder) } catch {
                guard error == .entryExists else { throw error }
                // Another process may have made it in between.
                guard (try? isDirectory(folder)) == true else { throw .notADirectory }
            }
        }
    }

    /// Makes the entries of a folder durable: a file's name is on the disk only when its folder is.
    package static func syncDirectory(_ path: String) throws(SystemCode) {
        let directory = try OwnedFile.open(path, .directory)
        try directory.sync()
    }

    /// The folder that holds what `path` names.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last name of a path: what follows the folder that holds it.
    package static func name(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return path }
        return String(path[path.index(after: slash)...])
    }

    /// Gives what `path` names another name, in one step that a crash can't halve; what had that name is gone.
    package static func rename(_ path: String, to target: String) throws(SystemCode) {
        #if canImport(Darwin)
            let result = unsafe Darwin.rename(path, target)
        #elseif canImport(Musl)
            let result = unsafe Musl.rename(path, target)
        #else
            let result = unsafe Glibc.rename(path, target)
        #endif
        guard result == 0 else { throw SystemCode.last }
    }

    /// Gives a file a second name.
    package static func addName(_ target: String, to path: String) throws(SystemCode) {
        guard unsafe link(path, target) == 0 else { throw SystemCode.last }
    }

    /// Removes a file by its name, if it is there. Opens nothing.
    package static func removeFile(_ path: String) throws(SystemCode) {
        guard unsafe unlink(path) != 0, errno != ENOENT else { return }
        throw SystemCode.last
    }

    /// Removes an empty folder, if it is there.
    package static func removeDirectory(_ path: String) throws(SystemCode) {
        guard unsafe rmdir(path) != 0, errno != ENOENT else { return }
        throw SystemCode.last
    }

    /// The folder for what is gone soon: `$TMPDIR`, else `/tmp`.
    package static var temporaryFolder: String {
        let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    package static func isWritable(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0
    }

    /// Whether something has that name. That the system can't say is an error, not an absence: a store would be made anew
    /// over one that is there.
    package static func exists(_ path: String) throws(SystemCode) -> Bool {
        try statusIfThere(of: path, followingLinks: false) != nil
    }

    package static func isDirectory(_ path: String) throws(SystemCode) -> Bool {
        try statusIfThere(of: path, followingLinks: true)?.isDirectory == true
    }

    /// What the system says of a file by name; nil where there is none.
    package static func statusIfThere(of path: String, followingLinks: Bool) throws(SystemCode) -> FileStatus? {
        do throws(SystemCode) { return try status(of: path, followingLinks: followingLinks) } catch {
            guard error == .noEntry || error == .notADirectory else { throw error }
            return nil
        }
    }

    /// What the system says of a file by name.
    package static func status(of path: String, followingLinks: Bool) throws(SystemCode) -> FileStatus {
        var status = stat()
        let result = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { throw SystemCode.last }
        return FileStatus(status)
    }

    /// Bytes of a regular file; 0 where there is none.
    package static func size(of path: String, followingLinks: Bool) -> Int {
        guard let status = try? status(of: path, followingLinks: followingLinks), status.isRegular else { return 0 }
        return status.length
    }

    package static func status(ofDescriptor descriptor: Int32) throws(SystemCode) -> FileStatus {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemCode.last }
        return FileStatus(status)
    }
}
