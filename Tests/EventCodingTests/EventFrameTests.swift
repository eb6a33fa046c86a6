import EventCoding
import Testing

@Suite struct EventFrameTests {
    static func header(key: UniqueID? = nil, number: UInt64 = 7, wall: Int64 = 1_728_302_400_000) -> EventHeader {
        EventHeader(
            type: EventType(rawValue: 288), version: 1, zoneMinutes: -210,
            id: EventID(origin: OriginID(rawValue: 0x0123_4567_89AB_CDEF), number: number),
            logicalTime: LogicalTime(rawValue: 1_728_302_400_005 << 16 | 3), wallMilliseconds: wall,
            subject: UniqueID(high: 1, low: 2), key: key)
    }

    static func frame(_ header: EventHeader, payload: [UInt8]) throws -> [UInt8] {
        var writer = ByteWriter()
        try EventFrame.append(header, payload: payload, to: &writer)
        return writer.bytes
    }

    /// The fields of ``header(key:number:wall:)`` up to its number, as the table at `EventFrame` lays them out.
    private static func fixed(flags: String, length: String) -> String {
        "e74e" + "2001" + "01" + flags + "2eff" + length + "efcdab8967452301" + "030005c2d9669201" + "00000000000000010000000000000002"
    }

    /// Key, erasure and payload, and the bytes behind the checksum.
    private static let layouts: [(key: UniqueID?, erasure: Erasure?, payload: [UInt8], hex: String)] = [
        (nil, nil, [], fixed(flags: "00", length: "32000000") + "07" + "09"),
        (UniqueID(high: 3, low: 4), nil, [5], fixed(flags: "01", length: "43000000") + "0709" + "00000000000000030000000000000004" + "05"),
        (
            nil, .possible(count: 1, salt: UniqueID(high: 6, low: 7)), [8, 9],
            fixed(flags: "02", length: "45000000") + "0709" + "01" + "00000000000000060000000000000007" + "0809"
        ),
        (
            nil, SHA256Digest(String(repeating: "ab", count: 32)).map { .done($0) }, [8],
            fixed(flags: "06", length: "53000000") + "0709" + String(repeating: "ab", count: 32) + "08"
        ),
    ]

    @Test func framesAreLaidOutAsTheirTableSays() throws {
        for (key, erasure, payload, hex) in Self.layouts {
            var writer = ByteWriter()
            try EventFrame.append(Self.header(key: key), payload: payload, erasure: erasure, to: &writer)
            #expect(hexadecimal(writer.bytes.dropFirst(4)) == hex)
            let sum = fastChecksum(unsafe Array(writer.bytes.dropFirst(4)).span.bytes)
            #expect(Array(writer.bytes.prefix(4)) == (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) })
            let span = unsafe writer.bytes.span.bytes
            let (type, origin, subject) = (EventFrame.type(of: span), EventFrame.origin(of: span), EventFrame.subject(of: span))
            let last = EventFrame.lastByteOfSubject(at: 0, of: span)
            #expect(type.rawValue == 288 && origin.rawValue == 0x0123_4567_89AB_CDEF && subject == UniqueID(high: 1, low: 2) && last == 2)
        }
        #expect(EventHeader.zoneRange == -1440...1440, "24 hours either way")
        #expect(fastChecksum(RawSpan()) == 0x2D06_8005_38D3_94C2, "XXH3-64 of nothing")
    }

    /// Bytes behind the checksum that state what can't be.
    private static let lies: [(hex: String, fault: ByteError)] = [
        // Three bytes of two may be erased; the wall time lies beyond 64 bits.
        (
            fixed(flags: "02", length: "45000000") + "0709" + "03" + "00000000000000060000000000000007" + "0809",
            ByteError(.badLength, offset: 50)
        ),
        (fixed(flags: "00", length: "3b000000") + "07" + "feffffffffffffffff01", ByteError(.badValue, offset: 48)),
        (fixed(flags: "04", length: "32000000") + "0709", ByteError(.unknownFormat, offset: 9)),
    ]

