internal import FileSystem

/// Reads files whole, so that what is digested is what is read.
enum PackFile {
    /// Larger packs are refused: all of one goes into memory.
    static let largest = 512 << 20

    /// The bytes of the file at `path`.
    static func bytes(of path: String, limit: Int = largest) throws(PackError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(InputFile.Refusal) {
            let file = try InputFile(path: path)
            bytes = file.size <= limit ? try file.bytes(count: file.size) : nil
        } catch {
            throw PackError(path: path, why: "can't be read: " + (error == .notAFile ? "it is \(error)" : "\(error)"))
        }
        guard let bytes else { throw PackError(path: path, why: "is larger than \(limit) bytes") }
        return bytes
    }
}
