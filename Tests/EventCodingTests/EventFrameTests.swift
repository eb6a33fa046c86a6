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
            _ = try? EventFrame.parse(unsafe cut.span.bytes)
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
            try EventFrame.append(Self.header(), payload: [UInt8](repeating: 0, count: EventFrame.maximumSize), to: &writer)
        }
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
