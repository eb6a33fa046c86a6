/// What somebody has typed so far of a word.
package struct SearchQuery: Hashable, Sendable {
    /// What the words' keys begin with.
    package let key: SearchKey
    /// Whether a space was typed last: the word that stands there has ended, and it, or a phrase that goes on with
    /// another word, is looked for.
    package let endsWord: Bool
    /// What was typed, composed (NFC), without spaces at its ends: words that read just so come first.
    package let typed: [UInt8]

    package init(_ text: String) {
        key = SearchKey(text)
        endsWord = text.unicodeScalars.last.map { UnicodeTables.isSpace($0) } ?? false
        typed = composedText(text)
    }

    /// Whether a word of this key is looked for.
    package func matches(_ other: SearchKey) -> Bool {
        guard other.begins(with: key) else { return false }
        return !endsWord || other.bytes.count == key.bytes.count || other.bytes[key.bytes.count] == 0x20 || key.bytes.isEmpty
    }
}

/// Text as it reads, whatever its normalisation form: composed (NFC), each control character a space, and none of these at
/// the ends.
package func composedText(_ text: String) -> [UInt8] {
    var bytes = text.prefix(utf8: SearchKey.textLimit)
    if bytes.contains(where: { $0 >= 0x80 }) { bytes = utf8Bytes(of: UnicodeTables.canonicalComposition(bytes)) }
    for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F { bytes[index] = 0x20 }
    let start = bytes.firstIndex { $0 != 0x20 } ?? bytes.endIndex
    let end = bytes.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? start
    return Array(bytes[start..<end])
}
