// Generated from Schemas/types.json by `swift run SchemaGenerator`: change the schema, not this file.

/// What a favourite or a mistake is.
public enum ItemKind: UInt8, CaseIterable, Hashable, Sendable {
    /// A card of a deck.
    case card = 1
    /// A word of a pack.
    case word = 2
    /// A question of a pack.
    case question = 3
}

extension ItemKind: NamedChoice {
    /// The case that `name` names; `nil` where it names none.
    public init?(name: String) {
        switch name {
        case "card": self = .card
        case "word": self = .word
        case "question": self = .question
        default: return nil
        }
    }

    /// Its name in JSON.
    public var name: String {
        switch self {
        case .card: "card"
        case .word: "word"
        case .question: "question"
        }
    }
}
