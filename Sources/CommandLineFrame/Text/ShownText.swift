/// The text of a user as a terminal may receive it: control characters are spelt out, never sent.
///
/// A card's text can come from a stranger's file; sent raw it could move the cursor, recolour the screen or rename the window.
/// So C0 and C1 controls become `\n`, `\t`, `\r`, `\e` or `\u{7}`, and so do line and paragraph separators and the marks that force
/// a direction on what follows. Letters of right-to-left scripts and the joiners inside words stay as they are.
package func shown(_ text: String) -> String {
    if text.isPrintableASCII || !text.unicodeScalars.contains(where: isUnsafe) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if isUnsafe(scalar) {
            result += escaped(scalar)
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x2028...0x202E, 0x2066...0x2069: true
    case 0xE0000...0xE007F: !isFlagTag(scalar)
    default: false
    }
}

/// Tags spell the flags of countries' parts after a black flag; the rest of their block is invisible text.
private func isFlagTag(_ scalar: Unicode.Scalar) -> Bool {
    (0xE0030...0xE0039).contains(scalar.value) || (0xE0061...0xE007A).contains(scalar.value) || scalar.value == 0xE007F
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    case "\u{1B}": "\\e"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
}
