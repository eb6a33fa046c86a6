/// Hears now and then how much of a file is read, of how much. Where it throws, the reading ends with that.
package typealias ReadingProgress = (_ done: Int, _ total: Int) throws(ImportError) -> Void

/// Why a foreign file can't be imported, and where in it. Nothing of the file was taken then.
public struct ImportError: Error, Hashable, Sendable {
    /// Where in the file.
    public enum Place: Hashable, Sendable {
        /// The file as a whole.
        case file
        /// A member of an archive.
        case member(String)
        /// A line, from 1, and the column's name if it is about one field.
        case line(Int, field: String?)
        /// A table, or a statement over one.
        case table(String)
    }

    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The system can't read the file; its words.
        case unreadable(String)
        /// Larger than is read.
        case tooLarge(limit: Int)
        /// More of something than is read.
        case tooMany(String, limit: Int)
        /// Of no format that can be imported.
        case unknownFormat
        /// Of no format of dictionaries.
        case notADictionary
        /// Not of the format that was asked for.
        case otherFormat(wanted: ImportFormat)
        /// Damaged, or made to do harm; what was met there.
        case damaged(String)
        /// Written by a newer version of its program than this one knows.
        case tooNew(version: Int)
        /// Written by a version of its program that is too old.
        case tooOld(version: Int)
        /// Something that the format needs isn't there: a column, a field, a table, a member.
        case missing(String)
        /// A column that is there twice.
        case duplicate(String)
        /// A field that should be a whole number; its text.
        case notANumber(String)
        /// A field that should be a time; its text.
        case notATime(String)
        /// A quoted field that doesn't end, or goes on after its closing quote.
        case badQuotes
        /// Bytes that no text in UTF-8 or UTF-16 has.
        case badEncoding
        /// Nothing: whoever asked for the import changed their mind.
        case cancelled
    }

    /// The file.
    public let path: String
    /// Where in it.
    public let place: Place
    /// What is wrong there.
    public let reason: Reason

    /// An error of those parts.
    public init(path: String, place: Place = .file, reason: Reason) {
        self.path = path
        self.place = place
        self.reason = reason
    }
}

extension ImportError: CustomStringConvertible {
    /// Where, what, and what to do about it, in one line.
    public var description: String {
        switch place {
        case .file: "\(path): \(reason)"
        case .member(let name), .table(let name): "\(path): \(name): \(reason)"
        case .line(let line, nil): "\(path):\(line): \(reason)"
        case .line(let line, let field?): "\(path):\(line): \(field): \(reason)"
        }
    }
}

extension ImportError.Reason: CustomStringConvertible {
    /// What is wrong, and what to do about it.
    public var description: String {
        switch self {
        case .unreadable(let why): "can't be read: \(why)"
        case .tooLarge(let limit): "is larger than \(limit) bytes"
        case .tooMany(let what, let limit): "has more than \(limit) \(what)"
        case .unknownFormat: "is neither an Anki collection or package, nor a Core Data store, nor a review log in CSV, nor a list of cards"
        case .notADictionary: "is neither a dictd dictionary (.index with .dict or .dict.dz) nor one of Ding (lines of 'word :: word')"
        case .otherFormat(let wanted): "is not of the format \(wanted.rawValue); leave the format out to have it found"
        case .damaged(let what): "is damaged: \(what)"
        case .tooNew(let version): "has version \(version), which is newer than can be read: export it for older versions"
        case .tooOld(let version):
            "has version \(version), which is too old: open it with a newer version of its program and export it again"
        case .missing(let what): "\(what) is missing"
        case .duplicate(let what): "\(what) is there twice"
        case .notANumber(let text): "“\(text)” is not a whole number"
        case .notATime(let text): "“\(text)” is neither milliseconds since 1970 nor an ISO 8601 time with its offset"
        case .badQuotes: "a quoted field doesn't end where it should"
        case .cancelled: "reading it was cancelled"
        case .badEncoding: "is no text in UTF-8: save the file as UTF-8, or as UTF-16 with a byte order mark"
        }
    }
}
