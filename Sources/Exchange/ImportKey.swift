package import EventCoding
internal import Hashing
package import StudyModel

/// Identities made from what rows say, so that every device makes the same. Neither the file nor the place in it counts.
package enum ImportKey {
    package static func deck(csvTitle title: String) -> UniqueID { uniqueID(namespace: "csv-deck", [title]) }
    package static func deck(ankiNumber number: Int64) -> UniqueID { uniqueID(namespace: "anki-deck", [String(number)]) }
    package static func card(csvNumber number: Int64) -> UniqueID { uniqueID(namespace: "csv-card", [String(number)]) }
    package static func card(ankiNumber number: Int64) -> UniqueID { uniqueID(namespace: "anki-card", [String(number)]) }

    /// An object of a Core Data store that has no identity of its own: its row in that store.
    package static func coreData(_ kind: String, store: String, number: Int64) -> UniqueID {
        uniqueID(namespace: "coredata-" + kind, [store, String(number)])
    }

    package static func cardPlaced(_ card: UniqueID, _ placed: CardPlaced) -> UniqueID {
        uniqueID(
            namespace: "card-placed",
            [
                card.description, String(placed.levelHalfSteps), String(placed.passed), String(placed.failed),
                placed.lastReviewedMilliseconds.map { String($0) } ?? "",
            ])
    }

    /// The deck that lists make under a title. Where one of that identity was deleted here, the next `attempt` takes its place.
    package static func deck(listTitle title: String, attempt: Int) -> UniqueID {
        uniqueID(namespace: "list-deck", [title] + (attempt == 0 ? [] : [String(attempt)]))
    }

    /// The card that a row of a list is in a deck: by its front in the form of ``ListText/identity(of:)``, and by its back
    /// too where that front has a card already.
    package static func card(listDeck deck: UniqueID, front: String, back: String? = nil) -> UniqueID {
        uniqueID(namespace: "list-card", [deck.description, front] + (back.map { [$0] } ?? []))
    }

    /// The card that a list names by an identity of its own.
    package static func card(listIdentity identity: String) -> UniqueID { uniqueID(namespace: "list-guid", [identity]) }

    /// What a row of a list says of a new card.
    package static func listed(_ card: UniqueID, front: String, back: String) -> UniqueID {
        uniqueID(namespace: "list-row", [card.description, front, back])
    }

    package static func deckCreated(_ deck: UniqueID, title: String) -> UniqueID {
        uniqueID(namespace: "deck-created", [deck.description, title])
    }

    package static func deckChanged(_ deck: UniqueID, _ field: String, _ value: String) -> UniqueID {
        uniqueID(namespace: "deck-changed", [deck.description, field, value])
    }

    package static func cardCreated(_ card: ImportedCard) -> UniqueID { text("card-created", card) }

    package static func cardEdited(_ card: ImportedCard) -> UniqueID { text("card-edited", card) }

    package static func cardMoved(_ card: ImportedCard) -> UniqueID {
        uniqueID(namespace: "card-moved", [card.id.description, card.deck.description, String(card.cardModifiedMilliseconds)])
    }

    private static func text(_ namespace: String, _ card: ImportedCard) -> UniqueID {
        uniqueID(namespace: namespace, [card.id.description, card.front, card.back, String(card.textModifiedMilliseconds)])
    }
}

/// Makes the keys of answers and resets, of which there may be hundreds of thousands: one digest over forty bytes each.
struct AnswerKeyMaker: ~Copyable {
    private var hasher = SHA256Hasher()

    mutating func key(card: UniqueID, milliseconds: Int64, kind: AnswerKind, grade: UInt8, ordinal: Int) -> UniqueID {
        // "review" tells these forty bytes from anything else that is digested.
        let head: UInt64 = 0x7265_7669_6577_0000 | UInt64(kind.rawValue) << 8 | UInt64(grade)
        let record: [5 of UInt64] = [
            head.bigEndian, card.high.bigEndian, card.low.bigEndian, UInt64(bitPattern: milliseconds).bigEndian,
            UInt64(UInt32(truncatingIfNeeded: ordinal)).bigEndian,
        ]
        // Integers have no padding: every byte is one that was written.
        unsafe hasher.update(record.span.bytes)
        return hasher.finish().uniqueID
    }
}

/// What a row of a review log says happened.
enum AnswerKind: UInt8 {
    case reset = 1
    case reviewed = 2
    case practised = 3
}
