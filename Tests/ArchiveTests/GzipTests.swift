import CZlib
import Testing

@testable import Archive

/// One gzip member that holds `content`; with an extra field, as dictzip writes it, or without.
func gzip(_ content: [UInt8], extra: [UInt8] = []) -> [UInt8] {
    var packed = [UInt8](repeating: 0, count: content.count + content.count / 100 + 64)
    var stream = unsafe z_stream()
    // Without header and trailer.
    _ = unsafe engram_deflate_init(&stream, -15)
    let count = unsafe packed.withUnsafeMutableBufferPointer { target in
        unsafe content.withUnsafeBufferPointer { source in
            unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
            unsafe stream.avail_in = UInt32(source.count)
            unsafe stream.next_out = target.baseAddress
            unsafe stream.avail_out = UInt32(target.count)
            _ = unsafe deflate(&stream, Z_FINISH)
            return unsafe target.count - Int(stream.avail_out)
        }
    }
    _ = unsafe deflateEnd(&stream)
    let checksum = unsafe content.withUnsafeBufferPointer { unsafe crc32(0, $0.baseAddress, UInt32($0.count)) }
    var member: [UInt8] = [0x1F, 0x8B, 8, extra.isEmpty ? 0 : 4, 0, 0, 0, 0, 0, 3]
    if !extra.isEmpty { member += [UInt8(extra.count & 0xFF), UInt8(extra.count >> 8)] + extra }
    member += packed.prefix(count)
    for value in [UInt32(truncatingIfNeeded: checksum), UInt32(truncatingIfNeeded: content.count)] {
        for shift in stride(from: 0, to: 32, by: 8) { member.append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
    }
    return member
}

struct GzipTests {
    private func kind(_ packed: [UInt8], _ limits: ArchiveLimits = ArchiveLimits()) -> ArchiveError.Kind? {
        do throws(ArchiveError) {
            _ = try Gzip.decompress(packed, limits: limits, path: "p")
            return nil
        } catch {
            #expect(error.path == "p")
            return error.kind
        }
    }

    @Test func membersReadAsTheyWereWritten() throws {
        for size in [0, 1, 1000, 256 << 10, (512 << 10) + 1, 3_000_000] {
            let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
            #expect(try Gzip.decompress(gzip(content), path: "p") == content, "\(size)")
            // The table of dictzip.
            #expect(try Gzip.decompress(gzip(content, extra: [0x52, 0x41, 6, 0, 1, 0, 2, 3, 1, 0]), path: "p") == content, "\(size)")
            #expect(try Gzip.decompress(gzip(content) + gzip([1, 2]), path: "p") == content + [1, 2], "\(size)")
        }
    }

    @Test func whatIsWrongIsSaid() throws {
        let packed = gzip((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
        for count in [0, 1, 5, 9, 10, 11, packed.count / 2, packed.count - 1] {
            #expect(kind(Array(packed.prefix(count))) == .truncated, "\(count)")
        }
        #expect(kind(Array("no gzip at all".utf8)) != nil)
        #expect(kind(packed, ArchiveLimits(bytes: 100_000)) == nil)
        #expect(kind(packed, ArchiveLimits(bytes: 99_999)) == .tooLarge(limit: 99_999))
        let bomb = gzip([UInt8](repeating: 0, count: 40_000_000))
        #expect(kind(bomb, ArchiveLimits(bytes: 1 << 30, freeBytes: 1 << 20)) == .suspiciousRatio(compressed: bomb.count, limit: 250))
        // The checksum and the size.
        for index in packed.count - 8..<packed.count {
            var damaged = packed
            damaged[index] ^= 1
            guard case .damaged = kind(damaged) else {
                Issue.record("\(index): \(String(describing: kind(damaged)))")
                continue
            }
        }
        for index in 0..<64 {
            for flip in [1, 0x80, 0xFF] as [UInt8] {
                var damaged = packed
                damaged[index] ^= flip
                _ = kind(damaged, ArchiveLimits(bytes: 10_000_000))
            }
        }
    }
}
