import EventCoding
import Testing

@Suite struct ByteReaderTests {
    @Test func valuesSurviveTheirBytes() throws {
        var writer = ByteWriter()
        writer.write(0xAB as UInt8)
        writer.write(0x1234 as UInt16)
        writer.write(0x1234_5678 as UInt32)
        writer.write(0x1234_5678_9ABC_DEF0 as UInt64)
        writer.write(UniqueID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF))
        writer.writeText("ça\u{0}е\u{308}")
        writer.writeCounted(bytes: [1, 2, 3])
        #expect(
            hexadecimal(writer.bytes)
                == "ab" + "3412" + "78563412" + "f0debc9a78563412" + "00112233445566778899aabbccddeeff" + "08c3a76100d0b5cc88" + "03010203")
        var reader = ByteReader(unsafe writer.bytes.span.bytes)
        #expect(try reader.readUInt8() == 0xAB)
        #expect(try reader.readUInt16() == 0x1234)
        #expect(try reader.readUInt32() == 0x1234_5678)
        #expect(try reader.readUInt64() == 0x1234_5678_9ABC_DEF0)
        #expect(try reader.readUniqueID().description == "00112233-4455-6677-8899-aabbccddeeff")
        let text = reader.offset
        #expect(try reader.readText(limit: 8).utf8.elementsEqual("ça\u{0}е\u{308}".utf8))
        #expect(try reader.readCountedBytes(limit: 3).copied() == [1, 2, 3])
        #expect(throws: Never.self) { try reader.finish() }
        #expect(throws: ByteError(.truncated, offset: writer.count)) { try reader.readUInt8() }
        var skipper = ByteReader(unsafe writer.bytes.span.bytes, at: text)
        #expect(try skipper.skipText(limit: 8) == text + 1..<text + 9)
        #expect(throws: ByteError(.trailingBytes, offset: text + 9)) { try skipper.finish() }
    }

    /// Numbers at the edges of each length, and their only form.
    static let numbers: [(number: UInt64, hex: String)] = [
        (0, "00"), (1, "01"), (127, "7f"), (128, "8001"), (16_383, "ff7f"), (16_384, "808001"), (2_097_151, "ffff7f"),
        (2_097_152, "80808001"), (1 << 62, "808080808080808040"), ((1 << 63) - 1, "ffffffffffffffff7f"), (1 << 63, "80808080808080808001"),
        (.max, "ffffffffffffffffff01"),
    ]

    /// What may follow a number in memory, within the bytes that are read or behind their end.
    static let followers: [[UInt8]] = [[], [0], [1], [0x80, 1], [0xFF, 0xFF, 0xFF]]

    @Test func variableIntegersHaveOneForm() throws {
        for (number, hex) in Self.numbers {
            var writer = ByteWriter()
            writer.writeVariable(number)
            #expect(hexadecimal(writer.bytes) == hex)
            for more in Self.followers {
                let data = writer.bytes + more
                var reader = ByteReader(unsafe data.span.bytes)
                #expect(try reader.readVariable() == number)
                #expect(reader.remaining == more.count)
            }
        }
        for number in [0, -1, 1, -64, 64, Int64.min, .max, .min + 1] {
            var writer = ByteWriter()
            writer.writeVariableSigned(number)
            var reader = ByteReader(unsafe writer.bytes.span.bytes)
            #expect(try reader.readVariableSigned() == number)
        }
        // A zero at the end, a number beyond 64 bits, an eleventh byte, no end.
        let wrong: [(hex: String, fault: ByteError.Kind)] = [
            ("8000", .badVariableInteger), ("ff00", .badVariableInteger), ("808000", .badVariableInteger),
            ("80808000", .badVariableInteger),
            ("80808080808080808000", .badVariableInteger), ("ffffffffffffffffff02", .badVariableInteger),
            ("ffffffffffffffffff7f", .badVariableInteger), ("ffffffffffffffffff8101", .badVariableInteger),
            ("8080808080808080808001", .badVariableInteger), ("80", .truncated), ("8080", .truncated), ("808080", .truncated),
            ("ffffffffffffffffff", .truncated), ("", .truncated),
        ]
        for (hex, kind) in wrong {
            let data = try #require(bytes(hexadecimal: hex))
            for more in Self.followers {
                let fault = #expect(throws: ByteError.self, "\(hex)") {
                    let memory = data + more
                    let end = kind == .truncated ? data.count : memory.count
                    var reader = ByteReader(unsafe memory.span.bytes.extracting(0..<end))
                    _ = try reader.readVariable()
                }
                #expect(fault?.kind == kind, "\(hex)")
            }
        }
    }

    /// Each value with the bytes that it takes; nothing of what lies behind the end is taken for a part of it.
    @Test func valuesThatTheEndCutsAreTruncated() {
        let memory = [UInt8](repeating: 1, count: 64)
        for count in 0...32 {
            let faults: [(size: Int, fault: ByteError?)] = [
                (1, fault(on: memory, count) { reader throws(ByteError) in _ = try reader.readUInt8() }),
                (2, fault(on: memory, count) { reader throws(ByteError) in _ = try reader.readUInt16() }),
                (4, fault(on: memory, count) { reader throws(ByteError) in _ = try reader.readUInt32() }),
                (8, fault(on: memory, count) { reader throws(ByteError) in _ = try reader.readUInt64() }),
                (16, fault(on: memory, count) { reader throws(ByteError) in _ = try reader.readUniqueID() }),
                (32, fault(on: memory, count) { reader throws(ByteError) in _ = try reader.readDigest() }),
            ]
            for (size, fault) in faults {
                #expect(fault == (size > count ? ByteError(.truncated, offset: 3) : nil), "\(size) of \(count)")
            }
        }
    }

    /// What a read ends with where `count` bytes are left behind the third.
    private func fault(on memory: [UInt8], _ count: Int, _ read: (inout ByteReader) throws(ByteError) -> Void) -> ByteError? {
        var reader = ByteReader(unsafe memory.span.bytes.extracting(0..<3 + count), at: 3)
        do {
            try read(&reader)
            return nil
        } catch {
            return error
        }
    }

    /// Reads that go wrong, on the bytes that they go wrong on.
    @Test func textIsUTF8WithinItsLimit() throws {
        let wrong: [(hex: String, limit: Int, fault: ByteError)] = [
            ("0361626364", 2, ByteError(.badLength, offset: 0)), ("03e282", 9, ByteError(.truncated, offset: 1)),
            ("02c328", 9, ByteError(.badText, offset: 0)), ("03eda080", 9, ByteError(.badText, offset: 0)),
            ("02c080", 9, ByteError(.badText, offset: 0)), ("04f4908080", 9, ByteError(.badText, offset: 0)),
            ("01ff", 9, ByteError(.badText, offset: 0)), ("", 9, ByteError(.truncated, offset: 0)),
            ("ffffffffffffffffff01", .max, ByteError(.badLength, offset: 0)),
            ("ffffffffffffffff7f", .max, ByteError(.truncated, offset: 9)),
        ]
        for (hex, limit, expected) in wrong {
            let data = try #require(bytes(hexadecimal: hex))
            #expect(throws: expected, "\(hex)") {
                var reader = ByteReader(unsafe data.span.bytes)
                _ = try reader.readText(limit: limit)
            }
            #expect(throws: expected, "\(hex)") {
                var reader = ByteReader(unsafe data.span.bytes)
                _ = try reader.skipText(limit: limit)
            }
        }
    }

    @Test func offsetsOutsideTheBytesAreClamped() {
        let data: [UInt8] = [1, 2]
        for (offset, expected) in [(-1, 2), (0, 2), (2, 0), (3, 0), (Int.max, 0), (Int.min, 2)] {
            let reader = ByteReader(unsafe data.span.bytes, at: offset)
            #expect(reader.remaining == expected)
        }
        #expect(throws: ByteError(.truncated, offset: 0)) {
            var reader = ByteReader(unsafe data.span.bytes)
            _ = try reader.readBytes(3)
        }
        #expect(throws: ByteError(.truncated, offset: 0)) {
            var reader = ByteReader(unsafe data.span.bytes)
            _ = try reader.readBytes(-1)
        }
    }
}