    @Test func framesThatLieAreRefused() throws {
        for (hex, fault) in Self.lies {
            let data = try [0, 0, 0, 0] + #require(bytes(hexadecimal: hex))
            #expect(throws: fault) { try EventFrame.parse(unsafe data.span.bytes) }
            #expect(throws: ByteError(.badChecksum, offset: 0)) { try EventFrame.parseIntact(unsafe data.span.bytes) }
        }
    }

    /// A stated length, the bytes that there are, and what is wrong with that.
    private static let lengths: [(stated: Int, count: Int, fault: ByteError?)] = [
        (50, 50, nil), (50, 51, nil), (49, 50, ByteError(.badLength, offset: 13)), (51, 50, ByteError(.truncated, offset: 1)),
        (50, 49, ByteError(.truncated, offset: 1)), (8 << 20, 8 << 20, nil), (8 << 20 + 1, 8 << 20 + 1, ByteError(.badLength, offset: 13)),
    ]

    @Test func lengthsAreWithinTheirBounds() {
        #expect(throws: ByteError(.badMagic, offset: 5)) {
            try EventFrame.length(at: 1, of: unsafe [UInt8](repeating: 50, count: 51).span.bytes)
        }
        for (stated, count, expected) in Self.lengths {
            var data = [UInt8](repeating: 0, count: 1 + count)
            (data[5], data[6]) = (0xE7, 0x4E)
            for place in 0..<4 { data[13 + place] = UInt8(truncatingIfNeeded: stated >> (8 * place)) }
            do throws(ByteError) {
                let length = try EventFrame.length(at: 1, of: unsafe data.span.bytes)
                #expect(expected == nil && length == stated, "\(stated) in \(count)")
            } catch {
                #expect(error == expected, "\(stated) in \(count)")
            }
        }
    }

    @Test func framesSurvive() throws {
        let key = UniqueID(high: .max, low: 5)
        let headers = [
            Self.header(), Self.header(key: key), Self.header(number: .max), Self.header(wall: -62_135_596_800_000),
            Self.header(wall: 140_737_488_355_327),
        ]
        var all = ByteWriter()
        var starts: [Int] = []
        for (index, header) in headers.enumerated() {
            let payload = [UInt8](repeating: UInt8(index), count: index * 100)
            starts.append(all.count)
            try EventFrame.append(header, payload: payload, to: &all)
        }
        // One behind the other, as a commit has them.
        let span = unsafe all.bytes.span.bytes
        for (index, start) in starts.enumerated() {
            let length = try EventFrame.length(at: start, of: span)
            #expect(start + length == (index + 1 < starts.count ? starts[index + 1] : all.count))
            let frame = span.extracting(start..<start + length)
            let isIntact = EventFrame.isIntact(frame)
            #expect(isIntact)
            let (header, offset) = try EventFrame.parse(frame)
            #expect(header == headers[index])
            #expect(frame.extracting(offset..<length).copied() == [UInt8](repeating: UInt8(index), count: index * 100))
        }
    }

    @Test func textsThatMayBeErasedSurviveToo() throws {
        let salt = UniqueID(high: 77, low: 78)
        let digest = try #require(SHA256Digest(String(repeating: "ab", count: 32)))
        for key in [nil, UniqueID(high: 3, low: 4)] {
            let header = Self.header(key: key)
            for count in 0...4 {
                var writer = ByteWriter()
                try EventFrame.append(header, payload: [1, 2, 3, 4], erasure: .possible(count: count, salt: salt), to: &writer)
                let span = unsafe writer.bytes.span.bytes
                let (parsed, offset) = try EventFrame.parse(span)
                #expect(parsed == header && span.extracting(offset..<span.byteCount).copied() == [1, 2, 3, 4])
                let erasure = try EventFrame.erasure(of: span)
                #expect(erasure == .possible(count: count, salt: salt))
                let isIntact = EventFrame.isIntact(span)
                let isErasable = EventFrame.isErasable(at: 0, of: span)
                #expect(isIntact && isErasable)
            }
            var writer = ByteWriter()
            try EventFrame.append(header, payload: [1], erasure: .done(digest), to: &writer)
            let span = unsafe writer.bytes.span.bytes
            let (parsed, offset) = try EventFrame.parse(span)
            let erasure = try EventFrame.erasure(of: span)
            #expect(parsed.isErased && parsed.key == key && span.extracting(offset..<span.byteCount).copied() == [1])
            #expect(erasure == .done(digest))
            // Cut short, or with a count beyond the payload, it is a fault and no crash.
            for count in 0..<writer.count {
                let cut = Array(writer.bytes[..<count])
                _ = try? EventFrame.parse(unsafe cut.span.bytes)
                _ = try? EventFrame.erasure(of: unsafe cut.span.bytes)
            }
        }
        var writer = ByteWriter()
        #expect(throws: ByteError.self) {
            try EventFrame.append(Self.header(), payload: [1], erasure: .possible(count: 2, salt: salt), to: &writer)
        }
        #expect(throws: ByteError.self) {
            try EventFrame.append(Self.header(), payload: [1], erasure: .possible(count: -1, salt: salt), to: &writer)
        }
    }

    /// Any flipped bit is noticed: by the length and magic that a scan looks at, or by the checksum.
    @Test func everyFlippedBitIsNoticed() throws {
        let intact = try Self.frame(Self.header(key: UniqueID(high: 3, low: 4)), payload: [1, 0, 9])
        for bit in 0..<intact.count * 8 {
            var damaged = intact
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            let span = unsafe damaged.span.bytes
            do throws(ByteError) {
                let length = try EventFrame.length(at: 0, of: span)
                let isIntact = EventFrame.isIntact(span.extracting(0..<length))
                #expect(!isIntact, "bit \(bit)")
            } catch {
                #expect([.badMagic, .badLength, .truncated].contains(error.kind), "bit \(bit)")
            }
            // Damage is never a crash, also where nobody asked for the checksum.
            _ = try? EventFrame.parse(span)
        }
    }

    @Test func cutAndForeignBytesAreFaults() throws {
        let intact = try Self.frame(Self.header(), payload: [1, 2, 3])
        for count in 0..<intact.count {
            let cut = Array(intact[..<count])
            #expect(throws: ByteError.self) { try EventFrame.length(at: 0, of: unsafe cut.span.bytes) }
            let isIntact = EventFrame.isIntact(unsafe cut.span.bytes)
            #expect(!isIntact)
            guard count < EventFrame.minimumSize else { continue }
            #expect(throws: ByteError(.truncated, offset: count)) { try EventFrame.parse(unsafe cut.span.bytes) }
        }
        for offset in [-1, 1, intact.count, Int.max, Int.min] {
            #expect(throws: ByteError.self) { try EventFrame.length(at: offset, of: unsafe intact.span.bytes) }
        }
        var flagged = intact
        for flags: UInt8 in [4, 5, 8, 128] {
            flagged[9] = flags
            #expect(throws: ByteError(.unknownFormat, offset: 9)) { try EventFrame.parse(unsafe flagged.span.bytes) }
        }
        var writer = ByteWriter()
        #expect(throws: ByteError(.badLength, offset: 12)) {
            try EventFrame.append(Self.header(), payload: [UInt8](repeating: 0, count: (8 << 20) - 49), to: &writer)
        }
        #expect(try Self.frame(Self.header(), payload: [UInt8](repeating: 0, count: (8 << 20) - 50)).count == 8 << 20)
    }

    @Test func randomBytesNeverCrash() {
        var state: UInt64 = 20_241_007
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        for _ in 0..<20_000 {
            var data = (0..<Int(next() % 120)).map { _ in UInt8(truncatingIfNeeded: next()) }
            if data.count > 16 {
                data[4] = 0xE7
                data[5] = 0x4E
                for index in 12..<16 { data[index] = index == 12 ? UInt8(next() % 128) : 0 }
            }
            let span = unsafe data.span.bytes
            if let length = try? EventFrame.length(at: 0, of: span) { #expect(length <= data.count) }
            _ = EventFrame.isIntact(span)
            if let offset = try? EventFrame.parse(span).payloadOffset { #expect(offset <= data.count) }
        }
    }
}
