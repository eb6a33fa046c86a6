import Glibc
import LMDB

private let folder = "/dev/shm/engram-fuzz-writes-\(getpid())"
private let storeFolder = StoreFolder(guardFile: "fuzz.lock")
private let databases = ["actions", "blocks", "log"]
private let page = 4096

/// A sound store and the note beside it: what inputs are changes of.
private let sound: (data: [UInt8], note: [UInt8]) = {
    do { return try make() } catch { fatalError("no store: \(error)") }
}()

/// The entries of the log in the sound store.
private let soundEntries: Set<[UInt8]> = {
    remove()
    mkdir(folder, 0o700)
    write(sound.data, to: folder + "/data.mdb")
    return Set(log())
}()

private func make() throws -> (data: [UInt8], note: [UInt8]) {
    remove()
    let environment = try Environment.open(
        path: folder, options: .init(folder: storeFolder, databases: databases, appended: ["log"], mapSize: 1 << 26))
    let (log, blocks, actions) = (
        try environment.database("log"), try environment.database("blocks"), try environment.database("actions")
    )
    for commit in 1...40 as ClosedRange<UInt64> {
        try environment.write { transaction throws(LMDBError) in
            for number in 0..<6 as Range<UInt64> {
                let size = number == 0 && commit % 10 == 0 ? 5000 : 150
                try transaction.put(commit * 10 + number, [UInt8](repeating: UInt8(commit), count: size), in: log, mode: .append)
            }
            if commit % 4 == 0 { try transaction.put([UInt8(truncatingIfNeeded: commit &* 37), 2, 3, 4], [1], in: actions) }
            if commit == 15 || commit == 30 || commit == 38 {
                try transaction.deleteAll(in: blocks)
                for block in 0..<(commit == 38 ? 3 : UInt64(20)) {
                    try transaction.put(block, [UInt8](repeating: 9, count: 5000), in: blocks, mode: .append)
                }
            }
        }
    }
    return (contents(folder + "/data.mdb"), contents(folder + "/commit.note"))
}

/// A data file with lies in it that is then written to: the write is refused, or the log is what it was and one entry longer, and the
/// pages of the file account for each other. An input is a list of changes, each of a page, a place in it, how many bytes, and which.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = input.first else { return 0 }
    let entries = soundEntries
    var data = sound.data
    change(&data, input.dropFirst())
    remove()
    mkdir(folder, 0o700)
    write(data, to: folder + "/data.mdb")
    write(Array("made\n".utf8), to: folder + "/" + storeFolder.guardFile)
    if choice & 1 == 0 { write(sound.note, to: folder + "/commit.note") }
    // What an opener reads without a check, the main tree, is looked at first: opening isn't what is tried here.
    guard (try? StoreCheck.checkPages(of: [], in: folder)) != nil else { return 0 }
    let before = log()
    let isWritten = (try? act(choice)) != nil
    let after = log()
    // Entries that were whole stay; where nothing was written, nothing has changed. One whose own header lies may lead anywhere: its
    // bytes were no entry of the log before either.
    guard Set(after).isSuperset(of: before.filter(entries.contains)) else { fatalError("entries of the log are gone") }
    if !isWritten, contents(folder + "/data.mdb") != data, choice & 6 != 0 { fatalError("refused, and written") }
    return 0
}

private func act(_ choice: UInt8) throws {
    let options = Environment.Options(
        folder: storeFolder, databases: databases, appended: ["log"], mapSize: 1 << 26, createIfMissing: false)
    let environment = try Environment.open(path: folder, options: options)
    let (log, blocks) = (try environment.database("log"), try environment.database("blocks"))
    if choice & 2 == 0 {
        for number in 0..<3 as Range<UInt64> {
            try environment.write { transaction throws(LMDBError) in
                try transaction.put(1_000_000 + number, [UInt8](repeating: 7, count: 300), in: log, mode: .append)
            }
        }
    }
    if choice & 4 == 0 {
        try environment.write { transaction throws(LMDBError) in
            try transaction.deleteAll(in: blocks)
            for block in 0..<4 as Range<UInt64> {
                try transaction.put(block, [UInt8](repeating: 9, count: 5000), in: blocks, mode: .append)
            }
        }
        // All pages were walked, so all of them are right still.
        let check = try PageCheck.run(dataPath: folder + "/data.mdb", snapshots: .newest)
        guard check.findings.allSatisfy({ $0.kind == .leakedPages }) else { fatalError("a write left \(check.findings)") }
    }
}

/// The entries of the log that plain reads find in the newest state, each with its key and bytes.
private func log() -> [[UInt8]] {
    guard let file = try? RawFile(folder) else { return [] }
    let scan = TreeScan(of: "log", in: file)
    guard scan.isWhole else { return [] }
    return scan.values.map { value in
        let key = [UInt8(truncatingIfNeeded: value.key), UInt8(truncatingIfNeeded: value.key >> 8)]
        return key + file.bytes(at: value.offset, count: value.length)
    }
}

private func change(_ data: inout [UInt8], _ input: ArraySlice<UInt8>) {
    var rest = input
    let pages = data.count / page
    while rest.count >= 5 {
        let head = Array(rest.prefix(4))
        rest = rest.dropFirst(4)
        // Headers and the entries that a page begins with are where lies are told; the rest of a page by its end.
        let number = Int(head[0]) % pages
        let offset = head[1] & 0x80 == 0 ? Int(head[1]) * 2 : page - 2 - (Int(head[1] & 0x7F) << 8 | Int(head[2])) % page
        for (index, byte) in rest.prefix(1 + Int(head[3] & 7)).enumerated() {
            let place = number * page + max(0, offset) + index
            if place < data.count { data[place] = byte }
        }
        rest = rest.dropFirst(1 + Int(head[3] & 7))
    }
}

private func remove() {
    for name in ["data.mdb", "lock.mdb", storeFolder.guardFile, "writer.lock", "commit.note"] { unlink(folder + "/" + name) }
}

private func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0, unsafe bytes.withUnsafeBytes({ unsafe Glibc.write(file, $0.baseAddress, $0.count) }) == bytes.count else {
        fatalError("no file")
    }
    close(file)
}

private func contents(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 21)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    return Array(bytes.prefix(max(0, count)))
}
