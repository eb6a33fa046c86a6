/// A format of dictionaries that can be read.
public enum DictionaryFormat: String, CaseIterable, Hashable, Sendable {
    /// An index and a text, as the server dictd and FreeDict have them: `.index` with `.dict` or `.dict.dz`.
    case dictd
    /// Lines of `one language :: another`, as the program Ding has them.
    case ding

    /// The format of a file by its name, or by how it begins; `nil` where neither tells.
    init?(name: String, beginning: [UInt8]) {
        if DictdFiles.endings.contains(where: { name.hasSuffix($0) }) {
            self = .dictd
            return
        }
        // The last line may be cut.
        let lines = beginning.split(separator: UInt8(ascii: "\n")).dropLast(beginning.count < Self.beginningBytes ? 0 : 1)
        guard let line = lines.first(where: { $0.first != UInt8(ascii: "#") }) else { return nil }
        guard DingLine.holdsSeparator(line) else { return nil }
        self = .ding
    }

    /// Enough of a file to tell its format.
    static let beginningBytes = 64 << 10
}
