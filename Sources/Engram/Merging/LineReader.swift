internal import FileSystem

/// Reads a text file line by line, whatever its size. A file that can't be read to its end is an error, never a short file.
final class LineReader {
    private let file: OwnedFile
    private let path: String
    private var buffer: [UInt8] = []
    private var start = 0
    /// Before it, no end of a line lies after `start`.
    private var searched = 0
    private var lines = 0
    private var isAtEnd = false
    private static let pieceSize = 1 << 16

    /// `nil` where `path` is a folder, so no file of lines.
    init?(path: String) throws(StoreError) {
        self.path = path
        do throws(SystemCode) { file = try OwnedFile.open(path, .stream) } catch {
            throw error == .noEntry ? .noStore(path: path) : .storage(path: path, operation: "open", why: error.description)
        }
        let isFolder: Bool
        do throws(SystemCode) { isFolder = try file.status().isDirectory } catch {
            throw .storage(path: path, operation: "fstat", why: error.description)
        }
        if isFolder { return nil }
    }

    /// Standard input, from where it stands.
    init(standardInputNamed name: String) throws(StoreError) {
        path = name
        do throws(SystemCode) { file = try OwnedFile.standardInput() } catch {
            throw .storage(path: name, operation: "open", why: error.description)
        }
    }

    /// The next line without its end; `nil` at the end of the file. Complexity: O(bytes of the line).
    ///
    /// - Throws: ``StoreError/badInput(path:place:why:)`` where the line has more bytes than any that is read.
    func next() throws(StoreError) -> [UInt8]? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[start..<end]
                start = end + 1
                searched = start
                return try checked(line)
            }
            searched = buffer.count
            if isAtEnd {
                guard start < buffer.count else { return nil }
                let line = buffer[start...]
                start = buffer.count
                return try checked(line)
            }
            // One that is too long is refused as soon as that is known, and not kept.
            if buffer.count - start > LineLimit.bytes { return try checked(buffer[start...]) }
            buffer.removeFirst(start)
            searched -= start
            start = 0
            try fill()
        }
    }

    private func checked(_ line: ArraySlice<UInt8>) throws(StoreError) -> [UInt8] {
        lines += 1
        guard line.count <= LineLimit.bytes else {
            throw .badInput(path: path, place: "line \(lines)", why: "the line has more than \(LineLimit.bytes >> 20) MiB")
        }
        return Array(line)
    }

    private func fill() throws(StoreError) {
        do throws(SystemCode) {
            let piece = try file.next(Self.pieceSize)
            isAtEnd = piece.isEmpty
            buffer += piece
        } catch { throw .storage(path: path, operation: "read", why: error.description) }
    }
}
