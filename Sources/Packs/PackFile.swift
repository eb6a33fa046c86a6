internal import FileSystem

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Reads files whole, so that what is digested is what is read.
enum PackFile {
    /// Larger packs are refused: all of one goes into memory.
    static let largest = 512 << 20

    /// The bytes of the file at `path`.
    static func bytes(of path: String, limit: Int = largest) throws(PackError) -> [UInt8] {
        guard !path.utf8.contains(0) else { throw PackError(path: path, why: "can't be read: a path with a zero byte") }
        // Not to wait for a writer, should it be a pipe.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw fault(path) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw fault(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw PackError(path: path, why: "can't be read: it is not a file") }
        guard Int(status.st_size) <= limit else { throw PackError(path: path, why: "is larger than \(limit) bytes") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let step = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled, off_t(filled))
            }
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { throw fault(path) }
            if step == 0 { break }
            filled += step
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Bytes of a regular file; 0 where there is none.
    static func size(of path: String) -> Int {
        var status = stat()
        guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        return Int(status.st_size)
    }

    private static func fault(_ path: String) -> PackError {
        PackError(path: path, why: "can't be read: \(SystemCode.last)")
    }
}
