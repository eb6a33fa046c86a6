internal import FileSystem

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// What this room asks of the operating system about processes, memory and threads; files are `FileSystem`'s.
enum System {
    static var processID: Int32 { getpid() }

    /// Bytes of a page of memory, which LMDB makes a page of a new file.
    static var pageSize: Int { Int(getpagesize()) }

    static func sleep(milliseconds: Int) {
        var pause = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
        unsafe _ = nanosleep(&pause, nil)
    }

    /// Whether LMDB could take its locks here. Its lock file is asked for by name only, never opened.
    static func canLock(in path: String) throws(SystemCode) -> Bool {
        let lockPath = StoreFiles.lockPath(in: path)
        return Files.isWritable(try Files.exists(lockPath) ? lockPath : path)
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
