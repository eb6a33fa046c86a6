import Foundation
import SchemaGeneration

// swift run SchemaGenerator [--check] [--golden] [ROOT]
//
// Writes what follows from Schemas/: the Swift files of StudyModel and the JSON Schemas. With --check it writes nothing, and
// exits with 1 where a file isn't as it would be. With --golden it also writes the golden vectors that don't exist yet.

let arguments = CommandLine.arguments.dropFirst()
let options = arguments.filter { $0.hasPrefix("--") }
let root = URL(fileURLWithPath: arguments.first { !$0.hasPrefix("--") } ?? FileManager.default.currentDirectoryPath)

if let unknown = options.first(where: { !["--check", "--golden"].contains($0) }) {
    FileHandle.standardError.write(Data("unknown option \(unknown): --check and --golden are known\n".utf8))
    exit(2)
}

do {
    let schemas = try SchemaSet(reading: schemaFiles(in: root))
    let generated = schemas.swiftFiles() + schemas.jsonSchemaFiles()
    let stale = try staleFiles(generated, in: root)
    for file in stale { print("\(options.contains("--check") ? "stale" : "written"): \(file.path)") }
    if options.contains("--check") { exit(stale.isEmpty ? 0 : 1) }
    for file in stale { try write(file, in: root) }
    for path in try leftovers(generated, in: root) {
        print("removed: \(path)")
        try FileManager.default.removeItem(at: root.appendingPathComponent(path))
    }
    if options.contains("--golden") {
        for file in schemas.goldenFiles() where !FileManager.default.fileExists(atPath: root.appendingPathComponent(file.path).path) {
            print("written: \(file.path)")
            try write(file, in: root)
        }
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
