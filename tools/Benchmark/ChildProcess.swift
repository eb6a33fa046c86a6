import Foundation

/// A whole process, measured from outside.
enum ChildProcess {
    struct Result {
        var seconds = 0.0
        var exitCode: Int32 = 0
        /// The most anonymous memory that was seen, in bytes: mapped files aside.
        var anonymousBytes = 0
    }

    struct CannotStart: Error { let path: String }

    /// Runs a program with its output thrown away.
    static func run(_ program: String, _ arguments: [String], samplesMemory: Bool = false) throws -> Result {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var result = Result()
        var child: pid_t = 0
        var status: Int32 = 0
        result.seconds = try Clock.seconds {
            guard unsafe posix_spawn(&child, program, &actions, nil, &words, environ) == 0 else { throw CannotStart(path: program) }
            if samplesMemory {
                while unsafe waitpid(child, &status, WNOHANG) == 0 {
                    result.anonymousBytes = max(result.anonymousBytes, anonymousBytes(of: child))
                    usleep(500)
                }
            } else {
                unsafe waitpid(child, &status, 0)
            }
        }
        result.exitCode = status >> 8 & 0xFF
        return result
    }

    private static func anonymousBytes(of child: pid_t) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
            let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return kilobytes * 1024
    }
}
