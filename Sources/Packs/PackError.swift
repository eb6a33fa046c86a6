/// Why a file can't be installed as a pack, and where in it. Nothing of it was taken then.
package struct PackError: Error, Hashable, Sendable {
    /// The file.
    package let path: String
    /// The table, line or field; empty where the file as a whole is meant.
    package let place: String
    /// What is wrong there, and what to do about it.
    package let why: String

    package init(path: String, place: String = "", why: String) {
        self.path = path
        self.place = place
        self.why = why
    }
}

extension PackError: CustomStringConvertible {
    package var description: String { place.isEmpty ? "\(path): \(why)" : "\(path): \(place): \(why)" }
}
