package import EventCoding

/// A word or a question as the store keeps it.
package enum ContentRecord: Hashable, Sendable {
    case word(Word)
    case question(Question)

    package struct Word: Hashable, Sendable {
        package let pack: UniqueID
        package let word: String
        package let entry: String

        package init(pack: UniqueID, word: String, entry: String) {
            self.pack = pack
            self.word = word
            self.entry = entry
        }
    }

    package struct Question: Hashable, Sendable {
        package let pack: UniqueID
        /// What a wrong answer makes a mistake.
        package let item: UniqueID
        package let prompt: String
        package let options: [String]
        /// Index of the right option.
        package let right: Int

        package init(pack: UniqueID, item: UniqueID, prompt: String, options: [String], right: Int) {
            self.pack = pack
            self.item = item
            self.prompt = prompt
            self.options = options
            self.right = right
        }
    }

    /// What a list shows of it: the word, or what is asked.
    package var text: String {
        switch self {
        case .word(let word): word.word
        case .question(let question): question.prompt
        }
    }

    package var pack: UniqueID {
        switch self {
        case .word(let word): word.pack
        case .question(let question): question.pack
        }
    }
}

extension ContentRecord {
    private static let textLimit = 1 << 16

    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 128)
        switch self {
        case .word(let word):
            writer.write(1 as UInt8)
            writer.write(word.pack)
            writer.writeText(word.word)
            writer.writeText(word.entry)
        case .question(let question):
            writer.write(2 as UInt8)
            writer.write(question.pack)
            writer.write(question.item)
            writer.writeText(question.prompt)
            writer.writeVariable(UInt64(question.options.count))
            for option in question.options { writer.writeText(option) }
            writer.writeVariable(UInt64(question.right))
        }
        return writer.bytes
    }

    /// Whether a record is that of a word which is written exactly so.
    static func isWord(_ span: RawSpan, spelled units: [UInt8]) -> Bool {
        var reader = ByteReader(span)
        guard (try? reader.readUInt8()) == 1, (try? reader.readUniqueID()) != nil,
            let word = try? reader.readCountedBytes(limit: textLimit), word.byteCount == units.count
        else { return false }
        return word.copied() == units
    }

    init(decoding span: RawSpan) throws(ByteError) {
        var reader = ByteReader(span)
        switch try reader.readUInt8() {
        case 1:
            let pack = try reader.readUniqueID()
            let word = try reader.readText(limit: Self.textLimit)
            self = .word(Word(pack: pack, word: word, entry: try reader.readText(limit: Self.textLimit)))
        case 2:
            let pack = try reader.readUniqueID()
            let item = try reader.readUniqueID()
            let prompt = try reader.readText(limit: Self.textLimit)
            let count = try reader.readVariable()
            guard (2...8).contains(count) else { throw ByteError(.badValue, offset: reader.offset) }
            var options: [String] = []
            for _ in 0..<count { options.append(try reader.readText(limit: Self.textLimit)) }
            let right = try reader.readVariable()
            guard right < count else { throw ByteError(.badValue, offset: reader.offset) }
            self = .question(Question(pack: pack, item: item, prompt: prompt, options: options, right: Int(right)))
        default: throw ByteError(.unknownFormat, offset: 0)
        }
        try reader.finish()
    }
}
