/// The text of a list: its encoding, and the forms in which its fronts are compared.
package enum ListText {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The UTF-8 that a file of `bytes` holds, without a byte order mark.
    ///
    /// UTF-16 is known by its byte order mark, or by zero bytes that all stand at the same side of the pairs.
    static func decode(_ bytes: [UInt8], path: String) throws(ImportError) -> [UInt8] {
        if bytes.starts(with: byteOrderMark) { return try checked(Array(bytes.dropFirst(3)), path) }
        if let isBigEndian = byteOrder(bytes) { return try decode(utf16: bytes, isBigEndian: isBigEndian, path) }
        return try checked(bytes, path)
    }

    /// What JSON, XML and HTML begin with.
    private static let otherBeginnings = ["{", "[{", "[\n", "[\"", "<?xml", "<!doctype", "<html", "<svg"].map { Array($0.utf8) }

    /// Whether a file that begins with `bytes` is text, and of no form that is known to be no list; it needn't be right.
    static func isText(beginning bytes: [UInt8]) -> Bool {
        if bytes.isEmpty { return false }
        if byteOrder(bytes) != nil { return true }
        let visible = bytes.drop { $0 <= 0x20 || byteOrderMark.contains($0) }.prefix(16).map { lowercased($0) }
        if otherBeginnings.contains(where: { visible.starts(with: $0) }) { return false }
        return !bytes.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) || $0 == 0x7F }
    }

    /// Whether it is UTF-16, and of which order; `nil` where it isn't.
    private static func byteOrder(_ bytes: [UInt8]) -> Bool? {
        if bytes.starts(with: [0xFF, 0xFE]) { return false }
        if bytes.starts(with: [0xFE, 0xFF]) { return true }
        guard bytes.count.isMultiple(of: 2) else { return nil }
        for isBigEndian in [false, true] where isUnmistakable(bytes, isBigEndian: isBigEndian) { return isBigEndian }
        return nil
    }

    /// Whether `bytes` without a byte order mark are UTF-16 beyond doubt: zero bytes are among the upper ones alone, and
    /// those are zero mostly, or nearly the same throughout, as in text of one script.
    private static func isUnmistakable(_ bytes: [UInt8], isBigEndian: Bool) -> Bool {
        let end = min(bytes.count, 4096)
        let upper = isBigEndian ? 0 : 1
        guard stride(from: 1 - upper, to: end, by: 2).allSatisfy({ bytes[$0] != 0 }) else { return false }
        let zeroCount = stride(from: upper, to: end, by: 2).count { bytes[$0] == 0 }
        guard zeroCount > 0 else { return false }
        return zeroCount * 4 >= end || Set(stride(from: upper, to: end, by: 2).map { bytes[$0] }).count <= 3
    }

    private static func decode(utf16 bytes: [UInt8], isBigEndian: Bool, _ path: String) throws(ImportError) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (high, low) = isBigEndian ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            units.append(UInt16(high) << 8 | UInt16(low))
        }
        if units.first == 0xFEFF { units.removeFirst() }
        var text: [UInt8] = []
        text.reserveCapacity(units.count)
        var decoder = UTF16()
        var source = units.makeIterator()
        while true {
            switch decoder.decode(&source) {
            case .scalarValue(let scalar) where scalar.value != 0:
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            case .emptyInput where bytes.count.isMultiple(of: 2): return text
            default: throw ImportError(path: path, place: .line(line(of: text.count, in: text), field: nil), reason: .badEncoding)
            }
        }
    }

    private static func checked(_ bytes: [UInt8], _ path: String) throws(ImportError) -> [UInt8] {
        var wrong: Int?
        do throws(Unicode.UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            wrong = error.byteOffsets.lowerBound
        }
        // No text has a zero byte: this is another encoding, or no text.
        if let zero = bytes.firstIndex(of: 0) { wrong = min(wrong ?? zero, zero) }
        guard let wrong else { return bytes }
        throw ImportError(path: path, place: .line(line(of: wrong, in: bytes), field: nil), reason: .badEncoding)
    }

    /// The line of the byte at `offset`, from 1.
    private static func line(of offset: Int, in bytes: [UInt8]) -> Int {
        var line = 1
        for index in 0..<min(offset, bytes.count) where bytes[index] == 0x0A || bytes[index] == 0x0D {
            if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
            line += 1
        }
        return line
    }
}

