internal import JSONText
internal import SQLite

extension PackError {
    /// What a database's error means for somebody who installs it.
    init(_ error: SQLiteError) {
        let why: String =
            switch error.code.primary {
            case .cannotOpen, .inputOutput, .tooBig: "can't be read: \(error.message)"
            case .outOfMemory: "needs more memory than a file of its size may take, or than there is"
            case .busy: "another program is using it: close that program, or install a copy"
            case .interrupted: "asks for more work than any honest file"
            case .corrupt, .notADatabase: "is damaged: \(error.message)"
            default: error.message
            }
        self.init(path: error.path, place: error.statement ?? "", why: why)
    }

    /// What a fault in a JSON text means for somebody who installs it.
    init(_ fault: JSONError, path: String) {
        self.init(path: path, place: "line \(fault.line)", why: fault.message)
    }
}
