internal import EventCoding
internal import Hashing

/// Reads a dictionary of the program Ding: `Haus {n} | Häuser {pl} :: house | houses`, a line an entry with its parts.
///
/// Each part becomes an entry, found by the words of both languages. Lines that begin with `#` tell of the dictionary.
enum DingFile {
    static func read(
        _ file: borrowing ForeignFile, name: String?, progress: ReadingProgress?
    ) throws(ImportError) -> ImportedDictionary {
        guard file.size <= DictionaryLimit.textBytes else {
            throw ImportError(path: file.path, reason: .tooLarge(limit: DictionaryLimit.textBytes))
        }
        let bytes = try file.bytes(count: file.size)
        var entries: [DictionaryEntry] = []
        var faults = DictionaryFaults()
        var headwords = 0
        var number = 0
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count {
            number += 1
            if number & 0x3FF == 0 { try progress?(start, bytes.count) }
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            var line = bytes[start..<end]
            start = end + 1
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }), line.first != UInt8(ascii: "#") else { continue }
            let first = entries.count
            if let fault = DingLine.read(line, into: &entries) {
                faults.add(fault, path: file.path, line: number)
                continue
            }
            for entry in entries[first...] { headwords += entry.headwords.count }
            guard headwords <= DictionaryLimit.headwords else {
                throw ImportError(path: file.path, reason: .damaged("it has more than \(DictionaryLimit.headwords) headwords"))
            }
        }
        return ImportedDictionary(format: .ding, name: name ?? file.stem, digest: sha256(bytes), entries: entries, faults: faults)
    }
}
