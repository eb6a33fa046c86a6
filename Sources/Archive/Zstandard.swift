internal import CZstd

/// Decompression of Zstandard (RFC 8878), frame after frame.
package enum Zstandard {
    /// The first bytes of a frame.
    package static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    /// The content of `packed`: one frame or several. The sizes that frames declare are hints, not promises.
    ///
    /// `path` and `member` say in an error where the bytes are from.
    package static func decompress(
        _ packed: [UInt8], limits: ArchiveLimits = ArchiveLimits(), path: String, member: String? = nil
    ) throws(ArchiveError) -> [UInt8] {
        guard let stream = unsafe ZSTD_createDStream() else {
            throw ArchiveError(.cannotOpen("no memory"), path: path, member: member)
        }
        defer { _ = unsafe ZSTD_freeDStream(stream) }
        var bytes: [UInt8] = []
        let hint = unsafe packed.withUnsafeBytes { unsafe ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
        // Errors and "unknown" are the two largest numbers.
        if let hint = Int(exactly: hint), limits.objection(to: hint, packed: packed.count) == nil { bytes.reserveCapacity(hint) }
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        var position = 0
        while true {
            let (status, count) = unsafe packed.withUnsafeBytes { source in
                unsafe chunk.withUnsafeMutableBytes { target in
                    var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: position)
                    var output = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                    let status = unsafe ZSTD_decompressStream(stream, &output, &input)
                    unsafe position = input.pos
                    return unsafe (status, output.pos)
                }
            }
            guard ZSTD_isError(status) == 0 else {
                let words = unsafe String(cString: ZSTD_getErrorName(status))
                throw ArchiveError(.damaged(words), path: path, member: member)
            }
            bytes.append(contentsOf: chunk[..<count])
            if let objection = limits.objection(to: bytes.count, packed: packed.count) {
                throw ArchiveError(objection, path: path, member: member)
            }
            if position == packed.count {
                // 0 says that a frame has just ended and is all out; else more is to come, out of the stream or into it.
                if status == 0 { return bytes }
                if count < chunk.count { throw ArchiveError(.truncated, path: path, member: member) }
            }
        }
    }
}
