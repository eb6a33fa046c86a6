package import Foundation

/// The files of `Schemas/` under `root`.
package func schemaFiles(in root: URL) throws -> [SourceFile] {
    let folder = root.appendingPathComponent("Schemas")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }.sorted().map { name in
        SourceFile(name: name, bytes: Array(try Data(contentsOf: folder.appendingPathComponent(name))))
    }
}

/// Those of `files` that aren't under `root` as they should be.
package func staleFiles(_ files: [GeneratedFile], in root: URL) throws -> [GeneratedFile] {
    files.filter { file in
        (try? Data(contentsOf: root.appendingPathComponent(file.path))) != Data(file.text.utf8)
    }
}

/// Paths of what lies in the generated folders and is none of `files`.
package func leftovers(_ files: [GeneratedFile], in root: URL) throws -> [String] {
    let paths = Set(files.map(\.path))
    return try [SchemaSet.swiftFolder, SchemaSet.jsonSchemaFolder].flatMap { folder in
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted().map { "\(folder)/\($0)" }
    }.filter { !paths.contains($0) }
}

/// Writes `file` under `root`.
package func write(_ file: GeneratedFile, in root: URL) throws {
    let url = root.appendingPathComponent(file.path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(file.text.utf8).write(to: url)
}
