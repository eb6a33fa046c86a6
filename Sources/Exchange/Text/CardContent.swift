/// What a card gives its templates.
struct CardContent {
    /// The note's fields, one after the other.
    var fieldBytes: [UInt8] = []
    /// Where each field lies in `fieldBytes`.
    var fields: [Range<Int>] = []
    var tags = ""
    var deck = ""
    var noteType = ""
    var card = ""
    /// Which of the note's cards it is, from 0: the template, or the cloze less one.
    var ordinal = 0
    var isCloze = false

    /// Takes the fields apart, which a note keeps in one text with U+001F between them.
    mutating func setFields(_ joined: RawSpan) {
        fieldBytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        unsafe joined.withUnsafeBytes { unsafe fieldBytes.append(contentsOf: $0) }
        var start = 0
        for index in fieldBytes.indices where fieldBytes[index] == 0x1F {
            fields.append(start..<index)
            start = index + 1
        }
        fields.append(start..<fieldBytes.count)
    }

    /// The last part of the deck's name.
    var subdeck: Substring {
        var rest = deck[...]
        while let colons = rest.firstRange(of: "::") { rest = rest[colons.upperBound...] }
        return rest
    }

    /// The bytes of the field at `index`; none where the note has fewer.
    func field(_ index: Int) -> ArraySlice<UInt8> {
        fields.indices.contains(index) ? fieldBytes[fields[index]] : []
    }
}
