package import EventCoding
internal import TextFolding

/// The key of a word in the index: its place among all words, whatever platform it is made on.
///
/// The folded text, a separator, the text as it reads (composed), a zero byte, and the identity. Both texts are cut to
/// ``textLimit`` bytes, since LMDB's keys have at most 511. The separator is 0, or 1 where the folded text was cut; neither
/// text has bytes that low. So all words with a prefix lie together, those that are equal to it first, and ranks are those
/// of the first 240 bytes of each text.
package enum WordKey {
    /// So many bytes of the folded text and of the text count.
    package static let textLimit = 240
    static let whole: UInt8 = 0
    static let cut: UInt8 = 1
    /// What stands behind the text: a zero byte and the identity.
    static let tailBytes = 17

    /// The key of a word.
    package static func make(_ headword: String, _ id: UniqueID) -> [UInt8] {
        var key: [UInt8] = []
        append(headword, id, to: &key)
        return key
    }

    static func append(_ headword: String, _ id: UniqueID, to bytes: inout [UInt8]) {
        let folded = SearchKey(headword).bytes
        if folded.count > textLimit {
            bytes += wholeScalars(folded, upTo: textLimit)
            bytes.append(cut)
        } else {
            bytes += folded
            bytes.append(whole)
        }
        bytes += wholeScalars(composedText(headword), upTo: textLimit)
        bytes.append(0)
        bytes += id.bytes
    }
}
