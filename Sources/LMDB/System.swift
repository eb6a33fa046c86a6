#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// What this room asks of the operating system, in one place. Failures are thrown as the `errno` that the call left.
enum System {
    static let noMemory = ENOMEM
    static let noSpace = ENOSPC
    static let accessDenied = EACCES
    static let readOnlyFileSystem = EROFS
    static let noEntry = ENOENT
    static let entryExists = EEXIST
    static let wouldBlock = EWOULDBLOCK
    static let notADirectory = ENOTDIR
    static let interrupted = EINTR
    static let busy = EBUSY

    static var processID: Int32 { getpid() }

    /// Bytes of a page of memory, which LMDB makes a page of a new file.
    static var pageSize: Int { Int(getpagesize()) }

    static func sleep(milliseconds: Int) {
        var pause = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
        unsafe _ = nanosleep(&pause, nil)
    }

    /// Makes a write beyond a file size limit (`RLIMIT_FSIZE`, a quota) fail with EFBIG, where it would kill the process.
    /// The signal's default is replaced; a handler of the program's own stays.
    static func ignoreFileSizeSignal() {
        var present = sigaction()
        guard unsafe sigaction(SIGXFSZ, nil, &present) == 0 else { return }
        #if canImport(Darwin)
            let isDefault = unsafe present.__sigaction_u.__sa_handler == nil
        #else
            let isDefault = unsafe present.__sigaction_handler.sa_handler == nil
        #endif
        // The default disposition is the null handler.
        if isDefault { _ = signal(SIGXFSZ, SIG_IGN) }
    }

    /// Creates a folder that only its owner may enter.
    static func makeDirectory(_ path: String) throws(LMDBCode) {
        guard unsafe mkdir(path, 0o700) == 0 else { throw lastError }
    }

    /// Makes the entries of a folder durable: LMDB syncs files, never folders.
    static func syncDirectory(_ path: String) throws(LMDBCode) {
        let directory = try OwnedFile.open(path, .directory)
        try directory.sync()
    }

    /// The folder that holds what `path` names.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Gives what `path` names another name, in one step that a crash can't halve; what had that name is gone.
    static func rename(_ path: String, to target: String) throws(LMDBCode) {
        #if canImport(Darwin)
            let result = unsafe Darwin.rename(path, target)
        #elseif canImport(Musl)
            let result = unsafe Musl.rename(path, target)
        #else
            let result = unsafe Glibc.rename(path, target)
        #endif
        guard result == 0 else { throw lastError }
    }

    /// Gives a file a second name.
    static func addName(_ target: String, to path: String) throws(LMDBCode) {
        guard unsafe link(path, target) == 0 else { throw lastError }
    }

    /// Removes a file by its name, if it is there. LMDB's lock file may be removed so too: that opens nothing.
    static func removeFile(_ path: String) throws(LMDBCode) {
        guard unsafe unlink(path) != 0, errno != ENOENT else { return }
        throw lastError
    }

    /// Removes an empty folder, if it is there.
    static func removeDirectory(_ path: String) throws(LMDBCode) {
        guard unsafe rmdir(path) != 0, errno != ENOENT else { return }
        throw lastError
    }

    static func isWritable(_ path: String) -> Bool {
        unsafe access(path, W_OK) == 0
    }

    /// Whether something has that name. That the system can't say is an error, not an absence: a store would be made anew
    /// over one that is there.
    static func exists(_ path: String) throws(LMDBCode) -> Bool {
        try statusIfThere(of: path, followingLinks: false) != nil
    }

    static func isDirectory(_ path: String) throws(LMDBCode) -> Bool {
        try statusIfThere(of: path, followingLinks: true)?.isDirectory == true
    }

    /// What the system says of a file by name; nil where there is none.
    static func statusIfThere(of path: String, followingLinks: Bool) throws(LMDBCode) -> FileStatus? {
        do throws(LMDBCode) { return try status(of: path, followingLinks: followingLinks) } catch {
            guard error == .noEntry || error == .notADirectory else { throw error }
            return nil
        }
    }

    /// Whether LMDB could take its locks here. Its lock file is asked for by name only, never opened.
    static func canLock(in path: String) throws(LMDBCode) -> Bool {
        let lockPath = StoreFiles.lockPath(in: path)
        return isWritable(try exists(lockPath) ? lockPath : path)
    }

    static var lastError: LMDBCode { LMDBCode(rawValue: errno) }

    /// What the system says of a file by name.
    static func status(of path: String, followingLinks: Bool) throws(LMDBCode) -> FileStatus {
        var status = stat()
        let result = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { throw lastError }
        return FileStatus(status)
    }

    static func status(ofDescriptor descriptor: Int32) throws(LMDBCode) -> FileStatus {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw lastError }
        return FileStatus(status)
    }
}

/// Names a file however its path is spelt.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

/// What this room needs to know of a file.
struct FileStatus: Hashable, Sendable {
    let identity: FileIdentity
    let length: Int
    let isRegular: Bool
    let isDirectory: Bool

