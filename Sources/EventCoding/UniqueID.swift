/// A 128-bit identity: of a deck, a card, a word, a question, a session, a quiz, a pack, or of an imported row.
///
/// Written as a UUID (`8-4-4-4-12` lower-case hexadecimal digits). Ordered as its sixteen bytes are.
public struct UniqueID: Hashable, Sendable {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    /// The identity of nothing: the subject of events that are about the whole store.
    public static let none = UniqueID(high: 0, low: 0)

    /// The identity of those two halves.
    @inlinable public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The identity made of the first sixteen of `bytes`; `nil` where there are fewer.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count >= 16 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (index, byte) in bytes.prefix(16).enumerated() {
            if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
        }
        self.init(high: high, low: low)
    }

    /// A random (version 4) identity drawn from `generator`.
    public static func random(using generator: inout some RandomNumberGenerator) -> UniqueID {
        let high = generator.next() as UInt64
        let low = generator.next() as UInt64
        return UniqueID(
            high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// The sixteen bytes, most significant first.
    public var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(16)
        for shift in stride(from: 56, through: 0, by: -8) { result.append(UInt8(truncatingIfNeeded: high >> UInt64(shift))) }
        for shift in stride(from: 56, through: 0, by: -8) { result.append(UInt8(truncatingIfNeeded: low >> UInt64(shift))) }
        return result
    }
}

extension UniqueID: Comparable {
    /// In the order of the sixteen bytes.
    @inlinable public static func < (left: UniqueID, right: UniqueID) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}

extension UniqueID: LosslessStringConvertible {
    /// Thirty-two hexadecimal digits, of either case, with or without the four hyphens of a UUID.
    public init?(_ description: String) {
        var digits: [UInt8] = []
        digits.reserveCapacity(32)
        for (index, unit) in description.utf8.enumerated() {
            if unit == UInt8(ascii: "-"), description.utf8.count == 36, [8, 13, 18, 23].contains(index) { continue }
            guard let digit = hexadecimalValue(unit) else { return nil }
            digits.append(digit)
        }
        guard digits.count == 32 else { return nil }
        var words: [UInt64] = [0, 0]
        for (index, digit) in digits.enumerated() { words[index / 16] = words[index / 16] << 4 | UInt64(digit) }
        self.init(high: words[0], low: words[1])
    }

    /// The written form: a lower-case UUID.
    public var description: String {
        let text = text
        return unsafe String(copying: UTF8Span(unchecked: text.span, isKnownASCII: true))
    }

    /// The written form in ASCII.
    package var text: InlineArray<36, UInt8> {
        var text = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
        func put(_ digits: UInt64, _ first: Int, _ second: Int) {
            for index in 0..<4 {
                text[first + index] = UInt8(truncatingIfNeeded: digits >> UInt64(56 - 8 * index))
                text[second + index] = UInt8(truncatingIfNeeded: digits >> UInt64(24 - 8 * index))
            }
        }
        put(Self.digits(of: high >> 32), 0, 4)
        put(Self.digits(of: high), 9, 14)
        put(Self.digits(of: low >> 32), 19, 24)
        put(Self.digits(of: low), 28, 32)
        return text
    }

    /// The eight digits of the lower half of `word` in ASCII, the first in the highest byte.
    @inline(__always)
    private static func digits(of word: UInt64) -> UInt64 {
        // Each half of what is left is moved to a half of its own, until every byte has four bits.
        var spread = word & 0xFFFF_FFFF
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (spread + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return spread + 0x3030_3030_3030_3030 + letters * 39
    }
}

/// The value of one hexadecimal digit in ASCII; `nil` for any other byte.
package func hexadecimalValue(_ unit: UInt8) -> UInt8? {
    switch unit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): unit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): unit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): unit - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// The lower-case hexadecimal digit, in ASCII, of a value from 0 to 15.
package func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

/// `bytes` as lower-case hexadecimal digits, two a byte.
package func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    var units: [UInt8] = []
    units.reserveCapacity(bytes.count * 2)
    for byte in bytes {
        units.append(hexadecimalDigit(byte >> 4))
        units.append(hexadecimalDigit(byte & 15))
    }
    return String(decoding: units, as: UTF8.self)
}

/// The bytes that `text` spells in hexadecimal digits, two a byte; `nil` where it doesn't.
package func bytes(hexadecimal text: String) -> [UInt8]? {
    var result: [UInt8] = []
    var pending: UInt8?
    for unit in text.utf8 {
        guard let digit = hexadecimalValue(unit) else { return nil }
        if let first = pending {
            result.append(first << 4 | digit)
            pending = nil
        } else {
            pending = digit
        }
    }
    return pending == nil ? result : nil
}
