package import EventCoding
package import Scheduling
internal import StudyModel

/// In which deck each card is in the end. Where decks have rules of their own, a card remembers by those of the deck that it is in now,
/// so a fold from the beginning must know it before it comes there.
struct Destinations: Sendable {
    private var cards: [UniqueID: (isCreated: Bool, deck: UniqueID)] = [:]

    /// The deck in which the card is in the end.
    func deck(of card: UniqueID) -> UniqueID { cards[card]?.deck ?? .none }

    /// Takes the next event in the order of the fold, if it is about a card's deck and counts.
    mutating func apply(_ header: EventHeader, payload: RawSpan, _ controls: Controls) {
        guard header.type.kind(about: .card)?.decidesDeck ?? false, controls.verdict(on: header).counts,
            let event = try? StudyEvent.decode(header, payload: payload)
        else { return }
        switch event {
        case .cardCreated(let created):
            if cards[header.subject]?.isCreated != true { cards[header.subject] = (true, created.deck) }
        case .cardMoved(let moved): cards[header.subject, default: (false, .none)].deck = moved.deck
        default: break
        }
    }
}

extension StudyEventKind {
    /// Whether such an event may put a card into another deck.
    var decidesDeck: Bool { self == .cardCreated || self == .cardMoved }
}

extension StudyState {
    /// Whether a fold from the beginning must first find out in which deck each card is in the end: ``findDestination(_:payload:)`` for each
    /// event in the order of the fold, and ``forgetDestinations()`` after the fold.
    package var needsDestinations: Bool { rules.hasDeckRules }

    /// Takes the next event, if it is about a card's deck.
    package mutating func findDestination(_ header: EventHeader, payload: RawSpan) {
        var found = destinations ?? Destinations()
        destinations = nil
        found.apply(header, payload: payload, controls)
        destinations = found
    }

    /// The same for each event of `batch` that isn't later than `last`, in milliseconds since 1970.
    package mutating func findDestinations(_ batch: borrowing EventBatch, until last: Int64) throws(EventBatch.BatchError) {
        for index in 0..<batch.count {
            let frame = batch.frame(index)
            guard EventFrame.type(of: frame).kind(about: .card)?.decidesDeck ?? false else { continue }
            do throws(ByteError) {
                let (header, offset) = try EventFrame.parse(frame)
                guard header.logicalTime.milliseconds <= last else { continue }
                findDestination(header, payload: frame.extracting(offset..<frame.byteCount))
            } catch { throw EventBatch.BatchError(position: batch.position(index), fault: error) }
        }
    }

    package mutating func forgetDestinations() { destinations = nil }

    /// In which deck the card of a timeline, which is in fold order, is in the end.
    func destination(of timeline: [RecordedEvent]) -> UniqueID {
        guard rules.hasDeckRules, let subject = timeline.first?.header.subject else { return .none }
        var found = Destinations()
        for event in timeline { found.apply(event.header, payload: event.payload.rawSpan, controls) }
        return found.deck(of: subject)
    }

    /// The rules in force at a place in the order for a card as it was then.
    func deckRules(of card: borrowing CardState, at order: FoldOrder) -> Rules {
        let (id, deck) = (card.id, card.deck)
        return rules.rules(at: order, in: deck, now: destinations?.deck(of: id) ?? deck)
    }

    /// The schedulers in force now, by deck.
    package var currentSchedulers: CurrentSchedulers {
        CurrentSchedulers(
            common: rules.current.scheduler, ofDecks: Dictionary(rules.deckSchedulers.map { ($0.deck, $0.scheduler) }) { $1 })
    }
}

/// The schedulers in force now, by deck.
package struct CurrentSchedulers: Sendable {
    let common: ConfiguredScheduler
    let ofDecks: [UniqueID: ConfiguredScheduler]

    /// That of a deck; where it has no rules of its own, that of the store.
    package subscript(deck: UniqueID) -> ConfiguredScheduler {
        _read {
            if !ofDecks.isEmpty, let own = ofDecks[deck] { yield own } else { yield common }
        }
    }

    /// How many boxes there are at most in one deck.
    package var boxCount: Int { ofDecks.values.map(\.boxCount).reduce(common.boxCount, max) }
}
