extension String {
    /// As many bytes of the beginning as there are up to `limit`, whole scalars.
    package func prefix(utf8 limit: Int) -> [UInt8] {
        guard utf8.count > limit else { return Array(utf8) }
        return wholeScalars(Array(utf8.prefix(limit + 1)), upTo: limit)
    }

    /// As many whole characters of the beginning as fit into `limit` bytes of UTF-8.
    package func prefix(utf8Count limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var cut = utf8.index(utf8.startIndex, offsetBy: max(0, limit))
        // A character of more than a hundred code points is none that anybody would miss the end of.
        for _ in 0..<400 where cut > startIndex && Index(cut, within: self) == nil { cut = utf8.index(before: cut) }
        guard Index(cut, within: self) == nil else { return String(self[..<cut]) }
        return String(decoding: prefix(utf8: max(0, limit)), as: UTF8.self)
    }
}

/// As many bytes of UTF-8 as there are up to `limit`, whole scalars.
package func wholeScalars(_ utf8: [UInt8], upTo limit: Int) -> [UInt8] {
    guard utf8.count > limit else { return utf8 }
    var end = limit
    while end > 0, utf8[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(utf8[..<end])
}
