import CZstd
import Testing

@testable import Archive

/// One frame that holds `content`, with its size in front or without.
func compress(_ content: [UInt8], declaring: Bool = true) -> [UInt8] {
    var frame = [UInt8](repeating: 0, count: ZSTD_compressBound(content.count) + 64)
    let context = unsafe ZSTD_createCCtx()
    defer { _ = unsafe ZSTD_freeCCtx(context) }
    _ = unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, declaring ? 1 : 0)
    let count = unsafe frame.withUnsafeMutableBytes { target in
        unsafe content.withUnsafeBytes { source in
            unsafe ZSTD_compress2(context, target.baseAddress, target.count, source.baseAddress, source.count)
        }
    }
    return Array(frame.prefix(count))
}

struct ZstandardTests {
    private func kind(_ packed: [UInt8], _ limits: ArchiveLimits = ArchiveLimits()) -> ArchiveError.Kind? {
        do throws(ArchiveError) {
            _ = try Zstandard.decompress(packed, limits: limits, path: "p", member: "m")
            return nil
        } catch {
            #expect(error.path == "p" && error.member == "m")
            return error.kind
        }
    }

    @Test func framesReadAsTheyWereWritten() throws {
        let sizes = [0, 1, 1000, 256 << 10, 512 << 10, (512 << 10) + 1, 3_000_000]
        for size in sizes {
            let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
            for declaring in [true, false] {
                #expect(try Zstandard.decompress(compress(content, declaring: declaring), path: "p") == content, "\(size)")
            }
            #expect(try Zstandard.decompress(compress(content) + compress([1, 2]), path: "p") == content + [1, 2], "\(size)")
        }
    }

    @Test func whatIsWrongIsSaid() throws {
        let packed = compress((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
        for count in [0, 3, 4, 5, packed.count / 2, packed.count - 1] {
            #expect(kind(Array(packed.prefix(count))) == .truncated, "\(count)")
        }
        #expect(kind(Array("no frame at all".utf8)) != nil)
        #expect(kind(packed, ArchiveLimits(bytes: 100_000)) == nil)
        #expect(kind(packed, ArchiveLimits(bytes: 99_999)) == .tooLarge(limit: 99_999))
        let bomb = compress([UInt8](repeating: 0, count: 40_000_000))
        #expect(kind(bomb, ArchiveLimits(bytes: 1 << 30, freeBytes: 1 << 20)) == .suspiciousRatio(compressed: bomb.count, limit: 250))
        // The declared size lies at offset 5 or 6 of the frame, depending on its own length.
        for index in 4..<64 {
            for flip in [1, 0x80, 0xFF] as [UInt8] {
                var damaged = packed
                damaged[index] ^= flip
                _ = kind(damaged, ArchiveLimits(bytes: 10_000_000))
            }
        }
    }
}
