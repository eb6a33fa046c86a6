// The one seam to the C library: every call into it, and every unsafe expression of this room, is in this file.

internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What this room asks of the operating system.
package enum System {
    package static let standardInput: Int32 = 0
    package static let standardOutput: Int32 = 1
    package static let standardError: Int32 = 2

    /// The value of a variable of the process's environment.
    package static func environment(_ name: String) -> String? {
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }

    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The number of columns of the terminal behind `descriptor`, if there is one and it knows.
    package static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Makes a write to a closed pipe return `EPIPE` instead of killing the process.
    package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

    /// Fills standard streams that the caller closed, so that no file opened later takes their numbers: a store opened as
    /// descriptor 1 would receive everything that is printed. They are opened for reading, so that printing still fails.
    package static func holdStandardStreams() {
        while true {
            let descriptor = unsafe open("/dev/null", O_RDONLY)
            if descriptor > standardError { close(descriptor) }
            if descriptor < 0 || descriptor > standardError { return }
        }
    }

    /// Writes all of `bytes`, however many calls that takes. Returns 0, or the number of the error.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let count = unsafe platformWrite(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
                if count >= 0 {
                    offset += count
                } else if errno == EAGAIN {
                    // A stream that somebody made non-blocking: wait until it takes more.
                    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&wait, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }

    /// Why a stream couldn't be read.
    package struct ReadFault: Error {
        package let words: String
    }

    /// Everything that comes from `descriptor`, up to its end; a fault where that is more than `limit` bytes.
    package static func readAll(_ descriptor: Int32, limit: Int) -> Result<[UInt8], ReadFault> {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failure(ReadFault(words: message(errno))) }
            if count == 0 { return .success(bytes) }
            guard bytes.count + count <= limit else { return .failure(ReadFault(words: "it has more than \(limit) bytes")) }
            bytes.append(contentsOf: piece[..<count])
        }
    }

    package static func isBrokenPipe(_ error: Int32) -> Bool { error == EPIPE }

    /// What the system calls an error, such as "No space left on device".
    package static func message(_ error: Int32) -> String {
        guard let text = unsafe strerror(error) else { return "error \(error)" }
        return unsafe String(cString: text)
    }

    /// Nanoseconds of a clock that never jumps. Only differences mean something.
    package static func steadyNanoseconds() -> UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    }

    /// Milliseconds since 1970-01-01 00:00 UTC.
    package static func wallMilliseconds() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The first `count` bytes of a file, or fewer; nil if it can't be read.
    static func firstBytes(_ count: Int, ofFile path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe read(descriptor, &bytes, count)
        guard got >= 0 else { return nil }
        return Array(bytes.prefix(got))
    }
}

// MARK: - The end of a process that a damaged file kills

extension System {
    /// Bytes that a signal handler can write at any time. Set while no handler is there, or whole before the length says so; what
    /// they were before is never freed, since nobody knows when a signal comes.
    private struct HandlerBytes: ~Copyable, Sendable {
        /// The address, as a number: what is there never goes away.
        private let start = Atomic<UInt>(0)
        private let count = Atomic<Int>(0)

        func set(_ text: String) {
            count.store(0, ordering: .sequentiallyConsistent)
            guard !text.isEmpty else { return }
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
            unsafe bytes.copyBytes(from: text.utf8)
            start.store(UInt(bitPattern: bytes.baseAddress), ordering: .sequentiallyConsistent)
            count.store(text.utf8.count, ordering: .sequentiallyConsistent)
        }

        func write(to descriptor: Int32) {
            let count = count.load(ordering: .sequentiallyConsistent)
            let start = start.load(ordering: .sequentiallyConsistent)
            if count > 0 { unsafe _ = platformWrite(descriptor, UnsafeRawPointer(bitPattern: start), count) }
        }
    }

    // Atomics, since a handler may run on any thread and may take no lock.
    private static let crashMessage = HandlerBytes()
    private static let memoryWords = HandlerBytes()
    private static let screenEnd = HandlerBytes()
    private static let crashCode = Atomic<Int32>(ExitCode.store.rawValue)
    /// The address of what the terminal was set to, while a command has its screen.
    private static let terminalBefore = Atomic<UInt>(0)

