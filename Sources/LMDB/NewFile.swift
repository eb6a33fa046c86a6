internal import FileSystem

/// A file that is written from its beginning to its end and then is on the disk.
package struct NewFile: ~Copyable {
    private let path: String
    private let file: OwnedFile
    private var offset = 0
    private var pending: [UInt8] = []
    private var failure: LMDBCode?
    private static let pieceSize = 1 << 16

    /// Makes the file, which must not be there yet.
    package init(_ path: String) throws(LMDBError) {
        self.path = path
        file = try attempt("open", path, OwnedFile.open(path, .createNew))
    }

    /// Writes `bytes` after those before; false once something couldn't be written, which ``finish()`` then tells.
    package mutating func write(_ bytes: [UInt8]) -> Bool {
        pending += bytes
        if pending.count >= Self.pieceSize { flush() }
        return failure == nil
    }

    /// Puts all that was written on the disk.
    package consuming func finish() throws(LMDBError) {
        flush()
        if let failure { throw LMDBError(.failed(failure), operation: "write", path: path) }
        let file = file
        try attempt("fsync", path, file.sync())
    }

    private mutating func flush() {
        guard failure == nil else { return }
        do throws(SystemCode) { try file.write(pending, at: offset) } catch { failure = LMDBCode(error) }
        offset += pending.count
        pending.removeAll(keepingCapacity: true)
    }
}
