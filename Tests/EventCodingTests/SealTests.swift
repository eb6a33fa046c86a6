import EventCoding
import Testing

@Suite struct SealTests {
    @Test(arguments: [[], [7], [1, 2, 3, 4, 5, 6, 7, 8, 9]] as [[UInt8]]) func whatIsSealedOpensUnderItsKeyAlone(value: [UInt8]) throws {
        let seal = Seal(of: "words")
        let (number, key) = (0x0102_0304_0506_0708 as UInt64, [1, 2, 3, 4, 5, 6, 7, 8] as [UInt8])
        let sealed = seal.sealed(value, under: number)
        #expect(sealed.count == value.count + 8 && Array(sealed.prefix(value.count)) == value && sealed == seal.sealed(value, under: key))
        let opened = [seal.open(sealed.rawSpan, under: number)?.copied(), seal.open(sealed.rawSpan, under: key.rawSpan)?.copied()]
        #expect(opened == [value, value])
        let asItIs = seal.open(sealed.rawSpan, under: key.rawSpan, isSealed: false)?.copied()
        #expect(asItIs == sealed)
        let others = [
            seal.open(sealed.rawSpan, under: number + 1)?.copied(), Seal(of: "packs").open(sealed.rawSpan, under: number)?.copied(),
        ]
        #expect(others == [nil, nil])
        for bit in 0..<sealed.count * 8 {
            var damaged = sealed
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            let opened = seal.open(damaged.rawSpan, under: key.rawSpan, isSealed: true)?.copied()
            #expect(opened == nil, "bit \(bit)")
        }
        var writer = ByteWriter()
        writer.write(bytes: key + value)
        seal.seal(&writer, key: 0, value: 8)
        #expect(Array(writer.bytes.dropFirst(8)) == sealed)
    }

    @Test func nothingHasAChecksumToo() {
        let (seal, nothing) = (Seal(of: ""), [] as [UInt8])
        #expect(seal.checksum(RawSpan(), RawSpan()) == seal.checksum(nothing.rawSpan, nothing.rawSpan))
        let opened = seal.open(nothing.rawSpan, under: 0)?.copied()
        #expect(opened == nil)
    }
}
