/// A text while a person types it: what stands before the cursor, and what behind it.
///
/// Works on whole characters, however many scalars they have, so that nobody deletes half of one.
package struct LineEditor: Equatable, Sendable {
    private var before: String
    private var after: String

    /// Beginning with `text`, the cursor at its end.
    package init(_ text: String = "") {
        before = text
        after = ""
    }

    package var text: String { before + after }

    /// Takes one key. False where it is none of the editor's, such as Enter.
    package mutating func take(_ key: Key) -> Bool {
        switch key {
        case .text(let scalar): before.unicodeScalars.append(scalar)
        case .lineBreak: before.append("\n")
        case .tab: before.append("\t")
        case .backspace: if !before.isEmpty { before.removeLast() }
        case .delete: if !after.isEmpty { after.removeFirst() }
        case .left: if let last = before.popLast() { after.insert(last, at: after.startIndex) }
        case .right: if !after.isEmpty { before.append(after.removeFirst()) }
        case .home:
            after = text
            before = ""
        case .end:
            before = text
            after = ""
        default: return false
        }
        return true
    }

    /// One line of `width` columns that shows the part around the cursor, and the column at which the cursor stands.
    package func window(width: Int, unicode: Bool) -> (line: String, column: Int) {
        let left = Self.oneLine(before, unicode: unicode)
        let right = Self.oneLine(after, unicode: unicode)
        var kept = ""
        var column = 0
        for character in left.reversed() {
            let size = character.displayWidth
            // One column stays free for the cursor behind the text.
            guard column + size < width else { break }
            column += size
            kept.insert(character, at: kept.startIndex)
        }
        var used = column
        for character in right {
            used += character.displayWidth
            guard used <= width else { break }
            kept.append(character)
        }
        return (kept, column)
    }

    private static func oneLine(_ text: String, unicode: Bool) -> String {
        shown(text.replacing("\n", with: unicode ? "↵" : "\\n").replacing("\t", with: " "))
    }
}
