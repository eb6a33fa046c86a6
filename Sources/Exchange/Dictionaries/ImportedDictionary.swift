package import EventCoding
internal import Hashing

/// A dictionary out of a foreign file.
package struct ImportedDictionary: Sendable {
    package let format: DictionaryFormat
    /// What it calls itself, or its file is called.
    package let name: String
    /// Of what it was read from, however that was packed.
    package let digest: SHA256Digest
    package private(set) var entries: [DictionaryEntry]
    /// Lines that couldn't be read, in their order.
    package private(set) var faults: DictionaryFaults

    init(format: DictionaryFormat, name: String, digest: SHA256Digest, entries: [DictionaryEntry], faults: DictionaryFaults) {
        self.format = format
        self.name = name
        self.digest = digest
        self.entries = entries
        self.faults = faults
    }

    /// Reads the dictionary at `path`. Writes nothing, anywhere.
    ///
    /// - `format`: the format that it must have; `nil` to find it by the file's name and content.
    /// - `name`: what to call it; `nil` for its own name.
    /// - `progress`: called now and then with how much is done of how much.
    ///
    /// A line that can't be read is passed over, and told of in ``faults``; a file without any that can be read is an error.
    package static func read(
        path: String, format: DictionaryFormat? = nil, name: String? = nil, progress: ReadingProgress? = nil
    ) throws(ImportError) -> ImportedDictionary {
        let file = try ForeignFile(path: path)
        let beginning = try file.bytes(count: min(file.size, DictionaryFormat.beginningBytes))
        guard let format = format ?? DictionaryFormat(name: file.name, beginning: beginning) else {
            throw ImportError(path: path, reason: .notADictionary)
        }
        let dictionary: ImportedDictionary
        switch format {
        case .dictd: dictionary = try DictdFiles(path: path).read(name: name, progress: progress)
        case .ding: dictionary = try DingFile.read(file, name: name, progress: progress)
        }
        guard !dictionary.entries.isEmpty else {
            let why = dictionary.faults.first.map { "line \($0.line) \($0.reason)" } ?? "it is empty"
            throw ImportError(path: path, reason: .damaged("there is no entry in it that can be read: \(why)"))
        }
        return dictionary
    }
}

/// An entry of a dictionary.
package struct DictionaryEntry: Hashable, Sendable {
    /// The words under which it is found.
    package var headwords: [String]
    /// What it says.
    package var text: String

    package init(headwords: [String], text: String) {
        self.headwords = headwords
        self.text = text
    }
}

/// How much is taken of what a stranger made.
enum DictionaryLimit {
    static let indexBytes = 256 << 20
    static let textBytes = 1 << 30
    static let headwords = 10_000_000
    static let headwordBytes = 1024
    static let entryBytes = 1 << 20
}

/// Lines of a dictionary that couldn't be read.
package struct DictionaryFaults: Sendable {
    /// Why a line can't be read. Continues the sentence "line 12 …".
    package enum Reason: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
        case notUTF8 = "not_utf8"
        case badColumns = "bad_columns"
        case badNumber = "bad_number"
        case outOfBounds = "out_of_bounds"
        case noHeadword = "no_headword"
        case headwordTooLong = "headword_too_long"
        case entryTooLong = "entry_too_long"
        case badSeparator = "bad_separator"
        case unequalParts = "unequal_parts"

        package var description: String {
            switch self {
            case .notUTF8: "isn't UTF-8"
            case .badColumns: "hasn't three or four columns with tabs between them"
            case .badNumber: "has an offset or a length that is no number of the format"
            case .outOfBounds: "points behind the end of the text"
            case .noHeadword: "has no headword"
            case .headwordTooLong: "has a headword of more than \(DictionaryLimit.headwordBytes) bytes"
            case .entryTooLong: "has an entry of more than \(DictionaryLimit.entryBytes) bytes"
            case .badSeparator: "hasn't exactly one ' :: '"
            case .unequalParts: "has another number of parts on its two sides"
            }
        }
    }

    package struct SkippedLine: Hashable, Sendable {
        package let path: String
        /// From 1.
        package let line: Int
        package let reason: Reason
    }

    /// The first hundred of them.
    package private(set) var listed: [SkippedLine] = []
    private var counts: [Reason: Int] = [:]

    var first: SkippedLine? { listed.first }
    package var count: Int { counts.values.reduce(0, +) }
    /// How many lines had each fault, the most frequent first.
    package var byReason: [(reason: Reason, count: Int)] {
        Reason.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }.sorted { $0.count > $1.count }
    }

    mutating func add(_ reason: Reason, path: String, line: Int) {
        counts[reason, default: 0] += 1
        if listed.count < 100 { listed.append(SkippedLine(path: path, line: line, reason: reason)) }
    }
}
