#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A copy of a database and its journal in a folder that only this user can enter. Both go with the last reference.
final class PrivateCopy {
    /// The database's copy.
    let path: String
    private let folder: String

    init(of original: String, withSuffix suffix: String) throws(SQLiteError) {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/engram-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { unsafe $0.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false }
        guard made else { throw Self.fault(original, "no temporary folder in \(parent)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = folder + "/database"
        do {
            try Self.copy(original, to: path, named: original)
            try Self.copy(original + suffix, to: path + suffix, named: original)
        } catch {
            Self.remove(folder, path)
            throw error
        }
    }

    deinit { Self.remove(folder, path) }

    private static func remove(_ folder: String, _ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + suffix) }
        unsafe rmdir(folder)
    }

    private static func copy(_ source: String, to target: String, named original: String) throws(SQLiteError) {
        let input = openForReading(source)
        guard input >= 0 else { throw fault(original, "can't read \(source)") }
        defer { close(input) }
        let output = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw fault(original, "can't write \(target)") }
        defer { close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(input, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw fault(original, "can't read \(source)") }
            if count == 0 { return }
            var written = 0
            while written < count {
                let step = unsafe buffer.withUnsafeBytes { unsafe write(output, $0.baseAddress?.advanced(by: written), count - written) }
                guard step > 0 else { throw fault(original, "can't write \(target)") }
                written += step
            }
        }
    }

    private static func fault(_ path: String, _ what: String) -> SQLiteError {
        let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "unknown fault"
        return SQLiteError(code: .cannotOpen, path: path, message: "\(what): \(reason)")
    }
}

/// A descriptor for reading `path`, or −1. Doesn't wait for a writer, should it be a pipe.
func openForReading(_ path: String) -> Int32 { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
