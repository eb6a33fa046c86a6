/// A colour of 24 bits, such as a deck's.
package struct RGB: Hashable, Sendable, CustomStringConvertible {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The low 24 bits, red first.
    package init(_ value: UInt32) {
        self.init(UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value))
    }

    package var value: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

    /// `#1e90ff`.
    package var description: String {
        let text = String(value, radix: 16)
        return "#" + String(repeating: "0", count: 6 - text.count) + text
    }

    /// `#1e90ff`, `1e90ff`, `#18f`, or the name of a common colour.
    package init?(_ text: String) {
        if let named = RGB.names.first(where: { $0.name == text.lowercased() }) {
            self.init(named.value)
            return
        }
        let hex = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard hex.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }) else { return nil }
        switch hex.utf8.count {
        case 6:
            guard let value = UInt32(hex, radix: 16) else { return nil }
            self.init(value)
        case 3:
            guard let value = UInt32(hex.flatMap { [$0, $0] }.map(String.init).joined(), radix: 16) else { return nil }
            self.init(value)
        default: return nil
        }
    }

    /// Common colours by name, in the order of the rainbow.
    package static let names: [(name: String, value: UInt32)] = [
        ("red", 0xE53935), ("orange", 0xFB8C00), ("yellow", 0xFDD835), ("green", 0x43A047), ("teal", 0x00897B), ("blue", 0x1E88E5),
        ("indigo", 0x3949AB), ("purple", 0x8E24AA), ("pink", 0xD81B60), ("brown", 0x6D4C41), ("grey", 0x757575), ("black", 0x000000),
        ("white", 0xFFFFFF),
    ]
}

/// How a piece of text looks; nothing at all where the stream takes no colour.
package struct Style: Sendable, Equatable {
    /// The eight colours that every terminal has, in their order.
    package enum Colour: Int, Sendable, CaseIterable {
        case black, red, green, yellow, blue, magenta, cyan, white
    }

    package var bold = false
    package var dim = false
    package var colour: Colour?
    package var exact: RGB?

    package init(bold: Bool = false, dim: Bool = false, colour: Colour? = nil, exact: RGB? = nil) {
        self.bold = bold
        self.dim = dim
        self.colour = colour
        self.exact = exact
    }

    package static let plain = Style()
    package static let bold = Style(bold: true)
    package static let dim = Style(dim: true)
    package static func colour(_ colour: Colour) -> Style { Style(colour: colour) }
    /// An exact colour; a terminal without it shows the nearest that it has.
    package static func exact(_ colour: RGB) -> Style { Style(exact: colour) }

    /// `text` between the codes of this style, if `surface` takes any.
    package func callAsFunction(_ text: String, on surface: Surface) -> String {
        guard surface.colour > .none, !text.isEmpty else { return text }
        let codes = self.codes(surface.colour)
        return codes.isEmpty ? text : "\u{1B}[" + codes.joined(separator: ";") + "m" + text + "\u{1B}[0m"
    }

    private func codes(_ depth: ColourDepth) -> [String] {
        var codes: [String] = []
        if bold { codes.append("1") }
        if dim { codes.append("2") }
        if let exact {
            switch depth {
            case .full: codes.append("38;2;\(exact.red);\(exact.green);\(exact.blue)")
            case .palette: codes.append("38;5;\(exact.paletteIndex)")
            default: codes.append(String(30 + exact.nearestBasic.rawValue))
            }
        } else if let colour {
            codes.append(String(30 + colour.rawValue))
        }
        return codes
    }
}

extension RGB {
    /// The nearest place of the palette of 256: its 6×6×6 cube, or its ramp of 24 greys for a colour that is grey.
    var paletteIndex: Int {
        let parts = [Int(red), Int(green), Int(blue)]
        if let first = parts.first, parts.allSatisfy({ abs($0 - first) < 8 }), (8...238).contains(first) {
            return 232 + (first - 8) / 10
        }
        // The cube's steps are 0, 95, 135, 175, 215 and 255.
        let steps = parts.map { $0 < 48 ? 0 : $0 < 115 ? 1 : min(5, ($0 - 35) / 40) }
        return 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
    }

    /// The nearest of the eight: which of red, green and blue are there at all, compared with the strongest of them.
    var nearestBasic: Style.Colour {
        let strongest = max(red, green, blue)
        guard strongest >= 0x30 else { return .black }
        let threshold = strongest / 3 * 2
        let index = (red >= threshold ? 1 : 0) + (green >= threshold ? 2 : 0) + (blue >= threshold ? 4 : 0)
        return Style.Colour(rawValue: index) ?? .white
    }
}
