internal import FileSystem

/// Records that are written one after the other and then read in that order: in memory while they are few, beyond that in a file
/// without a name, which is gone with the process whatever becomes of it.
///
/// What comes from outside waits in one until all of it is there, so that no lock is held meanwhile.
final class Spool {
    /// So much stays in memory.
    private static let memoryLimit = 8 << 20

    /// Where the file lies; for messages too.
    private let folder: String
    private let random: @Sendable () -> UInt64
    private var file = OwnedFile.absent
    /// What isn't in the file yet.
    private var buffer: [UInt8] = []
    private var fileLength = 0
    private(set) var count = 0

    // Reading: what was read from the file last, and how far.
    private var piece: [UInt8] = []
    private var pieceOffset = 0
    private var fileOffset = 0
    private var bufferOffset = 0

    /// - Parameter random: makes a name that nobody can guess, for the moment that the file has one.
    init(in folder: String, random: @escaping @Sendable () -> UInt64) {
        self.folder = folder
        self.random = random
    }

    func append(_ bytes: [UInt8]) throws(StoreError) {
        for shift in stride(from: 0, to: 32, by: 8) { buffer.append(UInt8(truncatingIfNeeded: bytes.count >> shift)) }
        buffer += bytes
        count += 1
        if buffer.count >= Self.memoryLimit { try flush() }
    }

    /// The next record from the first on; `nil` after the last one.
    func next() throws(StoreError) -> [UInt8]? {
        guard let head = try read(4) else { return nil }
        let length = head.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
        return try read(length)
    }

    /// Begins again with the first record.
    func rewind() {
        piece = []
        (pieceOffset, fileOffset, bufferOffset) = (0, 0, 0)
    }

    private func read(_ length: Int) throws(StoreError) -> [UInt8]? {
        if length == 0 { return [] }
        var result: [UInt8] = []
        while result.count < length {
            if pieceOffset == piece.count, fileOffset < fileLength { try fill() }
            if pieceOffset < piece.count {
                let end = min(piece.count, pieceOffset + length - result.count)
                result += piece[pieceOffset..<end]
                pieceOffset = end
            } else {
                let end = min(buffer.count, bufferOffset + length - result.count)
                guard end > bufferOffset else { return nil }
                result += buffer[bufferOffset..<end]
                bufferOffset = end
            }
        }
        return result
    }

    private func fill() throws(StoreError) {
        piece = [UInt8](repeating: 0, count: min(1 << 20, fileLength - fileOffset))
        pieceOffset = 0
        let offset = fileOffset
        let outcome: Result<Int, SystemCode> = unsafe piece.withUnsafeMutableBytes { bytes in
            do throws(SystemCode) { return .success(try unsafe file.read(into: bytes, at: offset)) } catch { return .failure(error) }
        }
        let count: Int
        do throws(SystemCode) { count = try outcome.get() } catch { throw fault("read a temporary file", "\(error)") }
        guard count == piece.count else { throw fault("read a temporary file", "it ends too early") }
        fileOffset += piece.count
    }

    private func flush() throws(StoreError) {
        do throws(SystemCode) {
            if !file.isOpen { try makeFile() }
            try file.write(buffer, at: fileLength)
        } catch { throw fault("write a temporary file", "\(error)") }
        fileLength += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    /// Makes a file that nobody else can open, and takes its name away.
    private func makeFile() throws(SystemCode) {
        let name = folder + "/.incoming-" + String(random(), radix: 16)
        file = try OwnedFile.open(name, .createNew)
        // Once more where the first try failed.
        do throws(SystemCode) { try Files.removeFile(name) } catch { try Files.removeFile(name) }
    }

    private func fault(_ operation: String, _ why: String) -> StoreError { .storage(path: folder, operation: operation, why: why) }
}
