internal import FileSystem

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Reads a text file line by line, whatever its size. A file that can't be read to its end is an error, never a short file.
@safe
final class LineReader {
    // Opened by `init`, closed by `deinit`, and never handed out.
    private let file: UnsafeMutablePointer<FILE>
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
        guard let file = unsafe fopen(path, "rb") else {
            throw errno == ENOENT ? .noStore(path: path) : .storage(path: path, operation: "open", why: Self.message(errno))
        }
        unsafe self.file = unsafe file
        var status = stat()
        guard unsafe fstat(fileno(file), &status) == 0 else {
            throw .storage(path: path, operation: "fstat", why: Self.message(errno))
        }
        guard status.st_mode & S_IFMT != S_IFDIR else { return nil }
    }

    /// Standard input, from where it stands.
    init(standardInputNamed name: String) throws(StoreError) {
        path = name
        let descriptor = dup(0)
        guard descriptor >= 0, let file = unsafe fdopen(descriptor, "rb") else {
            throw .storage(path: name, operation: "open", why: Self.message(errno))
        }
        unsafe self.file = unsafe file
    }

    deinit { unsafe _ = fclose(file) }

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
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        let count = unsafe piece.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
        let error = errno
        buffer += piece[..<count]
        if unsafe ferror(file) != 0 {
            guard error == EINTR else { throw .storage(path: path, operation: "read", why: Self.message(error)) }
            unsafe clearerr(file)
        } else if count == 0 {
            isAtEnd = true
        }
    }

    private static func message(_ code: Int32) -> String { SystemCode(rawValue: code).description }
}
