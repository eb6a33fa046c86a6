internal import FileSystem

/// A copy of a database and its journal in a folder that only this user can enter. Both go with the last reference.
final class PrivateCopy {
    /// The database's copy.
    let path: String
    private let work: WorkFolder

    private static let name = "database"
    private static let copies = WorkFolder.Kind("database", files: ["", "-wal", "-shm", "-journal"].map { name + $0 })

    init(of original: String, withSuffix suffix: String) throws(SQLiteError) {
        let parent = Files.temporaryFolder
        do throws(FileError) { work = try WorkFolder.make(Self.copies, in: parent) } catch {
            throw SQLiteError(code: .cannotOpen, path: original, message: "no temporary folder in \(parent): \(error.code.description)")
        }
        path = work.path + "/" + Self.name
        try copy(original, as: Self.name, named: original)
        try copy(original + suffix, as: Self.name + suffix, named: original)
    }

    private func copy(_ source: String, as name: String, named original: String) throws(SQLiteError) {
        func fault(_ what: String, _ reason: some CustomStringConvertible) -> SQLiteError {
            SQLiteError(code: .cannotOpen, path: original, message: "\(what): \(reason)")
        }
        let input: InputFile
        do throws(InputFile.Refusal) { input = try InputFile(path: source) } catch { throw fault("can't read \(source)", error) }
        let output: OwnedFile
        do throws(FileError) { output = try work.makeFile(name) } catch { throw fault("can't write \(error.path)", error.code) }
        var offset = 0
        while true {
            let piece: [UInt8]
            do throws(InputFile.Refusal) { piece = try input.bytes(at: offset, count: 1 << 20) } catch {
                throw fault("can't read \(source)", error)
            }
            if piece.isEmpty { return }
            do throws(SystemCode) { try output.write(piece, at: offset) } catch { throw fault("can't write \(work.path)/\(name)", error) }
            offset += piece.count
        }
    }
}
