internal import EventCoding
internal import FileSystem
internal import Hashing

/// A foreign file, open for reading.
struct ForeignFile: ~Copyable {
    let path: String
    private let file: InputFile
    /// Its size when it was opened.
    var size: Int { file.size }

    init(path: String) throws(ImportError) {
        self.path = path
        do throws(InputFile.Refusal) { file = try InputFile(path: path) } catch {
            throw ImportError(path: path, reason: .unreadable("\(error)"))
        }
    }

    /// The name without its folders.
    var name: String { path.split(separator: "/").last.map { String($0) } ?? path }

    /// The bytes from `offset` on, at most `count`.
    func bytes(at offset: Int = 0, count: Int) throws(ImportError) -> [UInt8] {
        do throws(InputFile.Refusal) { return try file.bytes(at: offset, count: count) } catch {
            throw ImportError(path: path, reason: .unreadable("\(error)"))
        }
    }

    /// The digest of the whole file.
    func digest() throws(ImportError) -> SHA256Digest {
        var hasher = SHA256Hasher()
        var offset = 0
        while true {
            let piece = try bytes(at: offset, count: 256 << 10)
            if piece.isEmpty { return hasher.finish() }
            hasher.update(piece)
            offset += piece.count
        }
    }
}
