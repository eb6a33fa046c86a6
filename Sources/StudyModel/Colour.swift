internal import EventCoding

/// The colour of a deck: red, green and blue, eight bits each. Written `#rrggbb`.
public struct Colour: Hashable, Sendable {
    /// Red in bits 16 to 23, green in 8 to 15, blue in 0 to 7.
    public let rgb: UInt32

    /// The largest ``rgb``: white.
    public static let maximumRGB: UInt32 = 0xFF_FFFF

    /// The colour of `rgb`; `nil` above ``maximumRGB``.
    public init?(rgb: some BinaryInteger) {
        guard let rgb = UInt32(exactly: rgb), rgb <= Self.maximumRGB else { return nil }
        self.rgb = rgb
    }

    private init(_ rgb: UInt32) { self.rgb = rgb }

    /// The colours that have a name, in alphabetical order.
    public static let named: [(name: String, colour: Colour)] = [
        ("black", Colour(0x00_0000)), ("blue", Colour(0x1E_66F5)), ("brown", Colour(0x8B_5A2B)), ("cyan", Colour(0x04_A5E5)),
        ("green", Colour(0x40_A02B)), ("grey", Colour(0x8C_8FA1)), ("orange", Colour(0xFE_640B)), ("pink", Colour(0xEA_76CB)),
        ("purple", Colour(0x88_39EF)), ("red", Colour(0xD2_0F39)), ("teal", Colour(0x17_9299)), ("white", Colour(0xFF_FFFF)),
        ("yellow", Colour(0xDF_8E1D)),
    ]
}

extension Colour: LosslessStringConvertible {
    /// The colour that `description` spells: `#rrggbb` with digits of either case, or a name of ``named``; `nil` for anything else.
    public init?(_ description: String) {
        if let known = Self.named.first(where: { $0.name == description.lowercased() }) {
            self = known.colour
            return
        }
        let units = Array(description.utf8)
        guard units.count == 7, units[0] == UInt8(ascii: "#") else { return nil }
        var rgb: UInt32 = 0
        for unit in units[1...] {
            guard let digit = hexadecimalValue(unit) else { return nil }
            rgb = rgb << 4 | UInt32(digit)
        }
        self.init(rgb)
    }

    /// `#rrggbb`, in lower case.
    public var description: String {
        var units = [UInt8(ascii: "#")]
        for shift in stride(from: 20, through: 0, by: -4) {
            units.append(hexadecimalDigit(UInt8(truncatingIfNeeded: rgb >> UInt32(shift)) & 15))
        }
        return String(decoding: units, as: UTF8.self)
    }
}
