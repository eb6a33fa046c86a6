/// Reads a binary property list (`bplist00`) of a stranger, one object at a time: nothing in it is followed unasked, so
/// that neither circles nor depth matter.
struct BinaryPropertyList {
    /// An object; what it holds are places of other objects.
    enum Object: Equatable {
        case null
        case truth(Bool)
        case integer(Int64)
        case real(Double)
        case data([UInt8])
        case text(String)
        /// The place of another object in a list of an archive's own.
        case uid(Int)
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    /// Where the bytes aren't what they should be.
    struct PropertyListError: Error, Equatable {
        let offset: Int
    }

    private static let magic = Array("bplist00".utf8)
    private static let trailerBytes = 32
    /// More objects than this has no colour.
    private static let maximumCount = 100_000

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let tableOffset: Int
    private let count: Int
    /// The place of the object that all others belong to.
    let top: Int

    init(_ bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.starts(with: Self.magic), bytes.count >= Self.magic.count + Self.trailerBytes else {
            throw PropertyListError(offset: 0)
        }
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerBytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize else { throw PropertyListError(offset: trailer + 6) }
        guard let count = Self.number(bytes, at: trailer + 8, size: 8), let top = Self.number(bytes, at: trailer + 16, size: 8),
            let table = Self.number(bytes, at: trailer + 24, size: 8), 1...Self.maximumCount ~= count, top < count,
            Self.magic.count...trailer ~= table, trailer - table >= count * offsetSize
        else { throw PropertyListError(offset: trailer + 8) }
        self.count = count
        self.top = top
        tableOffset = table
    }

    /// The object at `place`.
    func object(_ place: Int) throws(PropertyListError) -> Object {
        guard 0..<count ~= place, let offset = Self.number(bytes, at: tableOffset + place * offsetSize, size: offsetSize),
            Self.magic.count..<tableOffset ~= offset
        else { throw PropertyListError(offset: tableOffset) }
        let low = Int(bytes[offset] & 15)
        switch bytes[offset] >> 4 {
        case 0x0:
            switch low {
            case 0: return .null
            case 8, 9: return .truth(low == 9)
            default: throw PropertyListError(offset: offset)
            }
        case 0x1: return .integer(try integer(at: offset, exponent: low))
        case 0x2, 0x3: return .real(try real(at: offset, exponent: low))
        case 0x4:
            let range = try range(at: offset, low, unit: 1)
            return .data(Array(bytes[range]))
        case 0x5:
            let range = try range(at: offset, low, unit: 1)
            return .text(String(decoding: bytes[range], as: UTF8.self))
        case 0x6:
            let range = try range(at: offset, low, unit: 2)
            let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
            return .text(String(decoding: units, as: UTF16.self))
        case 0x8:
            guard let value = Self.number(bytes, at: offset + 1, size: low + 1), offset + 1 + low < tableOffset else {
                throw PropertyListError(offset: offset)
            }
            return .uid(value)
        case 0xA, 0xC: return .array(try references(at: offset, low, lists: 1))
        case 0xD:
            let both = try references(at: offset, low, lists: 2)
            return .dictionary(keys: Array(both.prefix(both.count / 2)), values: Array(both.suffix(both.count / 2)))
        default: throw PropertyListError(offset: offset)
        }
    }

    // MARK: Parts of objects

    /// An unsigned number, most significant byte first; `nil` where it doesn't fit or isn't there.
    private static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> Int? {
        guard offset >= 0, 1...16 ~= size, offset <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for index in offset..<offset + size {
            guard value >> 56 == 0 else { return nil }
            value = value << 8 | UInt64(bytes[index])
        }
        return Int(exactly: value)
    }

    private func integer(at offset: Int, exponent: Int) throws(PropertyListError) -> Int64 {
        guard exponent <= 3, offset + 1 + (1 << exponent) <= tableOffset else { throw PropertyListError(offset: offset) }
        return Int64(bitPattern: bits(at: offset + 1, size: 1 << exponent))
    }

    private func real(at offset: Int, exponent: Int) throws(PropertyListError) -> Double {
        guard exponent == 2 || exponent == 3, offset + 1 + (1 << exponent) <= tableOffset else { throw PropertyListError(offset: offset) }
        let bits = bits(at: offset + 1, size: 1 << exponent)
        return exponent == 3 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }

    private func bits(at offset: Int, size: Int) -> UInt64 {
        bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Where the content of an object lies: its length stands in its first byte, or in a number behind that.
    private func range(at offset: Int, _ low: Int, unit: Int) throws(PropertyListError) -> Range<Int> {
        var start = offset + 1
        var length = low
        if low == 15 {
            guard start < tableOffset, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else { throw PropertyListError(offset: offset) }
            let size = 1 << Int(bytes[start] & 15)
            guard let value = Self.number(bytes, at: start + 1, size: size) else { throw PropertyListError(offset: offset) }
            length = value
            start += 1 + size
        }
        guard start <= tableOffset, length <= (tableOffset - start) / unit else { throw PropertyListError(offset: offset) }
        return start..<start + length * unit
    }

    private func references(at offset: Int, _ low: Int, lists: Int) throws(PropertyListError) -> [Int] {
        let range = try range(at: offset, low, unit: referenceSize * lists)
        var places: [Int] = []
        for start in stride(from: range.lowerBound, to: range.upperBound, by: referenceSize) {
            guard let place = Self.number(bytes, at: start, size: referenceSize), place < count else {
                throw PropertyListError(offset: start)
            }
            places.append(place)
        }
        return places
    }
}
