internal import EventCoding
internal import Hashing

extension ImportedList {
    /// A list is read whole: so large may one be.
    private static let maximumBytes = 64 << 20

    /// What the list at `path` says. Writes nothing, anywhere.
    ///
    /// - `isRaw`: whether cells are taken as they are: no ``FormulaMark`` is taken off.
    /// - `progress`: called now and then with how much is done of how much.
    /// Complexity: O(bytes).
    package static func read(
        path: String, isRaw: Bool = false, progress: ReadingProgress? = nil
    ) throws(ImportError) -> ImportedList {
        let file = try ForeignFile(path: path)
        guard file.size <= maximumBytes else { throw ImportError(path: path, reason: .tooLarge(limit: maximumBytes)) }
        let bytes = try file.bytes(count: file.size)
        if let found = ImportFormat(beginning: bytes), found == .anki { throw ImportError(path: path, reason: .otherFormat(wanted: .list)) }
        return try read(bytes, path: path, name: file.name, stem: file.stem, isRaw: isRaw, progress: progress)
    }

    /// What the list in `bytes` says; `path` names it in errors.
    package static func read(
        _ bytes: [UInt8], path: String, name: String, stem: String, isRaw: Bool = false,
        progress: ReadingProgress? = nil
    ) throws(ImportError) -> ImportedList {
        let text = try ListText.decode(bytes, path: path)
        return try ListReader(text, path: path, isRaw: isRaw).read(name: name, stem: stem, digest: sha256(bytes), progress: progress)
    }
}