    /// Lets a fault of memory, a file that ends too early under its map, an assertion in a C library or an allocation that fails
    /// end the process with `message` and an exit code, where it would die by a signal, and gives the terminal back. Where there
    /// is too little memory, it ends with `shortage`. A trap in Swift's own code still dies.
    package static func installCrashHandler(saying message: String, shortage: String, code: ExitCode) {
        // All of them are made here, before a handler can be the first to ask for one.
        crashMessage.set(message)
        memoryWords.set(shortage)
        crashCode.store(code.rawValue, ordering: .sequentiallyConsistent)
        screenEnd.set("")
        _ = terminalBefore.load(ordering: .sequentiallyConsistent)
        // Nothing in it but calls that a handler may make.
        let end: @convention(c) (Int32) -> Void = { number in
            System.giveScreenBack()
            // A runtime that finds no memory aborts, and may stumble on the way there. A file that ends early isn't that.
            if number != SIGBUS, System.isShortOfMemory {
                System.memoryWords.write(to: System.standardError)
            } else {
                System.crashMessage.write(to: System.standardError)
            }
            _exit(System.crashCode.load(ordering: .sequentiallyConsistent))
        }
        for number in [SIGSEGV, SIGBUS, SIGABRT] { _ = signal(number, end) }
    }

    /// Nothing in it but calls that a handler may make.
    private static func giveScreenBack() {
        guard let settings = unsafe UnsafePointer<termios>(bitPattern: terminalBefore.load(ordering: .sequentiallyConsistent)) else {
            return
        }
        screenEnd.write(to: standardOutput)
        _ = unsafe tcsetattr(standardInput, TCSANOW, settings)
    }

    /// So much address space a process has that doesn't end for want of memory.
    private static let ampleBytes = 256 << 20

    /// Whether the system refuses an ample piece of memory; may be asked in a handler. Nothing of it is touched.
    private static var isShortOfMemory: Bool {
        let piece = unsafe mmap(nil, ampleBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard unsafe piece != MAP_FAILED else { return true }
        unsafe munmap(piece, ampleBytes)
        return false
    }

    /// Says how a screen is given back that a command has now; `nil` once it has been.
    private static func noteScreen(_ settings: termios?, end: String) {
        screenEnd.set(end)
        guard let settings else {
            terminalBefore.store(0, ordering: .sequentiallyConsistent)
            return
        }
        // Kept for as long as the process lives, like the words.
        let kept = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        unsafe kept.initialize(to: settings)
        terminalBefore.store(UInt(bitPattern: kept), ordering: .sequentiallyConsistent)
    }
}

// MARK: - The terminal as a screen and a keyboard

extension System {
    /// How many lines and columns a window has.
    struct WindowSize: Equatable, Sendable {
        var rows: Int
        var columns: Int
    }

    static func windowSize(_ descriptor: Int32) -> WindowSize? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return WindowSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
    }

    /// What a terminal was set to before.
    struct TerminalMode {
        fileprivate var settings: termios
    }

    /// Makes the terminal of standard input hand over each key as it is pressed, unseen and unchanged. `nil` where it can't.
    ///
    /// - Parameter end: what gives the screen back, should a crash end the process meanwhile.
    static func enterRawMode(screenEnd end: String) -> TerminalMode? {
        var settings = termios()
        guard unsafe tcgetattr(standardInput, &settings) == 0 else { return nil }
        let mode = TerminalMode(settings: settings)
        unsafe cfmakeraw(&settings)
        guard unsafe tcsetattr(standardInput, TCSAFLUSH, &settings) == 0 else { return nil }
        noteScreen(mode.settings, end: end)
        return mode
    }

    static func leaveRawMode(_ mode: TerminalMode) {
        var settings = mode.settings
        _ = unsafe tcsetattr(standardInput, TCSAFLUSH, &settings)
        noteScreen(nil, end: "")
    }

    /// What a wait for input ended with.
    enum InputWait: Equatable {
        case something
        case nothing
        case interrupted
    }

