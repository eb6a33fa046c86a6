internal import ContentStore
internal import EventCoding
internal import EventLog
internal import LMDB
internal import StudyProjections
internal import Words

/// What was found of content.
private struct ContentCheck: Sendable {
    private(set) var damaged: [(pack: UniqueID?, message: String)] = []
    private(set) var packs: [(PackState, PackView.Content)] = []
    let names: [UniqueID: String]
    let isCompared: Bool

    init(
        _ shelf: PackStore, _ index: WordIndex, _ state: StudyState?, _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        isCompared = state != nil
        names = Dictionary((state?.knownPacks ?? []).map { ($0.id, $0.name) }) { first, _ in first }
        damaged += try shelf.check(transaction).map { ($0.pack, $0.message) }
        damaged += try index.check(transaction).map { ($0.source, $0.message) }
        for pack in (state?.installedPacks ?? []).sorted(by: { $0.id < $1.id }) {
            packs.append((pack, try StudyStore.content(of: pack, shelf, index, transaction)))
        }
    }
}

/// What a verification says of content and of databases: what no digest of the log vouches for.
extension StudyStore {
    /// Holds the content of packs and dictionaries against its checksums, and against what the log says is installed.
    static func verifyContent(of log: CommitLog, _ report: inout VerifyReport) throws(LogError) {
        let found = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
            // Where the log can't be folded, something else is said of that.
            var state: StudyState?
            if var live = try? LiveProjection(log, transaction, from: StudyState()), (try? live.catchUp(log, transaction)) != nil {
                state = live.state
            }
            return try storage(ContentCheck(PackStore(log.environment), WordIndex(log.environment), state, transaction))
        }
        if !found.isCompared { report.remarks.append("content wasn't held against the log, which can't be folded") }
        for finding in found.damaged {
            report.add("content_damaged", at: finding.pack.map { name($0, found.names) } ?? "content", finding.message)
        }
        for (pack, content) in found.packs {
            let place = name(pack.id, [pack.id: pack.name])
            switch content {
            case .here, .damaged: break
            case .missing:
                report.add(
                    "content_missing", at: place,
                    "the log says that it is installed, and its words and questions aren't here; installing its file brings them")
            case .other:
                report.add(
                    "content_differs", at: place,
                    "the log says that the version \(pack.digest) is installed, and another one is here; installing its file brings it")
            }
        }
    }

    private static func name(_ id: UniqueID, _ names: [UniqueID: String]) -> String {
        names[id].map { $0.isEmpty ? "pack \(id)" : "pack \(id) (\($0))" } ?? "pack \(id)"
    }

    /// A database whose name was changed is one that is missing and one that nobody knows.
    static func noteDatabases(_ check: PageCheck, _ report: inout VerifyReport) {
        guard let newest = check.snapshots.first else { return }
        let names = Set(newest.trees.compactMap { $0.name.map { String(decoding: $0, as: UTF8.self) } })
        let missing = CommitLog.databaseNames(with: Self.companionDatabases).filter { !names.contains($0) }
        let unknown = names.subtracting(CommitLog.databaseNames(with: Self.companionDatabases)).sorted()
        // A newer program's store has all that this one knows, and more.
        guard !missing.isEmpty, !unknown.isEmpty else { return }
        for name in unknown {
            report.add(
                "unknown_database", at: "database \(name)",
                "nobody knows it, and \(missing.joined(separator: ", ")) is missing: its name was changed")
        }
    }
}
