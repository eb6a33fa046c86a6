import ContentStore
import EventCoding
import Glibc
import LMDB
import Words

// Content databases whose records are made up: damaged bytes under wrong checksums, and any bytes under right ones.
//
// Of what was installed, nothing may be answered otherwise: a word or question is what it was, or there is an error. Nothing may trap,
// whatever the bytes are; and installing the same again cures all of it.

private struct Store {
    let environment: Environment
    let shelf: PackStore
    let index: WordIndex
}

private func id(_ number: UInt64) -> UniqueID { UniqueID(high: 7, low: number) }

private let pack = PackRecord(
    id: id(1), digest: .zero, reading: .zero, words: (10..<16).map(id), questions: (20..<26).map { (id($0), id($0 - 10)) },
    types: [.init(id: "all", title: "All", explanation: "", questions: [0, 1, 2, 3, 4, 5], refusal: nil)])

private let records: [(id: UniqueID, record: ContentRecord)] =
    (UInt64(10)..<16).map { (id($0), .word(.init(pack: id(1), word: "word \($0)", entry: "entry \($0)"))) }
    + (UInt64(20)..<26).map {
        (id($0), .question(.init(pack: id(1), item: id($0 - 10), prompt: "What is \($0)?", options: ["a", "b", "c"], right: Int($0 % 3))))
    }

private let entries = (UInt64(10)..<16).map { WordEntry(headwords: ["word \($0)", "other \($0)"], text: "entry \($0)", id: id($0)) }
private let names = ["packs", "content", "word_sources", "word_entries", "words", "word_keys"]

private let store: Store = {
    var template = Array("/dev/shm/engram-fuzz-content-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { fatalError("no temporary folder") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do {
        let environment = try Environment.open(
            path: folder + "/store", options: .init(folder: StoreFolder(guardFile: "fuzz.lock"), databases: names, mapSize: 1 << 24))
        return Store(environment: environment, shelf: try PackStore(environment), index: try WordIndex(environment))
    } catch { fatalError("\(error)") }
}()

private func install(_ transaction: inout WriteTransaction) throws(LMDBError) {
    try store.shelf.put(pack, records, &transaction)
    _ = try store.index.install(source: id(1), name: "Words", digest: .zero, entries: entries, &transaction)
}

/// The records of a database, in the order of their keys.
private func all(_ database: Database, _ transaction: borrowing ReadTransaction) throws(LMDBError) -> [(key: [UInt8], value: [UInt8])] {
    var found: [(key: [UInt8], value: [UInt8])] = []
    var cursor = try transaction.cursor(in: database)
    var isThere = try cursor.first()
    while isThere {
        found.append((cursor.key.copied(), cursor.value.copied()))
        isThere = try cursor.next()
    }
    return found
}

/// All records but the one that says by which rules keys were made: where that differs, they are made again.
private func everything(_ transaction: borrowing ReadTransaction) throws(LMDBError) -> [[UInt8]] {
    var bytes: [[UInt8]] = []
    for name in names {
        for (key, value) in try all(try store.environment.database(name), transaction) where key != Array("rules".utf8) {
            bytes += [key, value]
        }
    }
    return bytes
}

/// Each step takes four bytes: a database, a record, what to do, a value; then as many bytes as the value says.
/// - Returns: whether a record came that no single damage makes: nothing is said of what is answered then.
private func damage(_ bytes: [UInt8], _ transaction: inout WriteTransaction) throws(LMDBError) -> Bool {
    var (place, isForged) = (0, false)
    while place + 4 <= bytes.count {
        let name = names[Int(bytes[place]) % names.count]
        let database = try store.environment.database(name)
        let found = try all(database, transaction.reader)
        let (action, count) = (bytes[place + 2] % 4, Int(bytes[place + 3]))
        let made = Array(bytes[min(bytes.count, place + 4)..<min(bytes.count, place + 4 + count)])
        guard !found.isEmpty else { break }
        let (key, value) = found[Int(bytes[place + 1]) % found.count]
        place += 4
        switch action {
        case 0:
            // A byte is another.
            guard !value.isEmpty else { continue }
            var other = value
            other[count % value.count] ^= bytes[place - 1] | 1
            try transaction.put(key, other, in: database)
        case 1:
            // Any bytes under a right checksum: nothing can tell, and nothing may trap.
            place += made.count
            try transaction.put(key, Seal(of: name).sealed(made, under: key), in: database)
            isForged = true
        case 2:
            try transaction.delete(key, in: database)
            isForged = true
        default:
            place += made.count
            guard !made.isEmpty else { continue }
            try transaction.put(Array(made.prefix(300)), value, in: database)
            isForged = true
        }
    }
    return isForged
}

private func ask(_ transaction: borrowing ReadTransaction, mustBeRight: Bool) {
    for (id, right) in records {
        if let found = try? store.shelf.record(id, transaction), mustBeRight { precondition(found == right, "\(id) is \(found)") }
    }
    if let found = try? store.shelf.pack(id(1), transaction), mustBeRight { precondition(found == pack) }
    try? store.shelf.forEachWord(spelled: "word 11", transaction) { found, _ in
        if mustBeRight { precondition(found == id(11)) }
    }
    try? store.shelf.forEachRecord(in: id(0)...id(99), transaction) { _, _ in }
    for prefix in ["word", "other 1", "", "WORD 12 ", "x"] {
        guard let found = try? store.index.words(prefix: prefix, limit: 20, transaction), mustBeRight else { continue }
        for word in found { precondition(entries.contains { $0.headwords.contains(word.headword) && $0.text == word.text }, "\(word)") }
    }
    _ = try? store.index.word(id(11), transaction)
    _ = try? store.index.sources(transaction)
}

/// Damage under wrong and right checksums: no trap, no wrong answer, and a cure.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: min(count, 512)))
    do throws(TransactionError<LMDBError>) {
        // Nothing is kept: the write is taken back by the error at its end.
        try store.environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
            try install(&transaction)
            let before = try store.shelf.check(transaction.reader).count + store.index.check(transaction.reader).count
            precondition(before == 0, "what was just installed has findings")
            let untouched = try everything(transaction.reader)
            let isForged = try damage(bytes, &transaction)
            let isChanged = try everything(transaction.reader) != untouched
            let found = try store.shelf.check(transaction.reader).count + store.index.check(transaction.reader).count
            precondition(found > 0 || !isChanged || isForged, "a changed byte isn't found")
            ask(transaction.reader, mustBeRight: !isForged)
            try store.shelf.mend(&transaction)
            try store.index.mend(&transaction)
            try install(&transaction)
            let after = try store.shelf.check(transaction.reader).map(\.message) + store.index.check(transaction.reader).map(\.message)
            precondition(isForged || after.isEmpty, "installed again: \(after)")
            ask(transaction.reader, mustBeRight: !isForged)
            throw LMDBError(.inUse, operation: "", path: "")
        }
    } catch {
        guard case .body(let error) = error, case .inUse = error.fault else { fatalError("\(error)") }
    }
    return 0
}
