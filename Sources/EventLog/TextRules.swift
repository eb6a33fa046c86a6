package import EventCoding

/// What the owner of the events says of their texts that may be erased: this room doesn't know their payloads.
package struct TextRules: Sendable {
    /// How many bytes at the end of a payload are such texts; 0 where its type has none. `nil` where that can't be known (a newer type
    /// or version, or a payload that doesn't follow its schema): then the event's own mark counts.
    package let count: @Sendable (_ header: EventHeader, _ payload: RawSpan) -> Int?
    /// Whether every event of that type has such texts, and little else: see ``Commit/Header/withdrawal``.
    package let bearsTexts: @Sendable (_ type: EventType) -> Bool
    /// Whether the payload is known to hold no text: it follows its schema, and what of it is text is empty or was erased.
    package let isFree: @Sendable (_ header: EventHeader, _ payload: RawSpan) -> Bool

    package init(
        count: @escaping @Sendable (_ header: EventHeader, _ payload: RawSpan) -> Int?,
        bearsTexts: @escaping @Sendable (_ type: EventType) -> Bool,
        isFree: @escaping @Sendable (_ header: EventHeader, _ payload: RawSpan) -> Bool
    ) {
        self.count = count
        self.bearsTexts = bearsTexts
        self.isFree = isFree
    }

    /// What of the texts of an event is still there.
    enum Standing {
        /// It has none, or they were erased.
        case none
        /// So many bytes, as its mark says: the commit's digest is taken over their digest.
        case marked
        /// So many bytes, of which its mark says something else, or nothing: the commit's digest is taken over themselves.
        case unmarked(count: Int)
        /// Its type has texts, and nothing says where: it may hold some, and can't lose them.
        case unclear
    }

    /// How it stands with the texts of the event in `frame`, by its schema.
    func standing(of frame: Commit.Frame) throws(ByteError) -> Standing {
        let event = try frame.event()
        let (header, payload) = (event.header, event.payload)
        guard !header.isErased else { return bearsTexts(header.type) && !isFree(header, payload) ? .unclear : .none }
        var marked: Int?
        if case .possible(let count, _)? = try EventFrame.erasure(of: frame.bytes) { marked = count }
        guard let count = count(header, payload) else {
            guard marked == nil else { return .marked }
            return bearsTexts(header.type) ? .unclear : .none
        }
        guard count > 0 else { return .none }
        return marked == count ? .marked : .unmarked(count: count)
    }
}