    init(_ status: stat) {
        identity = FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
        length = Int(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
    }
}

/// An open file that is closed when its owner goes.
///
/// Never used for LMDB's lock file: closing any descriptor of that would drop every lock that this process has on it.
struct OwnedFile: ~Copyable, Sendable {
    enum Mode {
        case read
        case readWrite
        /// Reads and writes, and the file is made if it isn't there.
        case create
        /// Writes a file that must not be there yet.
        case createNew
        case directory
    }

    let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    static func open(_ path: String, _ mode: Mode) throws(LMDBCode) -> OwnedFile {
        let flags: Int32 =
            switch mode {
            case .read: O_RDONLY
            case .readWrite: O_RDWR
            case .create: O_RDWR | O_CREAT
            case .createNew: O_RDWR | O_CREAT | O_EXCL
            case .directory: O_RDONLY | O_DIRECTORY
            }
        while true {
            // A symbolic link is never followed, a pipe never waited for, and a child that is executed never inherits the file.
            let guarded = mode == .directory ? flags : flags | O_NOFOLLOW | O_NONBLOCK
            #if canImport(Darwin)
                let descriptor = unsafe Darwin.open(path, guarded | O_CLOEXEC, 0o600)
            #elseif canImport(Musl)
                let descriptor = unsafe Musl.open(path, guarded | O_CLOEXEC, 0o600)
            #else
                let descriptor = unsafe Glibc.open(path, guarded | O_CLOEXEC, 0o600)
            #endif
            if descriptor >= 0 { return OwnedFile(descriptor: descriptor) }
            guard errno == EINTR else { throw System.lastError }
        }
    }

    /// Stands for a file that isn't there.
    static var absent: OwnedFile { OwnedFile(descriptor: -1) }

    var isOpen: Bool { descriptor >= 0 }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }
}

extension OwnedFile {
    func status() throws(LMDBCode) -> FileStatus {
        try System.status(ofDescriptor: descriptor)
    }

    func sync() throws(LMDBCode) {
        #if canImport(Darwin)
            // On Apple systems fsync stops at the drive's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw System.lastError }
        }
    }

    /// Reads into `bytes` from `offset` on until they are full or the file ends; tells how many came.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(LMDBCode) -> Int {
        var done = 0
        while done < bytes.count {
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pread(descriptor, piece.baseAddress, piece.count, off_t(offset + done))
            if count == 0 { break }
            if count < 0 {
                guard errno == EINTR else { throw System.lastError }
                continue
            }
            done += count
        }
        return done
    }

    /// Makes the file an empty one.
    func cut() throws(LMDBCode) {
        while ftruncate(descriptor, 0) != 0 {
            guard errno == EINTR else { throw System.lastError }
        }
    }

    /// Writes all of `bytes` at `offset`.
    func write(_ bytes: [UInt8], at offset: Int) throws(LMDBCode) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
                return unsafe pwrite(descriptor, piece.baseAddress, piece.count, off_t(offset + done))
            }
            if count < 0 {
                guard errno == EINTR else { throw System.lastError }
                continue
            }
            done += count
        }
    }

    /// Replaces what the file holds with `text`, durably.
    func replaceContents(with text: StaticString) throws(LMDBCode) {
        try cut()
        var done = 0
        while done < text.utf8CodeUnitCount {
            let count = unsafe pwrite(descriptor, text.utf8Start + done, text.utf8CodeUnitCount - done, off_t(done))
            guard count > 0 || errno == EINTR else { throw System.lastError }
            done += max(0, count)
        }
        try sync()
    }

    enum LockMode {
        case shared
        case exclusive
        case none
    }

    /// Takes, changes or drops the advisory lock of this open file (`flock`): not lost when some other descriptor of the
    /// same file is closed, unlike the record locks of LMDB. A change that fails leaves no lock at all.
    func lock(_ mode: LockMode, waiting: Bool) throws(LMDBCode) {
        let operation: Int32 =
            switch mode {
            case .shared: LOCK_SH
            case .exclusive: LOCK_EX
            case .none: LOCK_UN
            }
        while flock(descriptor, waiting ? operation : operation | LOCK_NB) != 0 {
            guard errno == EINTR else { throw System.lastError }
        }
    }
}

/// A lock that knows its owner: taking it a second time on one thread is an error, not a wait for ever.
@safe
final class ThreadLock: Sendable {
    // A pointer isn't Sendable by itself. This one is: the mutex is made in init, before anybody sees it, is used through pthread
    // calls alone, which are for all threads, and dies in deinit with the last reference. `Mutex` doesn't know its owner.
    private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        var attributes = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&attributes)
        unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        unsafe pthread_mutex_init(mutex, &attributes)
        unsafe pthread_mutexattr_destroy(&attributes)
    }

    /// Waits for the lock; false if this thread has it already.
    func acquire() -> Bool {
        unsafe pthread_mutex_lock(mutex) == 0
    }

    func release() {
        unsafe _ = pthread_mutex_unlock(mutex)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deinitialize(count: 1)
        unsafe mutex.deallocate()
    }
}
