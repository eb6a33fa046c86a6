internal import EventCoding

extension ImportedHistory {
    /// Tables in CSV are read whole: so large may one be.
    private static let maximumTableBytes = 256 << 20

    /// What importing the file at `path` would bring. Writes nothing, anywhere.
    ///
    /// - `format`: the format that it must have; `nil` to find it by content. Not a list: see ``ImportedList``.
    /// - `deckTitle`: the deck for cards of a format without decks; `nil` for the file's name without its extension.
    /// - `zone`: minutes that the local clock was ahead of UTC at an instant in milliseconds since 1970. Where it, or its
    ///   answer, is `nil`, the offset that the file itself has for a row, else UTC.
    /// - `progress`: called now and then with how much is done of how much.
    ///
    /// The same file gives the same history, and rows that several files share the same events.
    /// Complexity: O(n log n) in the number of rows, O(n) where they are in order of time.
    package static func read(
        path: String, format: ImportFormat? = nil, deckTitle: String? = nil, zone: ((Int64) -> Int16?)? = nil,
        progress: ReadingProgress? = nil
    ) throws(ImportError) -> ImportedHistory {
        let file = try ForeignFile(path: path)
        let beginning = try file.bytes(count: min(file.size, ImportFormat.beginningBytes))
        // A list is no history: it is read by itself, and any text may be one.
        let found = ImportFormat.find(path: path, beginning: beginning).flatMap { $0 == .list ? nil : $0 }
        if let format, found != format, format != .reviewTable || found != nil {
            throw ImportError(path: path, reason: .otherFormat(wanted: format))
        }
        guard let format = format ?? found else { throw ImportError(path: path, reason: .unknownFormat) }
        let builder: HistoryBuilder
        switch format {
        case .reviewTable:
            guard file.size <= maximumTableBytes else { throw ImportError(path: path, reason: .tooLarge(limit: maximumTableBytes)) }
            let table = ReviewTable(try file.bytes(count: file.size), path: path, zone: zone)
            builder = try table.read(deckTitle: deckTitle ?? file.stem, progress: progress)
        case .anki:
            let collection = try AnkiPackage.openCollection(path, beginning: beginning)
            builder = try AnkiHistory(collection, zone: zone, progress: progress).read()
        case .coreData:
            builder = try CoreDataHistory(path: path, deckTitle: deckTitle ?? file.stem, zone: zone).read(progress: progress)
        case .list: throw ImportError(path: path, reason: .unknownFormat)
        }
        return builder.finish(format: format, name: file.name, digest: try file.digest())
    }
}

extension ForeignFile {
    /// The name without its folders and its extension.
    var stem: String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }
}
