internal import EventCoding
internal import EventLog
internal import StudyModel

/// What another log brings, read and judged before the store's write lock is taken.
///
/// Commits come by ``take(_:at:)``, then those that are held aside there and here; what is new waits in a spool.
final class Incoming {
    /// What waits to be written.
    enum Item {
        /// A commit that is new, fits, and follows on what is here.
        case commit([UInt8])
        /// A commit that was held aside here, and fits now; where it lies.
        case released([UInt8], key: [UInt8])
        case aside(HeldCommit)
    }

    /// The other store or file.
    let path: String
    private var chains: ForeignChains
    private var upgrade = CommitUpgrade { StudyEvent.erasableByteCount(type: $0.type, version: $0.version, payload: $1) }
    private let spool: Spool
    /// What is held aside in a file, until all of its log was taken.
    private let later: Spool
    private(set) var knownEvents = 0
    var refusals: [OriginRefusal] { chains.refusals }
    var isEmpty: Bool { spool.count == 0 }

    init(
        path: String, known: LogHeads, spools: () -> Spool, ownDigest: @escaping (OriginID, UInt64) throws(LogError) -> SHA256Digest?
    ) {
        self.path = path
        (spool, later) = (spools(), spools())
        chains = ForeignChains(known: known, verdict: StudyStore.verdict(on:payload:), ownDigest: ownDigest)
    }

    /// Takes the next commit of the other log; `place` says where it lies there.
    func take(_ commit: RawSpan, at place: String) throws(StoreError) {
        let upgraded: [UInt8]?
        do throws(LogError) { upgraded = try upgrade.takeIfOlder(commit, sequence: 0) } catch {
            guard case .malformed(_, let fault) = error else { throw StoreError(error, path: path) }
            throw wrong(place, fault)
        }
        let outcome: ForeignChains.Outcome
        do throws(ForeignError) {
            if let upgraded { outcome = try chains.take(upgraded.rawSpan) } else { outcome = try chains.take(commit) }
        } catch {
            switch error {
            case .malformed(let fault): throw wrong(place, fault)
            case .missing(let origin, let number):
                throw .badInput(path: path, place: place, why: "commit \(number) of origin \(origin) is missing before it")
            }
        }
        switch outcome {
        case .known(let events): knownEvents += events
        case .new: try spool(.commit(upgraded ?? commit.copied()))
        case .aside(let held): try spool(.aside(held))
        case .refused: break
        }
    }

    /// Takes a commit that is held aside in the other log.
    func take(aside held: HeldCommit) throws(StoreError) {
        switch chains.take(aside: held) {
        case .new: try spool(.commit(held.bytes))
        case .aside(let held): try spool(.aside(held))
        case .known, .refused: break
        }
    }

    /// Keeps a commit that is held aside in the other log until ``takeKept()``.
    func keep(aside held: HeldCommit) throws(StoreError) { try later.append(Self.record(.aside(held))) }

    /// Takes the commits that were kept, once all of the other log was taken.
    func takeKept() throws(StoreError) {
        while let record = try later.next() {
            if case .aside(let held) = try read(record) { try take(aside: held) }
        }
    }

    /// Takes a commit that is held aside here: perhaps it fits by now.
    func take(ownAside held: HeldCommit, key: [UInt8]) throws(StoreError) {
        switch chains.take(aside: held) {
        case .new: try spool(.released(held.bytes, key: key))
        case .aside, .known, .refused: break
        }
    }

    /// Of the origins of which the other log has less than this one, how far it goes; ends with ``compare(_:)``.
    var shorter: [OriginID: OriginHead] { chains.shorter }

    /// Refuses the origins in whose shorter chain the other log has another commit than this one.
    func compare(_ own: [OriginID: SHA256Digest]) {
        for (origin, head) in shorter.sorted(by: { $0.key < $1.key }) where own[origin] != head.digest {
            chains.refuse(.forked(origin, commit: head.commits))
        }
    }

    private func wrong(_ place: String, _ fault: ByteError) -> StoreError {
        .badInput(path: path, place: place + ", byte \(fault.offset)", why: "isn't what was written (\(fault.kind.rawValue))")
    }

    // MARK: - The spool

    private func spool(_ item: Item) throws(StoreError) { try spool.append(Self.record(item)) }

    private static func record(_ item: Item) -> [UInt8] {
        var writer = ByteWriter()
        switch item {
        case .commit(let bytes):
            writer.write(0 as UInt8)
            writer.write(bytes: bytes)
        case .released(let bytes, let key):
            writer.write(1 as UInt8)
            writer.writeCounted(bytes: key)
            writer.write(bytes: bytes)
        case .aside(let held):
            writer.write(2 as UInt8)
            writer.write(held.origin.rawValue)
            writer.write(held.number)
            writer.writeText(held.reason)
            writer.writeText(held.message)
            writer.write(bytes: held.bytes)
        }
        return writer.bytes
    }

    /// Begins again with the first item.
    func rewind() { spool.rewind() }

    /// The next item, in the order in which they came; `nil` after the last one.
    func next() throws(StoreError) -> Item? {
        guard let record = try spool.next() else { return nil }
        return try read(record)
    }

    private func read(_ record: [UInt8]) throws(StoreError) -> Item {
        do throws(ByteError) { return try Self.item(record) } catch {
            throw .storage(path: path, operation: "read a temporary file", why: error.kind.rawValue)
        }
    }

    private static func item(_ record: [UInt8]) throws(ByteError) -> Item {
        var reader = ByteReader(record.rawSpan)
        switch try reader.readUInt8() {
        case 0: return .commit(try reader.readBytes(reader.remaining).copied())
        case 1:
            let key = try reader.readCountedBytes(limit: 512).copied()
            return .released(try reader.readBytes(reader.remaining).copied(), key: key)
        default:
            let (origin, number) = (OriginID(rawValue: try reader.readUInt64()), try reader.readUInt64())
            let (reason, message) = (try reader.readText(limit: 1 << 16), try reader.readText(limit: 1 << 16))
            return .aside(
                HeldCommit(
                    origin: origin, number: number, reason: reason, message: message, bytes: try reader.readBytes(reader.remaining).copied()
                ))
        }
    }
}
