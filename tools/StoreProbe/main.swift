import Engram

/// Looks at many stores in one process, for tests that damage them by the thousand.
///
/// Reads lines of a word and a folder from standard input and answers each with a line of JSON: `verify` says what a deep
/// verification finds, `read` what the store holds, `ask` what it answers to each question, `write` answers a card. Where the process dies
/// of a store, whoever drives it knows which one it was.
let moment = ZonedTime(wallMilliseconds: 1_893_499_200_000, zoneMinutes: 0)

extension JSONWriter {
    mutating func member(_ name: String, _ value: String) {
        key(name)
        self.value(value)
    }

    mutating func member(_ name: String, _ value: Int) {
        key(name)
        self.value(Int64(value))
    }
}

func verify(_ path: String, _ answer: inout JSONWriter) throws(StoreError) {
    let report = try StudyStore.verify(at: path, level: .deep)
    answer.member("findings", report.findingCount)
    answer.key("kinds")
    answer.beginArray()
    for kind in Set(report.findings.map(\.kind)).sorted() { answer.value(kind) }
    answer.endArray()
    if let finding = report.findings.first { answer.member("first", "\(finding.place): \(finding.message)") }
}

/// Everything that the store tells, as digests, so that one line can be held against another.
func read(_ path: String, _ answer: inout JSONWriter) throws(StoreError) {
    let store = try StudyStore.open(at: path, readOnly: true)
    var hasher = SHA256Hasher()
    var events = 0
    var commits: UInt64 = 0
    try store.exportLog { line in
        hasher.update(line)
        hasher.update([10])
        events += 1
        return true
    }
    try store.events { event in
        commits = event.sequence
        return true
    }
    answer.member("events", events)
    answer.member("commits", Int(clamping: commits))
    answer.member("log", "\(hasher.finish())")
    answer.member("state", "\(try store.digest())")
    let replay = try store.replay(at: moment)
    answer.member("replayed", "\(replay.digest)")
    hasher.update(Array("\(replay.statistics)".utf8))
    answer.member("replayed_statistics", "\(hasher.finish())")
}

/// Each question that a person may ask, with the digest of its answer or the error that came in place of it.
func ask(_ path: String, _ answer: inout JSONWriter) throws(StoreError) {
    let store = try StudyStore.open(at: path, readOnly: true)
    let questions: [(String, () throws(StoreError) -> String)] = [
        ("due", { () throws(StoreError) in "\(try store.due(at: moment))" }),
        ("cards", { () throws(StoreError) in "\(try store.cards()) \(try store.decks(at: moment))" }),
        ("statistics", { () throws(StoreError) in "\(try store.statistics(at: moment))" }),
        ("timelines", { () throws(StoreError) in try timelines(store) }),
        ("log", { () throws(StoreError) in try log(store) }),
    ]
    var hasher = SHA256Hasher()
    for (name, question) in questions {
        do throws(StoreError) {
            hasher.update(Array(try question().utf8))
            answer.member(name, "\(hasher.finish())")
        } catch { answer.member(name, "error: \(error)") }
    }
}

/// The lives of some of the cards, those with the most to tell among them.
func timelines(_ store: StudyStore) throws(StoreError) -> String {
    var lives = ""
    for card in try store.cards().sorted(by: { $0.passed + $0.failed > $1.passed + $1.failed }).prefix(10) {
        lives += "\(try store.timeline(of: card.id))"
    }
    return lives
}

/// The whole log in its open form, as a digest and a count.
func log(_ store: StudyStore) throws(StoreError) -> String {
    var hasher = SHA256Hasher()
    var events = 0
    try store.exportLog { line in
        hasher.update(line)
        hasher.update([10])
        events += 1
        return true
    }
    return "\(events) \(hasher.finish())"
}

/// Answers a card, reads it back, and takes a checkpoint: the store must go on.
func write(_ path: String, _ answer: inout JSONWriter) throws(StoreError) {
    let store = try StudyStore.open(at: path)
    guard let card = try store.cards().first(where: \.isLive) else { return answer.member("event", "none") }
    let result = try store.perform(.review(card.id, .good, took: 1000), at: moment)
    let after = try store.card(card.id)
    answer.member("event", result.events.map(\.description).joined(separator: " "))
    answer.member("passed", after.passed - card.passed)
    try store.checkpoint()
}

while let line = readLine() {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { continue }
    var answer = JSONWriter()
    answer.beginObject()
    answer.member("asked", parts[0])
    do throws(StoreError) {
        switch parts[0] {
        case "verify": try verify(parts[1], &answer)
        case "read": try read(parts[1], &answer)
        case "ask": try ask(parts[1], &answer)
        case "write": try write(parts[1], &answer)
        default: answer.member("error", "verify, read, ask or write")
        }
    } catch {
        answer.member("error", "\(error)")
        answer.member("code", error.code.rawValue)
    }
    answer.endObject()
    answer.endLine()
    emit(answer.bytes)
}
