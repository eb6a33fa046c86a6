package import EventCoding

/// An entry of a dictionary or pack, as its source gives it.
package struct WordEntry: Hashable, Sendable {
    /// The words under which it is found, each once.
    package var headwords: [String]
    /// What it says.
    package var text: String
    /// The identity of its first word, where its source has one. Where there is none, it follows from the source, the
    /// headword, and how many equal headwords came before it: a newer edition gives the same.
    package var id: UniqueID?

    package init(headwords: [String], text: String, id: UniqueID? = nil) {
        self.headwords = headwords
        self.text = text
        self.id = id
    }

    /// What the entry and its headwords may have, in bytes of UTF-8; what is longer isn't taken.
    package static let headwordLimit = 1024
    package static let textLimit = 1 << 20
}

/// A word that was found.
package struct FoundWord: Hashable, Sendable {
    package let id: UniqueID
    package let headword: String
    /// What its entry says.
    package let text: String
    /// The dictionary or pack that it is of.
    package let source: UniqueID

    package init(id: UniqueID, headword: String, text: String, source: UniqueID) {
        self.id = id
        self.headword = headword
        self.text = text
        self.source = source
    }
}

/// A dictionary or pack whose words are in the index.
package struct WordSource: Hashable, Sendable {
    package let id: UniqueID
    package let name: String
    /// What its words were made from.
    package let digest: SHA256Digest
    /// How many words, and how many entries.
    package let words: Int
    package let entries: Int
    /// Stands for it in the records of its words.
    let number: UInt32
    /// Sum of the checksums of its words and entries; `nil` in stores that were made before there were any.
    var sum: UInt64?

    /// Whether its records end with checksums.
    package var isSealed: Bool { sum != nil }
}
