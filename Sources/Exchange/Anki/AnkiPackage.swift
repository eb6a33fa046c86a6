internal import Archive
internal import SQLite

/// Finds the collection in an Anki file of whatever generation, by what is in it.
enum AnkiPackage {
    /// The newest layout of packages that is known.
    private static let newestVersion = 3
    private static let notes = "meta"
    /// Newer before older: newer packages carry an old collection that only says “please update”.
    private static let collections = ["collection.anki21b", "collection.anki21", "collection.anki2"]

    /// Opens the collection in the file at `path`, which begins with `header`.
    static func openCollection(_ path: String, beginning header: [UInt8]) throws(ImportError) -> AnkiCollection {
        if header.starts(with: SQLiteDatabase.magic) {
            do throws(SQLiteError) {
                return AnkiCollection(try SQLiteDatabase.open(path: path), path: path)
            } catch {
                throw ImportError(error, path: path)
            }
        }
        if header.starts(with: Zstandard.magic) { return try open(packed: try readAll(path), path: path, member: nil) }
        let (member, content) = try readMember(of: path)
        if content.starts(with: Zstandard.magic) { return try open(packed: content, path: path, member: member) }
        return try open(image: content, path: path, member: member)
    }

    private static func open(packed: [UInt8], path: String, member: String?) throws(ImportError) -> AnkiCollection {
        let image: [UInt8]
        do throws(ArchiveError) {
            image = try Zstandard.decompress(packed, path: path, member: member)
        } catch {
            throw ImportError(error)
        }
        return try open(image: image, path: path, member: member)
    }

    private static func open(image: [UInt8], path: String, member: String?) throws(ImportError) -> AnkiCollection {
        do throws(SQLiteError) {
            let database = try unsafe SQLiteDatabase.open(bytes: image.span.bytes, name: path)
            return AnkiCollection(database, path: path, member: member)
        } catch {
            throw ImportError(error, path: path, member: member)
        }
    }

    private static func readAll(_ path: String) throws(ImportError) -> [UInt8] {
        let limit = ArchiveLimits().bytes
        let file = try ForeignFile(path: path)
        guard file.size <= limit else { throw ImportError(path: path, reason: .tooLarge(limit: limit)) }
        return try file.bytes(count: file.size)
    }

    /// The collection's member of the package at `path`, and its bytes.
    private static func readMember(of path: String) throws(ImportError) -> (member: String, content: [UInt8]) {
        let archive = try openArchive(path)
        // The old collection beside a new one is a stand-in: a package without the new one is damaged, not old.
        var candidates = collections
        if archive.contains(notes) {
            candidates = Array(collections.prefix(newestVersion - (try version(path, try read(notes, of: archive))) + 1))
        }
        guard let member = candidates.first(where: { archive.contains($0) }) else {
            throw ImportError(path: path, place: .member(candidates[candidates.count - 1]), reason: .missing("the collection"))
        }
        return (member, try read(member, of: archive))
    }

    private static func openArchive(_ path: String) throws(ImportError) -> ZipArchive {
        do throws(ArchiveError) { return try ZipArchive(path: path) } catch { throw ImportError(error) }
    }

    private static func read(_ member: String, of archive: borrowing ZipArchive) throws(ImportError) -> [UInt8] {
        do throws(ArchiveError) { return try archive.read(member) } catch { throw ImportError(error) }
    }

    /// The package's layout, 1 to 3, as its notes say.
    private static func version(_ path: String, _ bytes: [UInt8]) throws(ImportError) -> Int {
        let value: ProtobufReader.Value?
        do throws(ProtobufReader.ProtobufError) {
            value = try ProtobufReader.value(of: 1, in: bytes)
        } catch {
            throw ImportError(path: path, place: .member(notes), reason: .damaged("no message at offset \(error.offset)"))
        }
        guard case .number(let number) = value, number > 0 else {
            throw ImportError(path: path, place: .member(notes), reason: .missing("the version"))
        }
        guard number <= UInt64(newestVersion) else {
            throw ImportError(path: path, place: .member(notes), reason: .tooNew(version: Int(clamping: number)))
        }
        return Int(number)
    }
}
