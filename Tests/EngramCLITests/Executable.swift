import Engram
import Foundation
import Testing

/// The built `engram`, run as somebody would run it, with a home of its own that holds its store and goes away with it.
final class Executable {
    /// What a run left behind.
    struct Outcome {
        let line: String
        let code: Int32
        let out: String
        let errors: String

        var lines: [String] { out.split(separator: "\n").map(String.init) }
        /// Results and complaints, for the message of an expectation.
        var all: String { "\(line)\nexit \(code)\n\(out)\(errors)" }

        /// The one JSON document that standard output should be.
        func document() throws -> JSONValue {
            try #require(lines.count == 1, "\(all)")
            return try JSONValue(parsing: Array(out.utf8))
        }

        /// The documents of lines.
        func documents() throws -> [JSONValue] { try lines.map { try JSONValue(parsing: Array($0.utf8)) } }
    }

    /// The moment of every run that names no other.
    static let now = "2026-03-02T10:00:00+01:00"

    let home: URL
    var environment: [String: String]
    private var runs = 0

    init(store: Bool = true) throws {
        home = FileManager.default.temporaryDirectory.appendingPathComponent("engram-cli-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        environment = [
            "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "ENGRAM_STORE": home.path + "/store",
        ]
        if store { #expect(try run("init").code == 0) }
    }

    deinit { try? FileManager.default.removeItem(at: home) }

    /// Where the executable lies: beside the tests.
    static let path: String? = {
        let places =
            CommandLine.arguments + [Bundle.main.bundlePath, Bundle.main.executablePath ?? ""] + Bundle.allBundles.map(\.bundlePath)
        for place in places {
            var folder = URL(fileURLWithPath: place)
            while folder.path.count > 1 {
                folder.deleteLastPathComponent()
                let candidate = folder.appendingPathComponent("engram")
                var isFolder: ObjCBool = false
                if unsafe FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue,
                    FileManager.default.isExecutableFile(atPath: candidate.path)
                {
                    return candidate.path
                }
            }
        }
        return nil
    }()

    /// Runs a line of words; `'` holds words with spaces together.
    @discardableResult
    func run(_ line: String, input: String = "", environment changes: [String: String] = [:]) throws -> Outcome {
        try run(Self.words(line), input: input, environment: changes)
    }

    @discardableResult
    func run(_ words: [String], input: String = "", environment changes: [String: String] = [:]) throws -> Outcome {
        let program = try #require(Self.path, "the executable isn't beside the tests")
        return try spawn(program, arguments(words), input: input, environment: changes, line: "engram " + words.joined(separator: " "))
    }

    /// Runs a line of the shell, in which `engram` is the executable.
    func shell(_ script: String) throws -> Outcome {
        let program = try #require(Self.path, "the executable isn't beside the tests")
        return try spawn("/bin/sh", ["-c", "engram() { '\(program)' \"$@\"; }\n" + script], input: "", environment: [:], line: script)
    }

    /// The words, with the moment of all runs where they name none.
    private func arguments(_ words: [String]) -> [String] {
        words.contains("--now") || words.contains { ["init", "help", "version", "completion", "man"].contains($0) }
            ? words : words + ["--now", Self.now]
    }

    /// Files take the output: pipes between parallel tests could leak into each other's processes.
    private func spawn(
        _ program: String, _ arguments: [String], input: String, environment changes: [String: String], line: String
    ) throws -> Outcome {
        runs += 1
        let files = ["in", "out", "err"].map { home.appendingPathComponent("\($0)-\(runs)") }
        for file in files { try (file == files[0] ? Data(input.utf8) : Data()).write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = environment.merging(changes) { $1 }
        process.currentDirectoryURL = home
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        let code = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return Outcome(
            line: line, code: code, out: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    /// Runs a line with a terminal as both of its outputs; everything that it draws.
    func onTerminal(_ line: String, width: Int, environment changes: [String: String] = ["TERM": "dumb"]) throws -> Outcome {
        let program = try #require(Self.path, "the executable isn't beside the tests")
        var terminal: Int32 = -1
        var end: Int32 = -1
        var size = winsize(ws_row: 40, ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
        try #require(unsafe openpty(&terminal, &end, nil, nil, &size) == 0)
        defer { close(terminal) }
        // Other tests start processes at the same time; theirs are not to hold this terminal open.
        for descriptor in [terminal, end] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let outputs = FileHandle(fileDescriptor: end, closeOnDealloc: false)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments(Self.words(line))
        process.environment = environment.merging(changes) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = outputs
        process.standardError = outputs
        try process.run()
        close(end)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe read(terminal, &piece, piece.count)
            if count <= 0 { break }
            bytes += piece[..<count]
        }
        process.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
        return Outcome(line: line, code: process.terminationStatus, out: text, errors: "")
    }

    static func words(_ line: String) -> [String] {
        var words: [String] = []
        for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 1 { words.append(String(part)) } else { words += part.split(separator: " ").map(String.init) }
        }
        return words
    }

    // MARK: Things to start from

    /// Makes a deck and returns its id.
    func deck(_ title: String) throws -> String {
        try #require(try run(["deck", "add", title, "--json"]).document()["id"]?.stringValue)
    }

    /// Makes a card and returns its id.
    func card(in deck: String, front: String = "la casa") throws -> String {
        try #require(try run(["card", "add", deck, "--front", front, "--back", "the house", "--json"]).document()["id"]?.stringValue)
    }

    func file(_ name: String, _ text: String) throws -> String {
        let file = home.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
