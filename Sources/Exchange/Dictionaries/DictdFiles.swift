internal import Archive
internal import EventCoding
internal import Hashing

/// The two files of a dictd dictionary.
///
/// A line of the index has a headword, the offset and the length of its entry in the text, both in digits of base 64, and
/// in newer ones a fourth column with the headword as it is written: the first is mostly without case and punctuation.
/// Headwords that begin with `00-database-` or `00database` tell of the dictionary itself.
struct DictdFiles {
    static let endings = [".index", ".dict", ".dict.dz"]

    let indexPath: String
    /// Where the text may lie; the first that is there counts.
    private let textPaths: [String]

    /// The files, of which one is at `path`.
    init(path: String) throws(ImportError) {
        guard let ending = Self.endings.first(where: { path.hasSuffix($0) }) else {
            throw ImportError(path: path, reason: .missing("the ending of a dictd file (.index, .dict or .dict.dz)"))
        }
        let stem = String(path.dropLast(ending.count))
        indexPath = stem + ".index"
        textPaths = ending == ".index" ? [stem + ".dict.dz", stem + ".dict"] : [path]
    }

    func read(
        name: String?, progress: ReadingProgress?
    ) throws(ImportError) -> ImportedDictionary {
        let index = try Self.bytes(of: indexPath, limit: DictionaryLimit.indexBytes)
        let (text, textPath) = try readText()
        var reader = DictdReader(index: index, text: text, indexPath: indexPath, textPath: textPath)
        try reader.read(progress: progress)
        var seed = ByteWriter()
        seed.write(sha256(index))
        seed.write(sha256(text))
        let stem = String((indexPath.split(separator: "/").last ?? "").dropLast(".index".count))
        return ImportedDictionary(
            format: .dictd, name: name ?? reader.name ?? stem, digest: sha256(seed.bytes), entries: reader.entries, faults: reader.faults)
    }

    /// The text, unpacked.
    private func readText() throws(ImportError) -> (bytes: [UInt8], path: String) {
        var firstError: ImportError?
        for path in textPaths {
            let packed: [UInt8]
            do throws(ImportError) { packed = try Self.bytes(of: path, limit: DictionaryLimit.textBytes) } catch {
                firstError = firstError ?? error
                continue
            }
            guard packed.starts(with: Gzip.magic) else { return (packed, path) }
            do throws(ArchiveError) {
                return (try Gzip.decompress(packed, limits: ArchiveLimits(bytes: DictionaryLimit.textBytes), path: path), path)
            } catch { throw ImportError(error) }
        }
        throw firstError ?? ImportError(path: indexPath, reason: .missing("the text of the dictionary"))
    }

    private static func bytes(of path: String, limit: Int) throws(ImportError) -> [UInt8] {
        let file = try ForeignFile(path: path)
        guard file.size <= limit else { throw ImportError(path: path, reason: .tooLarge(limit: limit)) }
        return try file.bytes(count: file.size)
    }
}
