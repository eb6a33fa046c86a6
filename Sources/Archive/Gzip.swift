internal import CZlib

/// Decompression of gzip (RFC 1952), member after member; dictzip is gzip with a table that only a reader who jumps needs.
package enum Gzip {
    /// The first bytes of a member.
    package static let magic: [UInt8] = [0x1F, 0x8B]

    /// The content of `packed`. The size and checksum at the end of each member are held against what came out.
    ///
    /// `path` says in an error where the bytes are from.
    package static func decompress(
        _ packed: [UInt8], limits: ArchiveLimits = ArchiveLimits(), path: String
    ) throws(ArchiveError) -> [UInt8] {
        var stream = unsafe z_stream()
        // The largest window, and a gzip header, no other.
        guard unsafe engram_inflate_init(&stream, 15 + 16) == Z_OK else { throw ArchiveError(.cannotOpen("no memory"), path: path) }
        defer { unsafe inflateEnd(&stream) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        var position = 0
        while true {
            let (status, read, written) = unsafe step(&stream, packed, from: position, into: &chunk)
            position += read
            bytes.append(contentsOf: chunk[..<written])
            if let objection = limits.objection(to: bytes.count, packed: packed.count) { throw ArchiveError(objection, path: path) }
            switch status {
            case Z_OK: continue
            case Z_STREAM_END:
                guard position < packed.count else { return bytes }
                guard unsafe inflateReset(&stream) == Z_OK else { throw ArchiveError(.damaged("it can't be read on"), path: path) }
            // Neither read nor written: the bytes have ended within a member.
            case Z_BUF_ERROR: throw ArchiveError(.truncated, path: path)
            case Z_MEM_ERROR: throw ArchiveError(.cannotOpen("no memory"), path: path)
            default: throw ArchiveError(.damaged(unsafe words(of: stream)), path: path)
            }
        }
    }

    /// One call of zlib: what it says, how many bytes it read, and how many it wrote.
    @unsafe private static func step(
        _ stream: inout z_stream, _ packed: [UInt8], from position: Int, into chunk: inout [UInt8]
    ) -> (status: Int32, read: Int, written: Int) {
        // zlib counts in 32 bits; what doesn't fit comes with the next call.
        let available = min(packed.count - position, 1 << 30)
        let size = chunk.count
        let status = unsafe packed.withUnsafeBufferPointer { source in
            unsafe chunk.withUnsafeMutableBufferPointer { target in
                // zlib reads through a mutable pointer, and doesn't write to it.
                unsafe stream.next_in = unsafe UnsafeMutablePointer(mutating: source.baseAddress?.advanced(by: position))
                unsafe stream.avail_in = UInt32(available)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(size)
                return unsafe inflate(&stream, Z_NO_FLUSH)
            }
        }
        return unsafe (status, available - Int(stream.avail_in), size - Int(stream.avail_out))
    }

    @unsafe private static func words(of stream: z_stream) -> String {
        guard let message = unsafe stream.msg else { return "it is no gzip" }
        return unsafe String(cString: message)
    }
}
