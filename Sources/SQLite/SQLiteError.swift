/// A result code of SQLite, extended ones included. Codes that this program doesn't name survive.
package struct SQLiteCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The code without what its extension adds.
    package var primary: SQLiteCode { SQLiteCode(rawValue: rawValue & 0xFF) }

    package static let error = SQLiteCode(rawValue: 1)
    package static let busy = SQLiteCode(rawValue: 5)
    package static let outOfMemory = SQLiteCode(rawValue: 7)
    package static let readOnly = SQLiteCode(rawValue: 8)
    package static let interrupted = SQLiteCode(rawValue: 9)
    package static let inputOutput = SQLiteCode(rawValue: 10)
    package static let corrupt = SQLiteCode(rawValue: 11)
    package static let cannotOpen = SQLiteCode(rawValue: 14)
    package static let tooBig = SQLiteCode(rawValue: 18)
    package static let notAuthorised = SQLiteCode(rawValue: 23)
    package static let range = SQLiteCode(rawValue: 25)
    package static let notADatabase = SQLiteCode(rawValue: 26)
}

/// What SQLite refused, and where.
package struct SQLiteError: Error, Hashable, Sendable {
    /// Why.
    package let code: SQLiteCode
    /// The file, or the name that stands for bytes in memory.
    package let path: String
    /// The statement that failed; `nil` while the file was being opened.
    package let statement: String?
    /// SQLite's own words.
    package let message: String

    package init(code: SQLiteCode, path: String, statement: String? = nil, message: String) {
        self.code = code
        self.path = path
        self.statement = statement
        self.message = message
    }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        let place = statement.map { " (\($0))" } ?? ""
        let advice =
            switch code.primary {
            case .busy: "; another program is using it: close that program, or read a copy"
            case .corrupt, .notADatabase: "; the file is damaged or is no SQLite database"
            case .interrupted: "; the file asks for more work than any honest one"
            default: ""
            }
        return "\(path): \(message) [SQLite \(code.rawValue)]\(place)\(advice)"
    }
}
