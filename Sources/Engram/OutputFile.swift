internal import FileSystem

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A file that is there as a whole or not at all: it is written beside its place, brought to the disk, and put there.
final class OutputFile {
    private let path: String
    private let temporaryPath: String
    private let overwrites: Bool
    private var descriptor: Int32

    /// Begins a file for `path`.
    ///
    /// - Throws: ``StoreError/badInput(path:place:why:)`` where something is there that isn't to be overwritten.
    init(path: String, overwriting overwrites: Bool, salt: UInt64) throws(StoreError) {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .badInput(path: path, place: "", why: "is no path of a file") }
        // A link stays one: what it leads to is replaced.
        let target = unsafe realpath(path, nil)
        self.path = unsafe target.map { unsafe String(cString: $0) } ?? path
        unsafe free(target)
        self.overwrites = overwrites
        temporaryPath = self.path + ".\(String(salt, radix: 16)).part"
        descriptor = -1
        var status = stat()
        if unsafe stat(self.path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { throw .badInput(path: path, place: "", why: "is there, and is no file") }
            guard overwrites else { throw Self.isThere(path) }
        }
        descriptor = unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw fault("write") }
    }

    deinit {
        guard descriptor >= 0 else { return }
        _ = close(descriptor)
        unsafe unlink(temporaryPath)
    }

    func write(_ bytes: [UInt8]) throws(StoreError) {
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe platformWrite(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw fault("write") }
            offset += count
        }
    }

    /// Brings it to the disk and to its place. Without this call nothing of it stays.
    func finish() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw fault("sync") }
        guard overwrites else {
            // Unlike a renaming, a second name is refused where somebody else was faster.
            if unsafe link(temporaryPath, path) == 0 { return dismiss(keepsTemporary: false) }
            if errno == EEXIST { throw Self.isThere(path) }
            // A file system without second names.
            guard unsafe access(path, F_OK) != 0 else { throw Self.isThere(path) }
            return try rename()
        }
        try rename()
    }

    private func rename() throws(StoreError) {
        guard platformRename(temporaryPath, path) == 0 else { throw fault("rename") }
        dismiss(keepsTemporary: true)
    }

    private func dismiss(keepsTemporary: Bool) {
        _ = close(descriptor)
        descriptor = -1
        if !keepsTemporary { unsafe unlink(temporaryPath) }
        syncFolder()
    }

    /// The name is on the disk only when its folder is. Where a folder can't be synced, the system does it in its own time.
    private func syncFolder() {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let opened = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return }
        _ = fsync(opened)
        _ = close(opened)
    }

    private static func isThere(_ path: String) -> StoreError {
        .badInput(path: path, place: "", why: "is there already; say --force to have it overwritten, or name another file")
    }

    private func fault(_ operation: String) -> StoreError {
        .storage(path: path, operation: operation, why: SystemCode.last.description)
    }
}

/// `write` and `rename` of the C library, under names that the methods don't hide.
private func platformWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

private func platformRename(_ source: String, _ target: String) -> Int32 { unsafe rename(source, target) }
