/// The letters that Unicode's decomposition and case folding leave apart, and that people type as others.
///
/// Each rule is a row; docs/decisions/0015-dictionary.md tells why.
enum FoldingTable {
    /// What stands for a scalar before it is decomposed: quotation marks, apostrophes and dashes of all kinds. Some of them
    /// would decompose to a space and an accent.
    static func unified(_ scalar: UInt32) -> UInt8? {
        switch scalar {
        case 0x60, 0xB4, 0x2B9, 0x2BB, 0x2BC, 0x2BD, 0x374, 0x384, 0x55A, 0x5F3, 0x1FBD, 0x1FBF, 0x1FEF, 0x1FFD, 0x1FFE, 0x2018, 0x2019,
            0x201A, 0x201B, 0x2032, 0x2035, 0xA78C, 0xFF07:
            UInt8(ascii: "'")
        case 0xAB, 0xBB, 0x5F4, 0x201C, 0x201D, 0x201E, 0x201F, 0x2033, 0x2036, 0xFF02: UInt8(ascii: "\"")
        case 0x58A, 0x5BE, 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D: UInt8(ascii: "-")
        default: nil
        }
    }

    /// What stands for a scalar that was decomposed and case folded; `nil` for itself.
    static func replacement(_ scalar: Int32) -> [Int32]? {
        switch scalar {
        case 0x131: [0x69]  // ı → i
        case 0xE6: [0x61, 0x65]  // æ → ae
        case 0x153: [0x6F, 0x65]  // œ → oe
        case 0xF8: [0x6F]  // ø → o
        case 0x142: [0x6C]  // ł → l
        case 0x111, 0xF0, 0x256: [0x64]  // đ, ð, ɖ → d
        case 0xFE: [0x74, 0x68]  // þ → th
        case 0x127: [0x68]  // ħ → h
        case 0x167: [0x74]  // ŧ → t
        case 0x180: [0x62]  // ƀ → b
        case 0x1E5: [0x67]  // ǥ → g
        case 0x268: [0x69]  // ɨ → i
        case 0x1B6: [0x7A]  // ƶ → z
        case 0x138: [0x6B]  // ĸ → k
        case 0x14B: [0x6E, 0x67]  // ŋ → ng
        case 0xB7, 0x640: []  // the middle dot of l·l, and the stretching stroke of Arabic: nothing
        case 0x5DA: [0x5DB]  // Hebrew letters as they are written at the end of a word, and within it
        case 0x5DD: [0x5DE]
        case 0x5DF: [0x5E0]
        case 0x5E3: [0x5E4]
        case 0x5E5: [0x5E6]
        case 0x1160...0x11FF: jamo(scalar)
        // Such as the primes that a triple prime consists of.
        default: unified(UInt32(bitPattern: scalar)).map { [Int32($0)] }
        }
    }

    /// Hangul as it is typed, key by key: the consonant that ends a syllable is the one that would begin the next, and
    /// vowels and endings of two keys are two. So 가ㄱ and 각 both begin 가구.
    private static func jamo(_ scalar: Int32) -> [Int32]? {
        switch scalar {
        case 0x116A: [0x1169, 0x1161]
        case 0x116B: [0x1169, 0x1162]
        case 0x116C: [0x1169, 0x1175]
        case 0x116F: [0x116E, 0x1165]
        case 0x1170: [0x116E, 0x1166]
        case 0x1171: [0x116E, 0x1175]
        case 0x1174: [0x1173, 0x1175]
        case 0x11A8...0x11C2: finals[Int(scalar - 0x11A8)]
        default: nil
        }
    }

    /// The 27 endings of a syllable, from U+11A8, in beginnings.
    private static let finals: [[Int32]] = [
        [0x1100], [0x1101], [0x1100, 0x1109], [0x1102], [0x1102, 0x110C], [0x1102, 0x1112], [0x1103], [0x1105], [0x1105, 0x1100],
        [0x1105, 0x1106], [0x1105, 0x1107], [0x1105, 0x1109], [0x1105, 0x1110], [0x1105, 0x1111], [0x1105, 0x1112], [0x1106], [0x1107],
        [0x1107, 0x1109], [0x1109], [0x110A], [0x110B], [0x110C], [0x110E], [0x110F], [0x1110], [0x1111], [0x1112],
    ]

    /// Whether a mark of this canonical combining class is an accent or a point, over which a search passes.
    ///
    /// Vowel signs (0, and those of Thai, Lao and Tibetan), viramas (9) and the voicing marks of kana (8) spell: without
    /// them words would be others.
    static func isPassedOver(_ combiningClass: Int) -> Bool {
        switch combiningClass {
        case 1...7, 10...36, 200...: true
        default: false
        }
    }

    /// Whether a base and a mark are a letter of their own: й is no и, and が is no か.
    static func isLetterOfItsOwn(_ base: Int32, _ mark: Int32) -> Bool {
        switch mark {
        case 0x306: base == 0x438
        case 0x3099, 0x309A: (0x3041...0x30FE).contains(base)
        default: false
        }
    }
}
