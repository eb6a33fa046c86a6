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

    /// The next line without its end; `nil` at the end of the file.
    func next() throws(StoreError) -> [UInt8]? {
        while true {
            if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[start..<end])
                start = end + 1
                return line
            }
            if isAtEnd {
                guard start < buffer.count else { return nil }
                let line = Array(buffer[start...])
                start = buffer.count
                return line
            }
            buffer.removeFirst(start)
            start = 0
            try fill()
        }
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

    private static func message(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
