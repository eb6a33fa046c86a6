internal import EventCoding
internal import FileSystem
internal import Hashing

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A foreign file, open for reading.
struct ForeignFile: ~Copyable {
    let path: String
    /// Its size when it was opened.
    let size: Int
    private let descriptor: Int32

    init(path: String) throws(ImportError) {
        guard !path.utf8.contains(0) else { throw ImportError(path: path, reason: .unreadable("a path with a zero byte")) }
        // Not to wait for a writer, should it be a pipe.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.fault(path) }
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        guard isKnown, status.st_mode & S_IFMT == S_IFREG else {
            let fault = isKnown ? ImportError(path: path, reason: .unreadable("not a file")) : Self.fault(path)
            close(descriptor)
            throw fault
        }
        self.path = path
        self.descriptor = descriptor
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// The name without its folders.
    var name: String { path.split(separator: "/").last.map { String($0) } ?? path }

    /// The bytes from `offset` on, at most `count`.
    func bytes(at offset: Int = 0, count: Int) throws(ImportError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let step = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset + filled))
            }
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { throw Self.fault(path) }
            if step == 0 { break }
            filled += step
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// The digest of the whole file.
    func digest() throws(ImportError) -> SHA256Digest {
        var hasher = SHA256Hasher()
        var offset = 0
        while true {
            let piece = try bytes(at: offset, count: 256 << 10)
            if piece.isEmpty { return hasher.finish() }
            hasher.update(piece)
            offset += piece.count
        }
    }

    private static func fault(_ path: String) -> ImportError {
        ImportError(path: path, reason: .unreadable(SystemCode.last.description))
    }
}
