internal import ContentStore
internal import EventCoding
internal import EventLog
internal import LMDB
internal import Words

extension StudyStore {
    /// Carries over what a damaged file holds of packs and dictionaries, as far as it is what was written. A pack or dictionary that isn't whole is
    /// left out, so that installing its file again is all that it needs. Records without checksums can't be proved, and stay behind.
    static func carryContent(from file: RawFile, into log: CommitLog) throws(LogError) {
        let (shelf, index): (PackStore, WordIndex)
        do throws(LMDBError) { (shelf, index) = (try PackStore(log.environment), try WordIndex(log.environment)) } catch {
            throw .storage(error)
        }
        try log.write { (transaction: inout WriteTransaction) throws(LogError) in
            do throws(LMDBError) {
                for name in Self.companionDatabases {
                    let (database, seal) = (try log.environment.database(name), Seal(of: name))
                    for (key, value) in RecordScan(of: name, in: file).records {
                        // By which rules keys were made is believed: where that isn't so, they are made again.
                        guard !key.isEmpty, key.count <= 511,
                            seal.open(value.rawSpan, under: key.rawSpan) != nil || key == Array("rules".utf8)
                        else { continue }
                        try transaction.put(key, value, in: database)
                    }
                }
                try shelf.mend(&transaction)
                try index.mend(&transaction)
                for finding in try shelf.check(transaction.reader) {
                    if let pack = finding.pack { try shelf.remove(pack, &transaction) }
                }
                for finding in try index.check(transaction.reader) {
                    if let source = finding.source { try index.remove(source: source, &transaction) }
                }
            } catch { throw .storage(error) }
        }
    }
}
