import Foundation

/// The project's files, as they lie on the disk.
enum SourceTree {
    /// The folder that holds `Package.swift`.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What tools leave in the tree; git knows nothing of it.
    static let ignored: Set<String> = [".git", ".build", ".swiftpm", ".DS_Store", "__pycache__"]

    /// Names of what lies in a folder of the project, sorted.
    static func entries(_ folder: String = "") -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)) ?? []
        return names.filter { !ignored.contains($0) }.sorted()
    }

    /// Every file under a folder of the project, by its path from the root, sorted.
    static func files(under folder: String = "", withExtension pathExtension: String? = nil) -> [SourceFile] {
        var found: [SourceFile] = []
        for name in entries(folder) {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            let url = root.appendingPathComponent(path)
            if (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true {
                found += files(under: path, withExtension: pathExtension)
            } else if pathExtension == nil || name.hasSuffix(".\(pathExtension ?? "")") {
                found.append(SourceFile(path: path))
            }
        }
        return found
    }

    /// The text of one file, empty where there is none.
    static func text(_ path: String) -> String { SourceFile(path: path).text }
}

/// One file of the project.
struct SourceFile {
    /// Its path from the root.
    let path: String

    /// Its text; empty where it isn't text.
    let text: String
    /// Of a room's Swift file, the code without comments and the text of literals; of any other file, its text.
    let code: String

    /// Reads the file at a path from the root.
    init(path: String) {
        self.path = path
        text = (try? String(contentsOf: SourceTree.root.appendingPathComponent(path), encoding: .utf8)) ?? ""
        code = path.hasPrefix("Sources/") && path.hasSuffix(".swift") ? codeAlone(text) : text
    }

    /// Its lines.
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    /// Its name without folders.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    /// The room that it belongs to, for a file in `Sources`.
    var room: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }
    /// Whether the schema generator wrote it.
    var isGenerated: Bool { path.contains("/Generated/") }

    /// The places of a pattern in the file's code, comments and the text of literals left out, as `path:line: the line`.
    func places(of pattern: String) throws -> [String] { try places(of: pattern, in: code) }

    /// The places of a pattern anywhere in the file.
    func placesInText(of pattern: String) throws -> [String] { try places(of: pattern, in: text) }

    private func places(of pattern: String, in text: String) throws -> [String] {
        let expression = try NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines])
        let whole = NSRange(location: 0, length: text.utf16.count)
        let starts = expression.matches(in: text, range: whole).map(\.range.location)
        guard !starts.isEmpty else { return [] }
        let lines = lines
        return starts.map { start in
            let number = text.utf16.prefix(start).count { $0 == 10 }
            return "\(path):\(number + 1): \(number < lines.count ? lines[number].trimmingCharacters(in: .whitespaces) : "")"
        }
    }

    /// The modules that it imports.
    var imports: Set<String> {
        let pattern =
            /^\s*(?:@\S+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|func|protocol|var|let|typealias)\s+)?([A-Za-z_0-9]+)/
        let candidates = code.split(separator: "\n").filter { $0.contains("import") }
        return Set(candidates.compactMap { $0.firstMatch(of: pattern).map { String($0.1) } })
    }
}
