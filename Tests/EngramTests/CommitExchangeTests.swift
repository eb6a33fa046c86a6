import Engram
import EngramTesting
import EventLog
import StudyModel
import Testing

/// Commits in memory: somewhere to send them to and take them from.
private struct Shelf: CommitSource, CommitSink {
    struct Closed: Error {}

    var commits: [LogCommit] = []
    var isClosed = false
    var tellsHeads = true

    func heads() throws -> [LogHead] {
        guard tellsHeads else { return [] }
        return Dictionary(grouping: commits, by: \.origin).map { origin, commits in
            LogHead(origin: origin, commits: commits.map(\.number).max() ?? 0, events: 0, digest: .zero)
        }
    }

    func forEachCommit(after known: [OriginID: UInt64], _ body: (LogCommit) throws -> Bool) throws {
        for commit in commits where commit.number > known[commit.origin] ?? 0 { guard try body(commit) else { return } }
        if isClosed { throw Closed() }
    }

    mutating func append(_ commit: LogCommit) throws {
        let last = commits.last { $0.origin == commit.origin }?.number ?? 0
        #expect(commit.number == last + 1)
        commits.append(commit)
    }
}

@Suite struct CommitExchangeTests {
    /// A store with commits of three origins, in several runs each.
    private static func store(_ folder: TemporaryFolder, _ name: String = "store") throws -> StudyStore {
        let store = try folder.create(name)
        let card = try store.card(in: store.deck())
        for (number, peer) in try [
            folder.create(name + " a"), folder.create(name + " b"),
        ].enumerated() {
            _ = try peer.merge(with: store.path, at: moment(1))
            for minute in 0..<3 {
                try peer.perform(.review(card, .good, took: nil), at: moment(10 * number + minute + 2))
                try store.perform(.review(card, .hard, took: nil), at: moment(10 * number + minute + 2))
                _ = try store.merge(with: peer.path, at: moment(100))
            }
        }
        return store
    }

    private static func all(_ store: StudyStore, after known: [OriginID: UInt64] = [:]) throws -> [LogCommit] {
        var commits: [LogCommit] = []
        try store.forEachCommit(after: known) { commit in
            commits.append(commit)
            return true
        }
        return commits
    }

    @Test("Commits are found by their origin and number, live, out of a checkpoint, and made again")
    func index() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder)
        for step in 0..<3 {
            if step == 1 { try store.checkpoint() }
            if step == 2 { try store.rebuild() }
            let opened = step == 0 ? store : try StudyStore.open(at: store.path)
            let commits = try Self.all(opened)
            #expect(commits.count == 14)
            let heads = try opened.heads()
            #expect(heads.count == 3 && heads.map(\.origin) == heads.map(\.origin).sorted())
            for head in heads {
                let own = commits.filter { $0.origin == head.origin }
                #expect(own.map(\.number) == Array(1...head.commits))
                for number in 0...head.commits + 1 {
                    let rest = own.filter { $0.number > number }
                    #expect(try opened.commits(of: head.origin, after: number) == rest)
                    #expect(try opened.commits(of: head.origin, after: number, limit: 2) == Array(rest.prefix(2)))
                    #expect(
                        try Self.all(opened, after: [head.origin: number])
                            == commits.filter { $0.origin != head.origin || $0.number > number })
                }
            }
            #expect(try opened.commits(of: OriginID(rawValue: 77)).isEmpty)
            #expect(try StudyStore.verify(at: store.path, level: .deep).isSound)
        }
    }

    @Test("What is sent is what the other lacks, and taking it in gives one state", arguments: [true, false])
    func carrying(tellsHeads: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder)
        var shelf = Shelf()
        #expect(try store.send(to: &shelf) == 14)
        #expect(try store.send(to: &shelf) == 0)
        shelf.tellsHeads = tellsHeads
        let other = try folder.create("other")
        let deck = try other.deck()
        let report = try other.merge(from: shelf, named: "shelf", at: moment(200))
        #expect(report.newEvents == 14 && report.refused.isEmpty)
        #expect(try other.merge(from: shelf, named: "shelf", at: moment(200)).newEvents == 0)
        shelf.tellsHeads = true
        try store.perform(.renameDeck(store.decks(at: moment(200))[0].id, title: "Newer"), at: moment(201))
        #expect(try store.send(to: &shelf) == 1)
        shelf.tellsHeads = tellsHeads
        #expect(try other.merge(from: shelf, named: "shelf", at: moment(200)).newEvents == 1)
        shelf.tellsHeads = true
        #expect(try other.send(to: &shelf) == 1)
        #expect(try store.merge(from: other, named: "other", at: moment(200)).newEvents == 1)
        #expect(try store.digest() == other.digest() && store.decks(at: moment(200)).contains { $0.id == deck })
    }

    @Test("A source that throws, lies or leaves something out changes nothing, or brings what comes before")
    func badSources() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder)
        var whole = Shelf()
        try store.send(to: &whole)
        let other = try folder.create("other")
        let before = try other.heads()
        func expectRefused(_ shelf: Shelf, _ what: String) throws {
            #expect(throws: (any Error).self, "\(what)") { try other.merge(from: shelf, named: "shelf", at: moment(200)) }
            #expect(try other.heads() == before, "\(what)")
        }
        var closed = whole
        closed.isClosed = true
        #expect(throws: Shelf.Closed.self) { try other.merge(from: closed, named: "shelf", at: moment(200)) }
        try expectRefused(closed, "one that breaks off")
        var lacking = whole
        lacking.commits.remove(at: 2)
        try expectRefused(lacking, "one that leaves a commit out")
        for offset in [0, 8, whole.commits[3].bytes.count / 2, whole.commits[3].bytes.count - 1] {
            var bad = whole
            var bytes = bad.commits[3].bytes
            bytes[offset] ^= 1
            bad.commits[3] = LogCommit(origin: bad.commits[3].origin, number: bad.commits[3].number, bytes: bytes)
            try expectRefused(bad, "a changed byte, \(offset)")
        }
    }

    @Test("An origin that went on differently on both sides is named, and all else is taken")
    func forks() throws {
        let folder = try TemporaryFolder()
        let store = try folder.create("one")
        let (one, two) = (try store.deck(), try folder.create("two").deck())
        var shelf = Shelf()
        try store.send(to: &shelf)
        try StudyStore.open(at: folder.path + "/two").send(to: &shelf)
        let (origin, other) = (shelf.commits[0].origin, shelf.commits[1].origin)
        #expect(one != two && origin != other)
        // The other's bytes under the first one's name: what they say of themselves counts.
        shelf.commits[0] = LogCommit(origin: origin, number: 1, bytes: shelf.commits[1].bytes)
        let third = try folder.create("three")
        #expect(try third.merge(from: shelf, named: "shelf", at: moment(9)).newEvents == 1)
        #expect(try third.heads().map(\.origin) == [other])
    }
}
