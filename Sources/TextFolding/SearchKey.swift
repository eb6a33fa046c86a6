/// Text as a dictionary finds it: without case, accents, stress marks, points and normalisation form, in any script.
///
/// A function of the text alone: no locale, no platform. Two texts with one key are the same word to somebody who types.
/// Keys hold no byte below 0x20, and compare byte by byte.
package struct SearchKey: Hashable, Sendable {
    /// UTF-8 of the folded text: lower case, single spaces, none at the ends.
    package let bytes: [UInt8]

    /// Number of the rules below: raised whenever a key changes, so that stored keys are made anew.
    package static let revision: UInt32 = 1
    /// The rules and the version of Unicode that keys are made by.
    package static var rules: String { "\(revision)/\(UnicodeTables.version)" }
    /// So many bytes of a text count for its key; ordering marks costs the square of their number.
    package static let textLimit = 4096

    /// The key of `text`. Complexity: O(length), for text as people write it.
    package init(_ text: String) {
        let utf8 = text.prefix(utf8: Self.textLimit)
        if let bytes = Self.foldASCII(utf8) {
            self.bytes = bytes
            return
        }
        let scalars = UnicodeTables.compatibilityDecomposition(Self.unified(utf8))
        var folder = Folder(capacity: scalars.count, keepsMarks: false)
        for scalar in scalars { folder.take(scalar) }
        if folder.output.isEmpty {
            // Nothing but marks: then they are what is looked for.
            folder = Folder(capacity: scalars.count, keepsMarks: true)
            for scalar in scalars { folder.take(scalar) }
        }
        bytes = utf8Bytes(of: folder.output)
    }

    /// Whether this key goes on where `other` ends, or ends there too.
    package func begins(with other: SearchKey) -> Bool { bytes.starts(with: other.bytes) }

    /// The key of text that is ASCII alone; `nil` for any other.
    private static func foldASCII(_ utf8: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var isSpaceDue = false
        for byte in utf8 {
            switch byte {
            case 0x80...: return nil
            case ...0x20, 0x7F:
                isSpaceDue = !bytes.isEmpty
                continue
            default: break
            }
            if isSpaceDue { bytes.append(0x20) }
            isSpaceDue = false
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
            case UInt8(ascii: "`"): bytes.append(UInt8(ascii: "'"))
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    /// The text with quotation marks, apostrophes and dashes of one kind.
    private static func unified(_ utf8: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(utf8.count)
        for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
            if let byte = FoldingTable.unified(scalar.value) { result.append(byte) } else { result += UTF8.encode(scalar) ?? .init() }
        }
        return result
    }
}

/// Builds a key from decomposed scalars.
private struct Folder {
    private(set) var output: [Int32] = []
    private let keepsMarks: Bool
    private var isSpaceDue = false

    init(capacity: Int, keepsMarks: Bool) {
        output.reserveCapacity(capacity)
        self.keepsMarks = keepsMarks
    }

    mutating func take(_ scalar: Int32) {
        switch UnicodeTables.kind(of: scalar) {
        case .space: isSpaceDue = !output.isEmpty
        case .mark(let combiningClass): take(mark: scalar, combiningClass)
        case .other:
            if (0x61...0x7A).contains(scalar) { return append(scalar) }
            var folded: [Int32] = []
            UnicodeTables.forEachFolded(scalar) { folded.append($0) }
            for part in folded {
                if case .mark(let combiningClass) = UnicodeTables.kind(of: part) {
                    take(mark: part, combiningClass)
                } else {
                    append(part)
                }
            }
        }
    }

    private mutating func take(mark: Int32, _ combiningClass: Int) {
        if let base = output.last, !isSpaceDue, FoldingTable.isLetterOfItsOwn(base, mark),
            let letter = UnicodeTables.composition(base, mark)
        {
            output[output.count - 1] = letter
        } else if keepsMarks || !FoldingTable.isPassedOver(combiningClass) {
            append(mark)
        }
    }

    private mutating func append(_ scalar: Int32) {
        let replacement = keepsMarks ? nil : FoldingTable.replacement(scalar)
        if let replacement, replacement.isEmpty { return }
        if isSpaceDue { output.append(0x20) }
        isSpaceDue = false
        if let replacement { output += replacement } else { output.append(scalar) }
    }
}

/// The UTF-8 of scalars that utf8proc made.
func utf8Bytes(of scalars: [Int32]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(scalars.count * 2)
    for value in scalars {
        guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else { continue }
        if value < 0x80 { bytes.append(UInt8(value)) } else { bytes += UTF8.encode(scalar) ?? .init() }
    }
    return bytes
}