    /// Waits until something can be read, for at most so many milliseconds; for ever where they are negative.
    static func waitForInput(_ descriptor: Int32, milliseconds: Int32) -> InputWait {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&wait, 1, milliseconds)
        if count < 0 { return .interrupted }
        return count == 0 ? .nothing : .something
    }

    /// What can be read now; empty at the end of the input, `nil` where it can't be read.
    static func readSome(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return count < 0 ? (errno == EINTR ? nil : []) : Array(bytes.prefix(count))
    }

    /// The signal by which somebody asked the process to end since ``noteSignals()``; 0 where nobody did.
    private static let endRequest = Atomic<Int32>(0)

    static var wasAskedToEnd: Bool { endRequest.load(ordering: .relaxed) != 0 }

    private static let endSignals = [SIGTERM, SIGHUP, SIGINT]

    /// From now on a request to end, or a window that goes away or changes its size, ends a wait for input instead of the
    /// process, which so can give the terminal back.
    static func noteSignals() {
        // Made here, before a handler can be the first to ask for it.
        endRequest.store(0, ordering: .relaxed)
        for number in endSignals {
            _ = signal(number) { number in System.endRequest.store(number, ordering: .relaxed) }
        }
        _ = signal(SIGWINCH) { _ in }
    }

    /// Ends the process with an exit code, or by the signal that asked for it, should one have been noted.
    package static func end(_ code: Int32) -> Never {
        let number = endRequest.load(ordering: .relaxed)
        if number != 0 { end(by: number) }
        exit(code)
    }

    private static func end(by number: Int32) {
        _ = signal(number, SIG_DFL)
        _ = kill(getpid(), number)
        // It comes at once, perhaps to another thread.
        while true { pause() }
    }

    /// Where a handler writes the number of its signal, for the thread that waits for it.
    private static let requests = Atomic<Int32>(-1)
    private static let cleaning = Mutex<(@Sendable (_ end: () -> Void) -> Void)?>(nil)

    /// From now on a request to end (an interrupt, a hang-up, a termination) has `clean` called, on a thread of its own, which gives what
    /// ends the process by that signal. What was to be ignored stays ignored; where no thread can be made, all stays as it was.
    package static func cleanUpBeforeEnding(_ clean: @escaping @Sendable (_ end: () -> Void) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        cleaning.withLock { $0 = clean }
        let reading = ends[0]
        let thread = Thread.start {
            var number: UInt8 = 0
            while true {
                let count = unsafe platformRead(reading, &number)
                if count == 1 { break }
                if count == 0 || errno != EINTR { return }
            }
            System.giveScreenBack()
            let clean = System.cleaning.withLock { $0 }
            clean? { System.end(by: Int32(number)) }
        }
        guard thread else { return }
        requests.store(ends[1], ordering: .sequentiallyConsistent)
        for number in endSignals {
            var present = sigaction()
            guard unsafe sigaction(number, nil, &present) == 0 else { continue }
            #if canImport(Darwin)
                let isDefault = unsafe present.__sigaction_u.__sa_handler == nil
            #else
                let isDefault = unsafe present.__sigaction_handler.sa_handler == nil
            #endif
            guard isDefault else { continue }
            _ = signal(number) { number in
                let saved = errno
                let byte = UInt8(truncatingIfNeeded: number)
                let descriptor = System.requests.load(ordering: .sequentiallyConsistent)
                unsafe withUnsafePointer(to: byte) { unsafe _ = platformWrite(descriptor, $0, 1) }
                errno = saved
            }
        }
    }

    /// A thread that runs a closure, with little stack.
    private enum Thread {
        private final class Body {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }

        /// False where the system has none left.
        static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
            var attributes = pthread_attr_t()
            unsafe pthread_attr_init(&attributes)
            defer { unsafe _ = pthread_attr_destroy(&attributes) }
            unsafe pthread_attr_setstacksize(&attributes, 1 << 18)
            unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
            let body = unsafe Unmanaged.passRetained(Body(run))
            #if canImport(Darwin)
                var thread: pthread_t?
                let code = unsafe pthread_create(&thread, &attributes, { System.Thread.main($0) }, body.toOpaque())
            #else
                var thread = pthread_t()
                let code = unsafe pthread_create(&thread, &attributes, { unsafe System.Thread.main($0) }, body.toOpaque())
            #endif
            if code != 0 { unsafe body.release() }
            return code == 0
        }

        private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let context = unsafe context else { return nil }
            unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }
    }
}

// MARK: - Time zones

extension System {
    /// The zone that the C library is set to; it knows one at a time. `system` is what the process was started with.
    private struct ZoneSetting: ~Copyable {
        var current: String?
        var system: String?
        var isKnown = false
    }

    private static let zoneSetting = Mutex(ZoneSetting())

    /// Seconds east of Greenwich at an instant (seconds since 1970), in the zone of a file, or in the system's zone if nil.
    ///
    /// Stays in one zone between calls that name the same one, so that a run of calls costs one conversion each.
    /// Changing the zone changes `TZ` of the process: not safe beside another thread that reads the environment.
    static func secondsEast(at seconds: Int64, zoneFile: String?) -> Int? {
        zoneSetting.withLock { setting in
            if !setting.isKnown {
                setting.system = environment("TZ")
                setting.isKnown = true
                tzset()
            }
            if setting.current != zoneFile {
                // Without `TZ`, the C library reads this file. The variable isn't removed again, so that the environment is
                // rearranged once at most.
                _ = unsafe setenv("TZ", zoneFile.map { ":" + $0 } ?? setting.system ?? ":/etc/localtime", 1)
                tzset()
                setting.current = zoneFile
            }
            guard var time = time_t(exactly: seconds) else { return nil }
            var parts = unsafe tm()
            guard unsafe localtime_r(&time, &parts) != nil else { return nil }
            return unsafe Int(parts.tm_gmtoff)
        }
    }
}

/// `write` of the C library, under a name that `System.write` doesn't hide.
private func platformWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

private func platformRead(_ descriptor: Int32, _ byte: UnsafeMutablePointer<UInt8>) -> Int { unsafe read(descriptor, byte, 1) }
