/// The scalars of a text with each letter and the marks after it as one composed scalar where there is one: for text
/// that is composed or decomposed throughout, its normalisation form C.
///
/// Only a text with marks has to be looked at; what the standard library holds for equal is what composes.
struct ComposedText: Sequence {
    private let scalars: String.UnicodeScalarView

    init(_ text: String) {
        // Below U+0300 nothing combines: those begin with a byte up to 0xCB.
        scalars = text.utf8.contains { $0 >= 0xCC } ? Self.compose(text.unicodeScalars) : text.unicodeScalars
    }

    func makeIterator() -> String.UnicodeScalarView.Iterator { scalars.makeIterator() }

    private static func compose(_ scalars: String.UnicodeScalarView) -> String.UnicodeScalarView {
        guard scalars.contains(where: isCombining) else { return scalars }
        var result: [Unicode.Scalar] = []
        var cluster: [Unicode.Scalar] = []
        for scalar in scalars {
            if !isCombining(scalar) {
                append(cluster, to: &result)
                cluster.removeAll(keepingCapacity: true)
            }
            cluster.append(scalar)
        }
        append(cluster, to: &result)
        var composed = String.UnicodeScalarView()
        composed.append(contentsOf: result)
        return composed
    }

    /// Whether it may combine with what stands before it.
    private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300 && (scalar.properties.generalCategory.isMark || 0x1161...0x11C2 ~= scalar.value)
    }

    /// A letter and its marks: each mark that nothing of its class stands before is composed into the letter if it can be.
    private static func append(_ cluster: [Unicode.Scalar], to result: inout [Unicode.Scalar]) {
        guard cluster.count > 1 else { return result.append(contentsOf: cluster) }
        var starter = cluster[0]
        var rest: [Unicode.Scalar] = []
        for mark in ordered(cluster[1...]) {
            let order = mark.properties.canonicalCombiningClass
            let isBlocked = rest.last.map { $0.properties.canonicalCombiningClass >= order } ?? false
            if !isBlocked, let composite = composite(of: starter, mark) { starter = composite } else { rest.append(mark) }
        }
        result.append(starter)
        result.append(contentsOf: rest)
    }

    /// Marks in the order of their classes; those of class 0 stay where they are.
    private static func ordered(_ marks: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        for mark in marks {
            let order = mark.properties.canonicalCombiningClass.rawValue
            var place = result.count
            while order > 0, place > 0, result[place - 1].properties.canonicalCombiningClass.rawValue > order { place -= 1 }
            result.insert(mark, at: place)
        }
        return result
    }

    private static func composite(of starter: Unicode.Scalar, _ mark: Unicode.Scalar) -> Unicode.Scalar? {
        if let syllable = syllable(starter.value, mark.value) { return syllable }
        var pair = String.UnicodeScalarView()
        pair.append(starter)
        pair.append(mark)
        return composites[String(pair)]
    }

    /// Korean syllables are composed by arithmetic (Unicode, section 3.12).
    private static func syllable(_ starter: UInt32, _ mark: UInt32) -> Unicode.Scalar? {
        if 0x1100...0x1112 ~= starter, 0x1161...0x1175 ~= mark {
            return Unicode.Scalar(0xAC00 + ((starter - 0x1100) * 21 + (mark - 0x1161)) * 28)
        }
        if 0xAC00...0xD7A3 ~= starter, (starter - 0xAC00).isMultiple(of: 28), 0x11A8...0x11C2 ~= mark {
            return Unicode.Scalar(starter + mark - 0x11A7)
        }
        return nil
    }

    /// Every scalar that a letter and marks compose to, by any text that is equal to it.
    private static let composites: [String: Unicode.Scalar] = {
        var found: [String: Unicode.Scalar] = [:]
        let blocks: [ClosedRange<UInt32>] = [
            0xC0...0x2FF, 0x340...0x6FF, 0x900...0x1100, 0x1B00...0x1BFF, 0x1E00...0x1FFF, 0x2190...0x22FF, 0x3040...0x30FF,
            0x1_1000...0x1_19FF,
        ]
        for scalar in blocks.joined().lazy.compactMap({ Unicode.Scalar($0) }) where !scalar.properties.isFullCompositionExclusion {
            // Scalars that nothing is equal to are harmless here: a pair never finds them.
            found[String(scalar)] = scalar
        }
        return found
    }()
}

extension Unicode.GeneralCategory {
    fileprivate var isMark: Bool { self == .nonspacingMark || self == .spacingMark || self == .enclosingMark }
}
