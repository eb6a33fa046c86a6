internal import FileSystem

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
    private let work: WorkFolder

    private static let name = "database"
    private static let copies = WorkFolder.Kind("database", files: ["", "-wal", "-shm", "-journal"].map { name + $0 })

    init(of original: String, withSuffix suffix: String) throws(SQLiteError) {
        let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
        let parent = named.isEmpty ? "/tmp" : named
        do throws(FileError) { work = try WorkFolder.make(Self.copies, in: parent) } catch {
            throw SQLiteError(code: .cannotOpen, path: original, message: "no temporary folder in \(parent): \(error.code.description)")
        }
        path = work.path + "/" + Self.name
        try Self.copy(original, to: path, named: original)
        try Self.copy(original + suffix, to: path + suffix, named: original)
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
