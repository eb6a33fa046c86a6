import Engram
import EventCoding
import EventLog
import Glibc
import Hashing
import LMDB

private let folder: String = {
    var template = Array("/dev/shm/engram-fuzz-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { fatalError("no temporary folder") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}()

private let moment = ZonedTime(wallMilliseconds: 1_893_499_200_000, zoneMinutes: 0)
private nonisolated(unsafe) var inputs = 0
private nonisolated(unsafe) var store = freshStore()

/// The other device's log, whose commits are whatever the input makes them.
private let source: CommitLog = {
    do {
        return try CommitLog.create(path: folder + "/source", origin: OriginID(rawValue: 7), companions: StudyStore.companionDatabases)
    } catch { fatalError("\(error)") }
}()

private func freshStore() -> StudyStore {
    do {
        let store = try StudyStore.create(at: folder + "/store \(inputs)")
        let deck = try store.perform(.createDeck(title: "own", colour: nil), at: moment).subject
        try store.perform(.createCard(deck: deck, front: "front", back: "back"), at: moment)
        return store
    } catch { fatalError("\(error)") }
}

/// Bytes as what another device sends, merged into a store that has something: commits, the checksums and digests of which are mended
/// where the first byte says so, or lines. Nothing may trap; an error is wrong input; and the store goes on verifying.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let mode = bytes.first else { return 0 }
    inputs += 1
    do throws(StoreError) {
        if mode & 4 != 0 {
            var lines = bytes.dropFirst().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)[...]
            _ = try store.importLog(path: "lines", at: moment) { lines.popFirst() }
        } else {
            fill(commits(bytes.dropFirst(), mendsChecksums: mode & 1 != 0, mendsDigests: mode & 2 != 0))
            _ = try store.merge(with: source.path, at: moment)
        }
    } catch {
        guard [.badInput, .damagedInput, .badValue, .momentOutOfRange, .textTooLong].contains(error.code) else { fatalError("\(error)") }
    }
    if inputs % 32 == 0 { verify() }
    return 0
}

/// Records of the input: two bytes of length, then a commit.
private func commits(_ bytes: ArraySlice<UInt8>, mendsChecksums: Bool, mendsDigests: Bool) -> [[UInt8]] {
    var rest = bytes
    var result: [[UInt8]] = []
    var heads: [UInt64: SHA256Digest] = [:]
    var hasher = SHA256Hasher()
    while rest.count > 2, result.count < 64 {
        let length = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
        var commit = Array(rest.dropFirst(2).prefix(length))
        rest = rest.dropFirst(2 + length)
        let header = try? Commit.header(of: commit.span.bytes)
        var offset = header?.framesOffset ?? commit.count
        let origin = commit.count >= offset + 24 ? (16..<24).reduce(0 as UInt64) { $0 << 8 | UInt64(commit[offset + $1]) } : 0
        while mendsChecksums, let length = try? EventFrame.length(at: offset, of: commit.span.bytes) {
            let sum = UInt32(truncatingIfNeeded: fastChecksum(commit[(offset + 4)..<(offset + length)].span.bytes))
            for index in 0..<4 { commit[offset + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
            offset += length
        }
        if mendsDigests, commit.count >= 32 {
            let digest = Commit.digest(of: commit.span.bytes, after: heads[origin] ?? .zero, with: &hasher)
            commit.replaceSubrange(0..<32, with: digest.bytes)
            heads[origin] = digest
        }
        result.append(commit)
    }
    return result
}

private func fill(_ commits: [[UInt8]]) {
    do throws(LogError) {
        try source.write { (transaction: inout WriteTransaction) throws(LogError) in
            do throws(LMDBError) {
                let database = try source.environment.database("commits")
                try transaction.deleteAll(in: database)
                for (index, commit) in commits.enumerated() where !commit.isEmpty {
                    try transaction.put(UInt64(index + 1), commit, in: database)
                }
            } catch { throw .storage(error) }
        }
    } catch { fatalError("\(error)") }
}

private func verify() {
    do {
        let report = try StudyStore.verify(at: store.path, level: .deep)
        // Another device may say that a pack is installed whose file never came here.
        let findings = report.findings.filter { !["content_missing", "content_differs"].contains($0.kind) }
        guard findings.isEmpty else { fatalError("\(findings)") }
        guard inputs % 512 == 0 else { return }
        let old = store.path
        store = freshStore()
        for name in ["data.mdb", "lock.mdb", "writer", "made"] { unlink(old + "/" + name) }
        rmdir(old)
    } catch { fatalError("\(error)") }
}
