#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// An open file that is closed when its owner goes.
///
/// Never used for LMDB's lock file: closing any descriptor of that would drop every lock that this process has on it.
package struct OwnedFile: ~Copyable, Sendable {
    package enum Mode {
        case read
        case readWrite
        /// Reads and writes, and the file is made if it isn't there.
        case create
        /// Writes a file that must not be there yet.
        case createNew
        case directory
        /// Reads what a person named: links are followed.
        case input
        /// The same, and a pipe is waited for.
        case stream

        /// A symbolic link isn't followed otherwise, and a pipe not waited for.
        var flags: Int32 {
            switch self {
            case .read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
            case .readWrite: O_RDWR | O_NOFOLLOW | O_NONBLOCK
            case .create: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK
            case .createNew: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_NONBLOCK
            case .directory: O_RDONLY | O_DIRECTORY
            case .input: O_RDONLY | O_NONBLOCK
            case .stream: O_RDONLY
            }
        }
    }

    package let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
        OwnedFile.expectsFileSizeLimit
    }

    package static func open(_ path: String, _ mode: Mode) throws(SystemCode) -> OwnedFile {
        while true {
            // A child that is executed never inherits the file.
            let flags = mode.flags | O_CLOEXEC
            #if canImport(Darwin)
                let descriptor = unsafe Darwin.open(path, flags, 0o600)
            #elseif canImport(Musl)
                let descriptor = unsafe Musl.open(path, flags, 0o600)
            #else
                let descriptor = unsafe Glibc.open(path, flags, 0o600)
            #endif
            if descriptor >= 0 { return OwnedFile(descriptor: descriptor) }
            guard errno == EINTR else { throw SystemCode.last }
        }
    }

    /// Standard input, from where it stands.
    package static func standardInput() throws(SystemCode) -> OwnedFile {
        let descriptor = dup(0)
        guard descriptor >= 0 else { throw SystemCode.last }
        return OwnedFile(descriptor: descriptor)
    }

    /// Stands for a file that isn't there.
    package static var absent: OwnedFile { OwnedFile(descriptor: -1) }

    package var isOpen: Bool { descriptor >= 0 }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }
}

extension OwnedFile {
    /// Once a process, at its first file: makes a write beyond a file size limit (`RLIMIT_FSIZE`, a quota) fail with EFBIG, where it
    /// would kill the process. The signal's default is replaced; a handler of the program's own stays.
    package static let expectsFileSizeLimit: Void = {
        var present = sigaction()
        guard unsafe sigaction(SIGXFSZ, nil, &present) == 0 else { return }
        #if canImport(Darwin)
            let isDefault = unsafe present.__sigaction_u.__sa_handler == nil
        #else
            let isDefault = unsafe present.__sigaction_handler.sa_handler == nil
        #endif
        // The default disposition is the null handler.
        if isDefault { _ = signal(SIGXFSZ, SIG_IGN) }
    }()

    package func status() throws(SystemCode) -> FileStatus {
        try Files.status(ofDescriptor: descriptor)
    }

    package func sync() throws(SystemCode) {
        #if canImport(Darwin)
            // On Apple systems fsync stops at the drive's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw SystemCode.last }
        }
    }

    /// Reads into `bytes` from `offset` on until they are full or the file ends; tells how many came.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemCode) -> Int {
        var done = 0
        while done < bytes.count {
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pread(descriptor, piece.baseAddress, piece.count, off_t(offset + done))
            if count == 0 { break }
            if count < 0 {
                guard errno == EINTR else { throw SystemCode.last }
                continue
            }
            done += count
        }
        return done
    }

    /// What a file or a pipe brings next, `count` bytes at most; nothing at its end.
    package func next(_ count: Int) throws(SystemCode) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let done = unsafe readNext(descriptor, &bytes, count)
            if done >= 0 {
                bytes.removeLast(count - done)
                return bytes
            }
            guard errno == EINTR else { throw SystemCode.last }
        }
    }

    /// Makes the file an empty one.
    package func cut() throws(SystemCode) {
        while ftruncate(descriptor, 0) != 0 {
            guard errno == EINTR else { throw SystemCode.last }
        }
    }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: [UInt8], at offset: Int) throws(SystemCode) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
                return unsafe pwrite(descriptor, piece.baseAddress, piece.count, off_t(offset + done))
            }
            if count < 0 {
                guard errno == EINTR else { throw SystemCode.last }
                continue
            }
            done += count
        }
    }

    /// Replaces what the file holds with `text`, durably.
    package func replaceContents(with text: StaticString) throws(SystemCode) {
        try cut()
        var done = 0
        while done < text.utf8CodeUnitCount {
            let count = unsafe pwrite(descriptor, text.utf8Start + done, text.utf8CodeUnitCount - done, off_t(done))
            guard count > 0 || errno == EINTR else { throw SystemCode.last }
            done += max(0, count)
        }
        try sync()
    }

    package enum LockMode {
        case shared
        case exclusive
        case none
    }

    /// Takes, changes or drops the advisory lock of this open file (`flock`): not lost when some other descriptor of the
    /// same file is closed, unlike the record locks of LMDB. A change that fails leaves no lock at all.
    package func lock(_ mode: LockMode, waiting: Bool) throws(SystemCode) {
        let operation: Int32 =
            switch mode {
            case .shared: LOCK_SH
            case .exclusive: LOCK_EX
            case .none: LOCK_UN
            }
        while flock(descriptor, waiting ? operation : operation | LOCK_NB) != 0 {
            guard errno == EINTR else { throw SystemCode.last }
        }
    }
}

extension OwnedFile {
    /// The bytes from `offset` on: `count` of them, or fewer where the file ends.
    package func bytes(at offset: Int, count: Int) throws(SystemCode) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var code: SystemCode?
        let done = unsafe bytes.withUnsafeMutableBytes { buffer in
            do throws(SystemCode) { return unsafe try self.read(into: buffer, at: offset) } catch {
                code = error
                return 0
            }
        }
        if let code { throw code }
        bytes.removeLast(count - done)
        return bytes
    }
}

/// `read` of the C library, under a name that the methods don't hide.
private func readNext(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int { unsafe read(descriptor, bytes, count) }
