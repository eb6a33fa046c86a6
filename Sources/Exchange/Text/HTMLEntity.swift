internal import EventCoding

/// A character reference of HTML (`&amp;`, `&#38;`, `&#x26;`) and where it ends.
struct HTMLEntity {
    let scalar: Unicode.Scalar
    let end: Int

    /// The reference that begins with the `&` at `start`; `nil` where it is none.
    init?(_ html: Span<UInt8>, at start: Int) {
        guard start + 2 < html.count else { return nil }
        let found =
            html[start + 1] == UInt8(ascii: "#") ? Self.readNumber(html, at: start + 2) : Self.readName(html, at: start + 1)
        guard let (scalar, end) = found else { return nil }
        self.scalar = scalar
        self.end = end
    }

    private static func readNumber(_ html: Span<UInt8>, at start: Int) -> (Unicode.Scalar, Int)? {
        var index = start
        let isHexadecimal = html[index] | 0x20 == UInt8(ascii: "x")
        if isHexadecimal { index += 1 }
        let digitsStart = index
        var code: UInt32 = 0
        while index < html.count, let digit = hexadecimalValue(html[index]), isHexadecimal || digit < 10 {
            code = min(code * (isHexadecimal ? 16 : 10) + UInt32(digit), 0x20_0000)
            index += 1
        }
        guard index > digitsStart else { return nil }
        if index < html.count, html[index] == UInt8(ascii: ";") { index += 1 }
        // As browsers do: what Windows-1252 has in the range of the C1 controls is what was meant.
        if 0x80...0x9F ~= code { code = windows1252[Int(code) - 0x80] }
        return (code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}", index)
    }

    private static func readName(_ html: Span<UInt8>, at start: Int) -> (Unicode.Scalar, Int)? {
        var letters: UInt64 = 0
        var index = start
        while index < html.count, index - start < 8,
            ElementName.isLetter(html[index]) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= html[index]
        {
            letters = letters << 8 | UInt64(html[index])
            index += 1
        }
        guard index < html.count, html[index] == UInt8(ascii: ";"), let scalar = named[letters] else { return nil }
        return (scalar, index + 1)
    }

    /// By name, whose at most eight letters are packed into a number.
    private static let named: [UInt64: Unicode.Scalar] = {
        var result: [UInt64: Unicode.Scalar] = [:]
        var code: UInt32 = 0
        for word in names.split(separator: " ") {
            if let number = UInt32(word) {
                code = number
            } else {
                let letters = word.utf8.reduce(0) { $0 << 8 | UInt64($1) }
                result[letters] = Unicode.Scalar(code)
                code += 1
            }
        }
        return result
    }()

    private static let windows1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
    ]

    /// The names of HTML 4 and those of ASCII's punctuation: a number, then the names of the characters from it on.
    private static let names = """
        9 Tab NewLine 33 excl quot num dollar percnt amp apos lpar rpar ast plus comma 46 period sol 58 colon semi lt equals gt quest \
        commat 91 lbrack bsol rbrack Hat lowbar grave 123 lbrace vert rbrace 160 nbsp iexcl cent pound curren yen brvbar sect uml copy \
        ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave \
        Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc \
        Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave \
        eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml \
        yacute thorn yuml 338 OElig oelig 352 Scaron scaron 376 Yuml 402 fnof 710 circ 732 tilde 913 Alpha Beta Gamma Delta Epsilon Zeta \
        Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho 931 Sigma Tau Upsilon Phi Chi Psi Omega 945 alpha beta gamma delta epsilon \
        zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega 977 thetasym upsih 982 piv \
        8194 ensp emsp 8201 thinsp 8204 zwnj zwj lrm rlm 8211 ndash mdash 8216 lsquo rsquo sbquo 8220 ldquo rdquo bdquo 8224 dagger Dagger \
        bull 8230 hellip 8230 hellip 8240 permil 8242 prime Prime 8249 lsaquo rsaquo 8254 oline 8260 frasl 8364 euro 8465 image 8472 \
        weierp 8476 real 8482 trade 8501 alefsym 8592 larr uarr rarr darr harr 8629 crarr 8656 lArr uArr rArr dArr hArr 8704 forall 8706 \
        part exist 8709 empty 8711 nabla isin notin 8715 ni 8719 prod 8721 sum minus 8727 lowast 8730 radic 8733 prop infin 8736 ang 8743 \
        and or cap cup int 8756 there4 8764 sim 8773 cong 8776 asymp 8800 ne equiv 8804 le ge 8834 sub sup nsub 8838 sube supe 8853 oplus \
        8855 otimes 8869 perp 8901 sdot 8968 lceil rceil lfloor rfloor 9001 lang rang 9674 loz 9734 star 9824 spades 9827 clubs 9829 \
        hearts diams 10003 check
        """
}
