package import EventCoding

/// What the store knows of the pack whose content it holds.
package struct PackRecord: Hashable, Sendable {
    /// A kind of test, with the places of its questions in the pack's list.
    package struct TestType: Hashable, Sendable {
        package let id: String
        package let title: String
        package let explanation: String
        package let questions: [Int]
        /// Why its condition was refused.
        package let refusal: String?

        package init(id: String, title: String, explanation: String, questions: [Int], refusal: String?) {
            self.id = id
            self.title = title
            self.explanation = explanation
            self.questions = questions
            self.refusal = refusal
        }
    }

    package let id: UniqueID
    package let digest: SHA256Digest
    /// How the file was read: by which rules, and by which map. Another way may find other content in the same file.
    package let reading: SHA256Digest
    package let words: [UniqueID]
    /// Each question with what a wrong answer makes a mistake.
    package let questions: [(id: UniqueID, item: UniqueID)]
    package let types: [TestType]
    /// Sum of the checksums of its words and questions, which isn't compared; `nil` in stores that were made before there were any.
    package var sum: UInt64?

    package init(
        id: UniqueID, digest: SHA256Digest, reading: SHA256Digest, words: [UniqueID], questions: [(id: UniqueID, item: UniqueID)],
        types: [TestType], sum: UInt64? = nil
    ) {
        self.sum = sum
        self.id = id
        self.digest = digest
        self.reading = reading
        self.words = words
        self.questions = questions
        self.types = types
    }

    package static func == (left: PackRecord, right: PackRecord) -> Bool {
        left.id == right.id && left.digest == right.digest && left.reading == right.reading && left.words == right.words
            && left.types == right.types
            && left.questions.elementsEqual(right.questions, by: ==)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(digest)
    }
}

extension PackRecord {
    private static let layout: UInt8 = 1
    /// The layout of one that ends with ``sum``.
    private static let layoutWithSum: UInt8 = 2

    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 64 + 16 * words.count + 32 * questions.count)
        writer.write(sum == nil ? Self.layout : Self.layoutWithSum)
        writer.write(digest)
        writer.write(reading)
        writer.writeVariable(UInt64(words.count))
        for word in words { writer.write(word) }
        writer.writeVariable(UInt64(questions.count))
        for question in questions {
            writer.write(question.id)
            writer.write(question.item)
        }
        writer.writeVariable(UInt64(types.count))
        for type in types {
            for text in [type.id, type.title, type.explanation, type.refusal ?? ""] { writer.writeText(text) }
            writer.write(UInt8(type.refusal == nil ? 0 : 1))
            writer.writeVariable(UInt64(type.questions.count))
            for place in type.questions { writer.writeVariable(UInt64(place)) }
        }
        if let sum { writer.write(sum) }
        return writer.bytes
    }

    init(id: UniqueID, decoding span: RawSpan) throws(ByteError) {
        var reader = ByteReader(span)
        let layout = try reader.readUInt8()
        guard layout == Self.layout || layout == Self.layoutWithSum else { throw ByteError(.unknownFormat, offset: 0) }
        let digest = try reader.readDigest()
        let reading = try reader.readDigest()
        var words: [UniqueID] = []
        for _ in 0..<(try reader.readContentCount()) { words.append(try reader.readUniqueID()) }
        var questions: [(id: UniqueID, item: UniqueID)] = []
        for _ in 0..<(try reader.readContentCount()) { questions.append((try reader.readUniqueID(), try reader.readUniqueID())) }
        var types: [TestType] = []
        for _ in 0..<(try reader.readContentCount()) {
            var texts: [String] = []
            for _ in 0..<4 { texts.append(try reader.readText(limit: 1 << 20)) }
            let isRefused = try reader.readUInt8() == 1
            var places: [Int] = []
            for _ in 0..<(try reader.readContentCount()) {
                let place = try reader.readVariable()
                guard place < UInt64(questions.count) else { throw ByteError(.badValue, offset: reader.offset) }
                places.append(Int(place))
            }
            types.append(
                TestType(id: texts[0], title: texts[1], explanation: texts[2], questions: places, refusal: isRefused ? texts[3] : nil))
        }
        let sum = layout == Self.layoutWithSum ? try reader.readUInt64() : nil
        try reader.finish()
        self.init(id: id, digest: digest, reading: reading, words: words, questions: questions, types: types, sum: sum)
    }
}

extension ByteReader {
    /// A count of things that take at least a byte each, so that a lying one can't make anybody reserve memory.
    @_lifetime(self: copy self)
    fileprivate mutating func readContentCount() throws(ByteError) -> Int {
        let start = offset
        let count = try readVariable()
        guard count <= UInt64(remaining) else { throw ByteError(.badLength, offset: start) }
        return Int(count)
    }
}
