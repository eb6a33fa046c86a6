// Where the C library's types of threads are known from.
internal import CLMDB

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Work in two halves: side by side where the system gives another thread, one after the other where it doesn't.
package enum TwoThreads {
    /// As much stack as folds and proofs need, many times over; the main thread's may be smaller under a limit of memory.
    private static let stackBytes = 2 << 20

    /// Runs `body` for 0 and for 1 and returns when both are done.
    ///
    /// A limit of processes, threads or memory can refuse a thread; then this one does all of it, 0 first. So neither half may
    /// wait for the other.
    package static func run(_ body: @Sendable (_ index: Int) -> Void) {
        withoutActuallyEscaping(body) { body in
            let other = start { body(1) }
            body(0)
            if let other { join(other) } else { body(1) }
        }
    }

    /// What a new thread has to do.
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// A thread that does `body`, or nil where none can be made; `body` wasn't begun then.
    private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        var attributes = pthread_attr_t()
        guard unsafe pthread_attr_init(&attributes) == 0 else { return nil }
        defer { unsafe _ = pthread_attr_destroy(&attributes) }
        guard unsafe pthread_attr_setstacksize(&attributes, stackBytes) == 0 else { return nil }
        // Kept until the thread takes it over, or taken back where there is none.
        let work = unsafe Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = unsafe pthread_create(
                &thread, &attributes,
                { context in
                    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                    return nil
                }, work.toOpaque())
        #else
            var thread = pthread_t()
            let code = unsafe pthread_create(
                &thread, &attributes,
                { context in
                    guard let context = unsafe context else { return nil }
                    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                    return nil
                }, work.toOpaque())
        #endif
        guard code == 0 else {
            unsafe work.release()
            return nil
        }
        return thread
    }

    private static func join(_ thread: pthread_t) { _ = pthread_join(thread, nil) }
}
