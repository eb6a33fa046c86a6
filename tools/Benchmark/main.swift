import Engram
import EventCoding
internal import EventCoding
import EventLog
import Foundation
import JSONText
import LMDB

/// One measure: ours beside its floor, and what must hold.
struct Measure {
    let key: String
    let what: String
    let unit: String
    let ours: Double
    let floor: Double?
    /// The largest allowed ratio, or the largest allowed value of ours where there is no floor.
    let must: Double

    var ratio: Double? { floor.map { ours / $0 } }
    var isRight: Bool { (ratio ?? ours) <= must }
}

let arguments = CommandLine.arguments.dropFirst()

func value(of option: String) -> String? {
    guard let place = arguments.firstIndex(of: option), place + 1 < arguments.endIndex else { return nil }
    return arguments[place + 1]
}

func talk(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

// The other process of a measure.
if let path = value(of: "--act-on") {
    try FeedMeasures.act(on: path)
    exit(0)
}
if let path = value(of: "--listen-to") {
    try FeedMeasures.listen(to: path, events: Int(value(of: "--events") ?? "1000000") ?? 0)
    exit(0)
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("engram-benchmark-\(UUID().uuidString)").path
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }

let events = Int(value(of: "--events") ?? "1000000") ?? 1_000_000
let runs = 5
var measures: [Measure] = []

talk("making \(events) events …")
let made = try BenchmarkStore(path: folder + "/store", eventCount: events, keepsRows: true)
let raw = try RawLog(copying: made.path, to: folder + "/raw")
let table = try ReviewTable(path: folder + "/reviews.sqlite", rows: made.rows)
let store = try StudyStore.open(at: made.path)

// Nothing but one measure, many times over: for a profiler.
switch value(of: "--profile") {
case "replay": for _ in 0..<30 { _ = try store.foldFromZero(at: BenchmarkStore.now) }
case "verify": for _ in 0..<8 { _ = try StudyStore.verify(at: made.path, level: .deep) }
default: break
}
if arguments.contains("--profile") { exit(0) }

talk("replay …")
let replay = try Clock.pair(runs) {
    _ = try store.foldFromZero(at: BenchmarkStore.now)
} _: {
    _ = try raw.scan()
}
measures.append(
    Measure(
        key: "full_replay", what: "full replay, all projections / raw cursor scan that reads every byte", unit: "s", ours: replay.ours,
        floor: replay.floor, must: 3))
let scans = try Clock.pair(runs) {
    _ = try store.foldFromZero(at: BenchmarkStore.now)
} _: {
    _ = try table.scan()
}
measures.append(
    Measure(
        key: "replay_vs_sqlite", what: "full replay / SQLite scan of the same reviews", unit: "s", ours: scans.ours, floor: scans.floor,
        must: 1))

talk("deep verification …")
let verification = try Clock.pair(runs) {
    let report = try StudyStore.verify(at: made.path, level: .deep)
    precondition(report.isSound, "the benchmark's store isn't sound: \(report.findings.prefix(3))")
} _: {
    _ = try raw.scanAndHash()
}
measures.append(
    Measure(
        key: "deep_verify", what: "deep verification, page walk included / raw scan + SHA-256 of the same commits", unit: "s",
        ours: verification.ours, floor: verification.floor, must: 3))

talk("durable reviews …")
var dice = SplitMix64(seed: 7)
var clock = BenchmarkStore.now
let durable = try Clock.pair(301) {
    clock.wallMilliseconds += 4000
    let card = made.cards[Int(dice.next() % UInt64(made.cards.count))]
    try store.perform(.review(card, .good, took: 2500), at: clock)
    _ = try store.card(card)
} _: {
    try raw.commit(bytes: 92)
}
measures.append(
    Measure(
        key: "durable_review", what: "one durable review, state readable / raw durable LMDB commit of the record", unit: "s",
        ours: durable.ours, floor: durable.floor, must: 1.25))

talk("the check before writing …")
let writer = folder + "/writer"
try FileManager.default.createDirectory(atPath: writer, withIntermediateDirectories: false)
// Nothing else: a copy of LMDB's lock file would drop the locks of this process.
for name in ["data.mdb", "commit.note"] { try FileManager.default.copyItem(atPath: made.path + "/" + name, toPath: writer + "/" + name) }
let checks = try (0..<21).map { _ in
    let options = Environment.Options(folder: CommitLog.storeFolder, databases: ["commits"], appended: ["commits"], createIfMissing: false)
    let environment = try Environment.open(path: writer, options: options)
    return try Clock.seconds { try environment.write { _ throws(Never) in } }
}
measures.append(
    Measure(
        key: "check_before_writing", what: "check of the pages that a write goes by, once a process", unit: "ms",
        ours: Clock.median(checks) * 1000, floor: nil, must: 0.5))
let inserts = try (0..<101).map { number in try Clock.seconds { try table.add(made.rows[number]) } }

let size = try raw.size()
measures.append(
    Measure(
        key: "bytes_a_review", what: "bytes an event in the log, LMDB's overhead included", unit: "bytes",
        ours: Double(size.bytes) / Double(events), floor: nil, must: 110))

talk("the change feed …")
measures += try FeedMeasures(program: CommandLine.arguments[0], path: made.path, events: events, folder: folder).measures()

if let engram = value(of: "--engram") {
    talk("whole processes …")
    let now = ["--store", made.path, "--now", BenchmarkStore.now.iso]
    _ = try ChildProcess.run(engram, ["due", "--json"] + now)
    let due = try Clock.pair(runs) {
        _ = try ChildProcess.run(engram, ["due", "--json"] + now)
    } _: {
        _ = try ChildProcess.run(engram, ["--version"])
    }
    measures.append(
        Measure(key: "due_process", what: "engram due --json, the whole process", unit: "ms", ours: due.ours * 1000, floor: nil, must: 15))
    talk("  (starting the program alone: \(Int(due.floor * 1e6)) µs)")
    let memory = try ChildProcess.run(engram, ["replay", "--json"] + now, samplesMemory: true)
    measures.append(
        Measure(
            key: "replay_memory", what: "peak resident in engram replay, the mapped file aside", unit: "MB",
            ours: Double(memory.anonymousBytes) / 1e6, floor: nil, must: 150))
    if let package = value(of: "--apkg") {
        let times = try (0..<runs).map { number in
            let path = folder + "/import-\(number)"
            _ = try ChildProcess.run(engram, ["init", "--store", path])
            return try ChildProcess.run(engram, ["import", package, "--store", path, "--zone", "UTC"]).seconds
        }
        measures.append(
            Measure(
                key: "import_apkg", what: "import of an Anki package of 100,000 reviews, the whole process", unit: "s",
                ours: Clock.median(times), floor: nil, must: 0.5))
    }
}

if let engram = value(of: "--engram") {
    talk("one card of many …")
    measures += try OpeningMeasures(engram: engram, folder: folder).measures()
    talk("the apps …")
    measures += try AppMeasures(engram: engram, folder: folder, pack: value(of: "--pack"), dictionary: value(of: "--ding")).measures()
}

if arguments.contains("--ten-million") {
    talk("making \(events * 10) events …")
    let large = try BenchmarkStore(path: folder + "/large", eventCount: events * 10, keepsRows: false)
    let largeStore = try StudyStore.open(at: large.path)
    let times = try Clock.pair(runs) {
        _ = try largeStore.foldFromZero(at: BenchmarkStore.now)
    } _: {
        _ = try store.foldFromZero(at: BenchmarkStore.now)
    }
    measures.append(
        Measure(
            key: "ten_million", what: "time an event at ten times the events / at these", unit: "ns",
            ours: times.ours / Double(events * 10) * 1e9,
            floor: times.floor / Double(events) * 1e9, must: 1.5))
    if let engram = value(of: "--engram") {
        let memory = try ChildProcess.run(
            engram, ["replay", "--json", "--store", large.path, "--now", BenchmarkStore.now.iso], samplesMemory: true)
        talk("  (peak resident in a replay of it: \(memory.anonymousBytes / 1_000_000) MB)")
    }
}

Report(measures: measures, events: events, sqliteInsertSeconds: Clock.median(inserts)).print(
    asJSON: arguments.contains("--json"), documentation: value(of: "--write-docs"))
