/// What a shell offers where a value is to be typed.
package enum Completion: Hashable, Sendable {
    case nothing
    /// Files; directories on the way to them.
    case files
    case directories
    /// Fixed words, each with what it means.
    case words([Word])
    /// What a sub-command of the program prints, one candidate a line.
    case output(of: String)

    /// A word that may be typed.
    package struct Word: Hashable, Sendable {
        package let text: String
        package let summary: String

        package init(_ text: String, _ summary: String = "") {
            self.text = text
            self.summary = summary
        }
    }
}
