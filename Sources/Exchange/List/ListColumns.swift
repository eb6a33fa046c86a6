/// Which column of a list holds what.
struct ListColumns {
    /// Columns beyond this number aren't counted.
    static let maximumCount = 1000

    /// What a column holds that is no further side.
    enum Content {
        case front
        case back
        case deck
        /// What a row is known by, whatever its front.
        case identity
        /// The same, where it is a card's identity; else nothing. Other programs number the rows of each list from 1.
        case cardID
        /// What a card doesn't have: tags, note types, figures.
        case nothing
    }

    private let contents: [Int: Content]
    let front: Int
    let back: Int
    let deck: Int?
    let identity: Int?
    let cardID: Int?

    /// Columns without names: the first two that hold nothing else are the sides.
    init(special: [Int: Content]) {
        contents = special
        func place(of content: Content) -> Int? { special.filter { $0.value == content }.keys.min() }
        func free(except taken: Int?) -> Int { (0...special.count + 1).first { special[$0] == nil && $0 != taken } ?? 0 }
        let named = (front: place(of: .front), back: place(of: .back))
        front = named.front ?? free(except: nil)
        back = named.back ?? free(except: named.front ?? front)
        deck = place(of: .deck)
        identity = place(of: .identity)
        cardID = place(of: .cardID)
    }

    /// Columns with these names, and those that the header says more of.
    init(names: [String], special: [Int: Content]) {
        var contents = special
        for (index, name) in names.prefix(Self.maximumCount).enumerated() where contents[index] == nil {
            guard let content = Self.content(of: name) else { continue }
            // Of two columns of one name the first counts; the other goes to the back like any other.
            if content != .nothing, contents.values.contains(content) { continue }
            contents[index] = content
        }
        self.init(special: contents)
    }

    /// Whether the column at `index` goes to the back, behind the back itself.
    func isFurther(_ index: Int) -> Bool { index != front && index != back && contents[index] == nil }

    /// Whether a first row of these fields names columns; the name of the side that is missing where it names one alone.
    static func header(_ fields: [String]) -> (isHeader: Bool, missing: String?) {
        let contents = fields.prefix(maximumCount).compactMap { content(of: $0) }
        let (hasFront, hasBack) = (contents.contains(.front), contents.contains(.back))
        if hasFront, hasBack { return (true, nil) }
        // One side and a deck, both under names that are no words of a language course.
        let isPlain = fields.contains { plainSides.contains(name($0)) }
        guard isPlain, contents.contains(.deck) else { return (false, nil) }
        return (true, hasFront ? "back" : "front")
    }

    private static let plainSides: Set<String> = ["front", "frontside", "back", "backside", "flipside"]

    private static func name(_ text: String) -> String { String(text.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" }) }

    private static func content(of text: String) -> Content? {
        switch name(text) {
        case "front", "frontside", "fronttext", "question", "term", "prompt": .front
        case "back", "backside", "flipside", "backtext", "answer", "definition", "translation": .back
        case "deck", "deckname", "category": .deck
        case "guid": .identity
        case "id": .cardID
        case "tags", "tag", "notetype", "createdat", "lastreviewedat", "level", "box", "intervaldays", "due", "passed", "failed",
            "favourite":
            .nothing
        default: nil
        }
    }
}
