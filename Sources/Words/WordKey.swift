internal import EventCoding
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

    /// - Parameter text: the headword, composed.
    static func write(_ folded: SearchKey, _ text: [UInt8], _ id: UniqueID, to writer: inout ByteWriter) {
        write(folded.bytes, to: &writer)
        writer.write(folded.bytes.count > textLimit ? cut : whole)
        write(text, to: &writer)
        writer.write(0 as UInt8)
        writer.write(id)
    }

    private static func write(_ bytes: [UInt8], to writer: inout ByteWriter) {
        writer.write(bytes: bytes.count > textLimit ? wholeScalars(bytes, upTo: textLimit) : bytes)
    }
}