extension ListText {
    /// `text` without white space around it.
    package static func trimmed(_ text: String) -> String {
        func mayBeSpace(_ unit: UInt8?) -> Bool { unit.map { $0 <= 0x20 || 0x80...0xBF ~= $0 || 0xC2 == $0 || 0xE1...0xE3 ~= $0 } ?? false }
        guard mayBeSpace(text.utf8.first) || mayBeSpace(text.utf8.last) else { return text }
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !isSpace($0) }), let last = scalars.lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(scalars[start...last])
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80 ? scalar.value == 0x20 || 0x09...0x0D ~= scalar.value : scalar.properties.isWhitespace
    }

    /// The form in which fronts are one and the same: composed, without white space around it, each white space within a
    /// single space. Upper and lower case differ.
    package static func identity(of text: String) -> String {
        guard !isInForm(text) else { return text }
        var result = String.UnicodeScalarView()
        var isSpacePending = false
        for scalar in ComposedText(text) {
            if isSpace(scalar) {
                isSpacePending = !result.isEmpty
            } else {
                if isSpacePending { result.append(" ") }
                isSpacePending = false
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether `text` is in that form, as far as a look at its bytes tells: so are most.
    private static func isInForm(_ text: String) -> Bool {
        var previous: UInt8 = 0x20
        for unit in text.utf8 {
            switch unit {
            case 0x20: if previous == 0x20 { return false }
            // Controls, and the first bytes of other spaces, of what combines, and of scalars that have another form.
            case 0..<0x20, 0xC2, 0xCC, 0xCD, 0xD2, 0xD6..<0xE4, 0xEA...0xFF: return false
            default: break
            }
            previous = unit
        }
        return previous != 0x20
    }

    /// `text` without regard to case, in every locale alike: its lower case as Unicode has it.
    package static func folded(_ text: String) -> String {
        var folded: [UInt8] = []
        folded.reserveCapacity(text.utf8.count)
        // Latin and Cyrillic letters fold within their bytes; a text with any other is left to the standard library.
        var lead: UInt8 = 0
        for unit in text.utf8 {
            switch (lead, unit) {
            case (_, ..<0x80): folded.append(lowercased(unit))
            case (_, 0xC3), (_, 0xD0), (_, 0xD1):
                lead = unit
                continue
            case (0xC3, 0x80...0x9E) where unit != 0x97: folded += [0xC3, unit + 0x20]
            case (0xD0, 0x80...0x8F): folded += [0xD1, unit + 0x10]
            case (0xD0, 0x90...0x9F): folded += [0xD0, unit + 0x20]
            case (0xD0, 0xA0...0xAF): folded += [0xD1, unit - 0x20]
            case (0xC3, 0x80...0xBF), (0xD0, 0xB0...0xBF), (0xD1, 0x80...0x9F): folded += [lead, unit]
            default: return text.lowercased()
            }
            lead = 0
        }
        return String(decoding: folded, as: UTF8.self)
    }
}

/// A text that is held against others byte by byte: their forms are one already, and need no normalising again.
///
/// The hash is kept: a table compares the keys that it passes, and texts that begin alike take long to tell apart.
package struct TextForm: Hashable {
    package let text: String
    private let hash: Int

    package init(_ text: String) {
        var text = text
        var hasher = Hasher()
        // Lent for the length of the call; nothing keeps the pointer.
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        self.text = text
        hash = hasher.finalize()
    }

    package static func == (left: TextForm, right: TextForm) -> Bool {
        left.hash == right.hash && left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
