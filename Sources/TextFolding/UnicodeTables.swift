internal import CUTF8Proc

/// What utf8proc knows of Unicode: the seam between folding and C.
///
/// Normalisation of what is assigned never changes (Unicode's stability policy), so a newer utf8proc adds characters and
/// changes none: the same text has the same key everywhere, as soon as its characters are known.
enum UnicodeTables {
    /// Version of Unicode that the tables are of, such as "14.0.0".
    static var version: String { unsafe String(cString: utf8proc_unicode_version()) }

    /// The compatibility decomposition (NFKD) of UTF-8, in canonical order, without what is to be ignored by default.
    static func compatibilityDecomposition(_ utf8: [UInt8]) -> [Int32] {
        decomposition(utf8, options: UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_IGNORE.rawValue)
    }

    /// The canonical composition (NFC) of UTF-8.
    static func canonicalComposition(_ utf8: [UInt8]) -> [Int32] {
        let options = UTF8PROC_COMPOSE.rawValue | UTF8PROC_STABLE.rawValue
        return composed(decomposition(utf8, options: options), options: options)
    }

    private static func composed(_ scalars: [Int32], options: UInt32) -> [Int32] {
        var scalars = scalars
        let count = unsafe scalars.withUnsafeMutableBufferPointer { buffer in
            unsafe utf8proc_normalize_utf32(buffer.baseAddress, buffer.count, utf8proc_option_t(rawValue: options))
        }
        if count >= 0, count < scalars.count { scalars.removeLast(scalars.count - count) }
        return scalars
    }

    private static func decomposition(_ utf8: [UInt8], options: UInt32) -> [Int32] {
        let options = utf8proc_option_t(rawValue: options)
        var scalars = [Int32](repeating: 0, count: utf8.count + 32)
        // Too small a buffer is filled as far as it goes, and told of by the count; twice is then enough.
        for _ in 0..<2 {
            let count = unsafe utf8.withUnsafeBufferPointer { source in
                unsafe scalars.withUnsafeMutableBufferPointer { target in
                    unsafe utf8proc_decompose(source.baseAddress, source.count, target.baseAddress, target.count, options)
                }
            }
            // What isn't UTF-8 can't come out of a String; there is nothing to decompose in it.
            guard count >= 0 else { return [] }
            if count <= scalars.count {
                scalars.removeLast(scalars.count - count)
                return scalars
            }
            scalars = [Int32](repeating: 0, count: count)
        }
        return []
    }

    /// What a scalar becomes under full case folding, decomposed.
    static func forEachFolded(_ scalar: Int32, _ body: (Int32) -> Void) {
        let options = utf8proc_option_t(
            rawValue: UTF8PROC_CASEFOLD.rawValue | UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_IGNORE.rawValue)
        var buffer: [24 of Int32] = .init(repeating: 0)
        var boundClass: Int32 = 0
        var span = buffer.mutableSpan
        let count = unsafe span.withUnsafeMutableBufferPointer { target in
            unsafe utf8proc_decompose_char(scalar, target.baseAddress, target.count, options, &boundClass)
        }
        // The longest decomposition has eighteen scalars.
        guard count >= 0, count <= buffer.count else { return body(scalar) }
        for index in 0..<count { body(buffer[index]) }
    }

    /// The single scalar that a base and a mark compose to; `nil` where there is none.
    static func composition(_ base: Int32, _ mark: Int32) -> Int32? {
        let result = composed([base, mark], options: UTF8PROC_COMPOSE.rawValue | UTF8PROC_STABLE.rawValue)
        return result.count == 1 ? result[0] : nil
    }

    /// What kind of scalar it is, as far as folding asks.
    enum Kind {
        case space
        /// An accent, a point, a vowel sign; with its canonical combining class.
        case mark(combiningClass: Int)
        case other
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        if case .space = kind(of: Int32(bitPattern: scalar.value)) { true } else { false }
    }

    static func kind(of scalar: Int32) -> Kind {
        // Points into utf8proc's static tables; never nil.
        guard let property = unsafe utf8proc_get_property(scalar) else { return .other }
        switch utf8proc_category_t(rawValue: UInt32(unsafe property.pointee.category)) {
        case UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_MC:
            return .mark(combiningClass: Int(unsafe property.pointee.combining_class))
        // Enclosing marks have the class 0 of vowel signs, yet stand for nothing that is read.
        case UTF8PROC_CATEGORY_ME: return .mark(combiningClass: 255)
        case UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZL, UTF8PROC_CATEGORY_ZP, UTF8PROC_CATEGORY_CC: return .space
        default: return .other
        }
    }
}
