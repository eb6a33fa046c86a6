// Where the C library's types of threads are known from.
internal import CLMDB
internal import FileSystem

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Work in parts: side by side where the system gives threads, one after the other where it doesn't.
package enum Threads {
    /// As much stack as folds and proofs need, many times over; the main thread's may be smaller under a limit of memory.
    private static let stackBytes = 2 << 20

    /// The stack of a thread on which whole operations run: as much as a main thread has.
    private static let ampleStackBytes = 8 << 20

    /// With less address space than this, all is done on one thread.
    private static let ampleBytes = 4 << 30

    /// How many processors there are to work side by side; at least 1.
    package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Runs `body` for each number below `count` and returns when all are done.
    ///
    /// A limit of processes, threads or memory can refuse a thread; then this one does what is left, in ascending order. So no part
    /// may wait for another.
    package static func run(_ count: Int, _ body: @Sendable (_ index: Int) -> Void) {
        withoutActuallyEscaping(body) { body in
            var others: [pthread_t] = []
            // Under a limit of address space the allocator asks in vain for a thread's own part of it, over and over.
            let isAmple = (Shortage.addressSpaceLimit ?? .max) >= ampleBytes
            for index in stride(from: 1, to: isAmple ? count : 1, by: 1) {
                guard let other = start(Interruption.carried { body(index) }) else { break }
                others.append(other)
            }
            if count > 0 { body(0) }
            for index in stride(from: others.count + 1, to: count, by: 1) { body(index) }
            for other in others { join(other) }
        }
    }

    /// Begins `body` on a thread of its own, for which nobody waits; false where none can be made, and then it wasn't begun.
    package static func begin(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = start(stackBytes: ampleStackBytes, body) else { return false }
        _ = pthread_detach(thread)
        return true
    }

    /// What a new thread has to do.
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// A thread that does `body`, or nil where none can be made; `body` wasn't begun then.
    private static func start(stackBytes: Int = stackBytes, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
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
