/// The colour that a keyed archive holds, as `UIColor` and `NSColor` write themselves.
enum ArchivedColour {
    /// Larger archives hold more than a colour.
    private static let maximumBytes = 1 << 20

    /// Red, green and blue, eight bits each; `nil` where there is no colour that could be read.
    static func rgb(_ archive: [UInt8]) -> UInt32? {
        guard archive.count <= maximumBytes else { return nil }
        do throws(BinaryPropertyList.PropertyListError) {
            let list = try BinaryPropertyList(archive)
            return try colour(in: list)
        } catch {
            return nil
        }
    }

    private static func colour(in list: BinaryPropertyList) throws(BinaryPropertyList.PropertyListError) -> UInt32? {
        let archive = try members(of: list.top, in: list)
        guard let objects = archive["$objects"], let heads = archive["$top"], case .array(let places) = try list.object(objects),
            let root = try members(of: heads, in: list)["root"], case .uid(let place) = try list.object(root),
            places.indices.contains(place)
        else { return nil }
        let fields = try members(of: places[place], in: list)
        // The doubles beside the older floats are exact.
        for suffix in ["-Double", ""] {
            if let red = try real(fields["UIRed" + suffix], list), let green = try real(fields["UIGreen" + suffix], list),
                let blue = try real(fields["UIBlue" + suffix], list)
            {
                return rgb([red, green, blue])
            }
        }
        for name in ["NSRGB", "NSComponents"] {
            let parts = try reals(fields[name], list)
            if parts.count >= 3 { return rgb(Array(parts.prefix(3))) }
        }
        let written = try reals(fields["NSWhite"], list).first
        guard let white = try real(fields["UIWhite"], list) ?? written else { return nil }
        return rgb([white, white, white])
    }

    private static func rgb(_ parts: [Double]) -> UInt32? {
        var rgb: UInt32 = 0
        for part in parts {
            guard !part.isNaN else { return nil }
            // Wide colours reach beyond both ends.
            rgb = rgb << 8 | UInt32((min(1, max(0, part)) * 255).rounded())
        }
        return rgb
    }

    /// The members of the dictionary at `place`, by their names.
    private static func members(of place: Int, in list: BinaryPropertyList) throws(BinaryPropertyList.PropertyListError) -> [String: Int] {
        guard case .dictionary(let keys, let values) = try list.object(place) else { return [:] }
        var members: [String: Int] = [:]
        for (key, value) in zip(keys, values) {
            if case .text(let name) = try list.object(key), members[name] == nil { members[name] = value }
        }
        return members
    }

    private static func real(_ place: Int?, _ list: BinaryPropertyList) throws(BinaryPropertyList.PropertyListError) -> Double? {
        guard let place else { return nil }
        return switch try list.object(place) {
        case .real(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// Numbers written out, with spaces between them.
    private static func reals(_ place: Int?, _ list: BinaryPropertyList) throws(BinaryPropertyList.PropertyListError) -> [Double] {
        guard let place, case .data(let bytes) = try list.object(place) else { return [] }
        return bytes.split(whereSeparator: { $0 == 0x20 || $0 == 0 }).prefix(4).compactMap { Double(String(decoding: $0, as: UTF8.self)) }
    }
}
