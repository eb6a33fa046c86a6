import CommandLineKit
import Foundation
import Testing

@testable import EngramCLI

struct EngramProgramTests {
    private static let expected = """
        deck add|list|show|rename|recolour|delete
        card add|list|show|edit|move|delete|restore
        review practise due undo void correct
        favourite add|remove|toggle|list
        words import|
        pack install|list|remove
        quiz types|select|start|show|answer|finish|abandon
        stats timeline replay verify rebuild
        log export|import
        import merge init
        backup salvage compact
        scheduler show|set
        day show|set
        help completion man version
        """

    @Test("Every command of this release is there")
    func commands() {
        for line in Self.expected.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if let last = words.last, last.contains("|") {
                for name in last.split(separator: "|") { #expect(engramProgram.command(at: [words[0], String(name)]) != nil, "\(line)") }
            } else {
                for name in words { #expect(engramProgram.command(at: [name]) != nil, "\(name)") }
            }
        }
    }

    @Test("Every command has a summary, examples that can be parsed, exit codes, and a run or sub-commands")
    func completeness() throws {
        for (path, command) in engramProgram.allCommands {
            let name = path.joined(separator: " ")
            #expect(!command.summary.isEmpty && !command.summary.hasSuffix(".") && command.summary.count <= 60, "\(name)")
            #expect(!command.examples.isEmpty && !command.success.isEmpty, "\(name)")
            #expect(command.run != nil || !command.subcommands.isEmpty, "\(name)")
            let summaries = command.options.map(\.summary) + command.arguments.map(\.summary) + command.examples.map(\.summary)
            #expect(summaries.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") }, "\(name)")
            for example in command.examples where example.line.hasPrefix("engram ") {
                #expect(throws: Never.self, "\(example.line)") { _ = try Parser.parse(Self.words(example.line), engramProgram) }
            }
        }
    }

    /// The words of an example, up to a pipe or redirection, without quotes.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in line + " " {
            switch character {
            case "\"": isQuoted.toggle()
            case " " where !isQuoted:
                if !word.isEmpty { words.append(word) }
                word = ""
            default: word.append(character)
            }
        }
        return Array(words.dropFirst().prefix { $0 != "|" && $0 != ">" })
    }

    @Test("Help fits its terminal, says everything, and gives examples first", arguments: [40, 80, 200])
    func help(_ width: Int) throws {
        let surface = Surface(isTerminal: true, width: width)
        for (path, command) in [([], nil)] + engramProgram.allCommands.map({ ($0.path, Optional($0.command)) }) {
            let lines = engramProgram.helpLines(path, on: surface)
            // A single word that is wider can't be broken.
            let tooWide = lines.filter { $0.displayWidth > width && $0.split(separator: " ").count > 1 }
            #expect(tooWide.isEmpty && (width < 80 || lines.allSatisfy { $0.displayWidth <= width }), "\(path): \(tooWide)")
            let text = lines.joined(separator: "\n")
            for heading in ["Usage:", "Examples:", "Options of every command:", "Exit codes:"] {
                #expect(text.contains("\n\(heading)\n"), "\(path)")
            }
            for option in command?.options ?? [] { #expect(text.contains("--" + option.name)) }
            let examples = try #require(text.range(of: "Examples:"))
            if let options = text.range(of: "Options") { #expect(examples.lowerBound < options.lowerBound) }
        }
    }

    @Test("Shells and the reader of manuals accept what is made for them, where they are installed")
    func generatedFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("engram-cli-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for shell in Shell.allCases {
            let script = shell.completionScript(of: engramProgram)
            let file = folder.appendingPathComponent(shell.rawValue)
            try script.write(to: file, atomically: true, encoding: .utf8)
            let complaint = try Self.output(of: shell.rawValue, ["-n", file.path])
            #expect(complaint ?? "" == "", "\(shell)")
            for (path, _) in engramProgram.allCommands { #expect(script.contains(path.last ?? ""), "\(path)") }
        }
        let page = folder.appendingPathComponent("engram.1")
        try Manual.text(of: engramProgram).write(to: page, atomically: true, encoding: .utf8)
        let complaint = try Self.output(of: "groff", ["-man", "-ww", "-z", "-Tascii", page.path])
        #expect(complaint ?? "" == "")
    }

    @Test("bash is offered what fits the place")
    func bashCompletion() throws {
        let script =
            Shell.bash.completionScript(of: engramProgram) + """
                t() { COMP_WORDS=("$@"); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); _engram; echo "${COMPREPLY[*]}"; }
                t engram de
                t engram deck re
                t engram --store x deck add --c
                t engram review x g
                t engram verify --level = d
                t engram completion ''
                t engram words i
                t engram words import --f
                """
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("engram-completion-\(UUID().uuidString)")
        try script.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        guard let output = try Self.output(of: "bash", [file.path]) else { return }
        #expect(output == "deck\nrename recolour\n--colour\ngood\ndeep\nbash zsh fish\nimport\n--from\n")
    }

    /// All that a program prints; nil where it isn't installed.
    private static func output(of program: String, _ arguments: [String]) throws -> String? {
        let folders = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
        guard let path = folders.map({ $0 + "/" + program }).first(where: FileManager.default.isExecutableFile) else { return nil }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
