import EventCoding
import Foundation
import Testing

@testable import LMDB

/// A store whose pages lie is read as before, and not written to.
@Suite struct WriteCheckTests {
    static let databases = ["actions", "blocks", "log"]
    static let options = Environment.Options(folder: storeFolder, databases: databases, appended: ["log"], createIfMissing: false)

    /// A store with a log of several levels, large values, and lists of free pages; its data file.
    static func make(_ store: String, pagesFreed: Int = 40) throws -> String {
        let made = pagesFreed == 40 ? small : large
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        for (name, bytes) in try made.get() { try Data(bytes).write(to: URL(filePath: store + "/" + name)) }
        return StoreFiles.dataPath(in: store)
    }

    private static let small = Result { try build(pagesFreed: 40) }
    private static let large = Result { try build(pagesFreed: 700) }

    /// Built once: many cases begin with it.
    private static func build(pagesFreed: Int) throws -> [String: [UInt8]] {
        let folder = TemporaryFolder()
        try fill(folder.store(), pagesFreed: pagesFreed)
        var files: [String: [UInt8]] = [:]
        for name in ["data.mdb", CommitNote.name, "kitchen.lock"] {
            files[name] = Array(try Data(contentsOf: URL(filePath: folder.store() + "/" + name)))
        }
        return files
    }

    private static func fill(_ store: String, pagesFreed: Int) throws {
        var random = SplitMix64(seed: 7)
        let environment = try Environment.open(path: store, options: .init(folder: storeFolder, databases: databases, appended: ["log"]))
        let (log, blocks, actions) = (
            try environment.database("log"), try environment.database("blocks"), try environment.database("actions")
        )
        for commit in 1...60 as ClosedRange<UInt64> {
            try environment.write { transaction throws(LMDBError) in
                for number in 1...10 as ClosedRange<UInt64> {
                    try transaction.put(commit * 10 + number, random.bytes(commit == 30 ? 6000 : 150), in: log, mode: .append)
                }
                if commit % 4 == 0 { try transaction.put(random.bytes(16), random.bytes(8), in: actions) }
                if commit == 20 || commit == 40 || commit == 58 {
                    try transaction.deleteAll(in: blocks)
                    for block in 0..<(commit == 58 ? 4 : UInt64(pagesFreed)) {
                        try transaction.put(block, random.bytes(6000), in: blocks, mode: .append)
                    }
                }
            }
        }
    }

    /// All that a reader gets.
    static func read(_ store: String) throws -> [[UInt8]] {
        let environment = try Environment.open(path: store, options: .init(folder: storeFolder, databases: databases, readOnly: true))
        var content: [[UInt8]] = []
        for name in ["log", "actions"] {
            let database = try environment.database(name)
            try environment.read { transaction throws(LMDBError) in
                var cursor = try transaction.cursor(in: database)
                while try cursor.next() { content += [cursor.key.array, cursor.value.array] }
            }
        }
        return content
    }

    static func append(_ store: String) throws {
        let environment = try Environment.open(path: store, options: options)
        let log = try environment.database("log")
        try environment.write { transaction throws(LMDBError) in
            try transaction.put(1_000_000, [1, 2, 3], in: log, mode: .append)
        }
    }

    static func replaceBlocks(_ store: String) throws {
        let environment = try Environment.open(path: store, options: options)
        let blocks = try environment.database("blocks")
        try environment.write { transaction throws(LMDBError) in
            try transaction.deleteAll(in: blocks)
            try transaction.put(0, [1, 2, 3], in: blocks, mode: .append)
        }
    }

    /// The pages of a data file, to be changed by hand.
    struct Pages {
        var bytes: [UInt8]
        let meta: MetaPage

        init(_ path: String) throws {
            bytes = Array(try Data(contentsOf: URL(filePath: path)))
            let file = try PageFile.open(path)
            meta = try StoreCheck.metas(file).newest
        }

        func word(_ offset: Int) -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) } }

        mutating func set(_ offset: Int, _ value: UInt64, count: Int = 8) {
            for index in 0..<count { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
        }

        /// The offsets of the entries of the leaves of a tree, in order, and of its leaves.
        func leaves(_ root: UInt64) -> [(page: UInt64, nodes: [Int])] {
            let base = Int(root) * 4096
            let count = (Int(bytes[base + 12]) | Int(bytes[base + 13]) << 8) / 2 - 8
            let nodes = (0..<count).map { base + Int(bytes[base + 16 + 2 * $0]) + Int(bytes[base + 17 + 2 * $0]) << 8 }
            guard bytes[base + 10] & 1 != 0 else { return [(root, nodes)] }
            return nodes.flatMap { leaves(word($0) & 0xFFFF_FFFF_FFFF) }
        }

        func value(_ node: Int) -> Int { node + 8 + Int(bytes[node + 6]) + Int(bytes[node + 7]) << 8 }
        func isBig(_ node: Int) -> Bool { bytes[node + 4] & 1 != 0 }

        /// Where the record of a named database lies.
        func record(_ name: String) -> Int {
            for leaf in leaves(meta.main.root) {
                for node in leaf.nodes where bytes[node + 8..<value(node)].elementsEqual(Array(name.utf8)) { return value(node) }
            }
            return 0
        }

        func root(_ name: String) -> UInt64 { word(record(name) + 40) }

        /// Where the lists of free pages lie, the longest first, each with its count.
        var lists: [Int] {
            leaves(meta.free.root).flatMap(\.nodes).map { isBig($0) ? Int(word(value($0))) * 4096 + 16 : value($0) }
                .sorted { word($0) > word($1) }
        }
    }

    struct Lie: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Whether what is written to the end of the log already goes by it.
        var isOfHead = true
        let tell: @Sendable (inout Pages) -> Void
    }

    static let lies: [Lie] = [
        .init(testDescription: "a leaf of the log is free") { $0.set($0.lists[0] + 8, $0.leaves($0.root("log"))[3].page) },
        .init(testDescription: "the root of the log is free") { $0.set($0.lists[0] + 8, $0.root("log")) },
        .init(testDescription: "a page of another tree is free") { $0.set($0.lists[0] + 8, $0.root("actions")) },
        .init(testDescription: "a large value of the log is free") { pages in
            let node = pages.leaves(pages.root("log")).flatMap(\.nodes).first { pages.isBig($0) }
            if let node { pages.set(pages.lists[0] + 8, pages.word(pages.value(node))) }
        },
        .init(testDescription: "the main tree is free") { $0.set($0.lists[0] + 8, $0.meta.main.root) },
        .init(testDescription: "the tree of free pages is free") { $0.set($0.lists[0] + 8, $0.meta.free.root) },
        .init(testDescription: "a meta page is free") { $0.set($0.lists[0] + 8 * Int($0.word($0.lists[0])), 0) },
        .init(testDescription: "a page beyond the end is free") { $0.set($0.lists[0] + 8, $0.meta.lastPage + 50) },
        .init(testDescription: "a page is free twice") { $0.set($0.lists[0] + 16, $0.word($0.lists[0] + 8)) },
        .init(testDescription: "a list out of order") { pages in
            let (first, second) = (pages.word(pages.lists[0] + 8), pages.word(pages.lists[0] + 16))
            pages.set(pages.lists[0] + 8, second)
            pages.set(pages.lists[0] + 16, first)
        },
        .init(testDescription: "a list of very many pages") { $0.set($0.lists[0], 1 << 31) },
        .init(testDescription: "a list of one page more") { $0.set($0.lists[0], $0.word($0.lists[0]) + 1) },
        .init(testDescription: "a page is missing in a list") { pages in
            // Leaked, which harms nobody by itself: but it isn't what was written.
            pages.set(pages.lists[0] + 8, pages.meta.lastPage + 1)
        },
        .init(testDescription: "the log begins elsewhere") { $0.set($0.record("log") + 40, $0.root("actions")) },
        .init(testDescription: "the log has another depth") { $0.set($0.record("log") + 6, 1, count: 2) },
        .init(testDescription: "the log has other counters") { $0.set($0.record("log") + 24, 1) },
        .init(testDescription: "the last page of the log is another's number") { pages in
            if let leaf = pages.leaves(pages.root("log")).last { pages.set(Int(leaf.page) * 4096, leaf.page + 1) }
        },
        .init(testDescription: "the last page of the log has other bounds") { pages in
            if let leaf = pages.leaves(pages.root("log")).last { pages.set(Int(leaf.page) * 4096 + 14, 4096, count: 2) }
        },
        .init(testDescription: "the root of the log leads to another last page") { pages in
            let base = Int(pages.root("log")) * 4096
            let count = (Int(pages.bytes[base + 12]) | Int(pages.bytes[base + 13]) << 8) / 2 - 8
            let node = base + Int(pages.bytes[base + 16 + 2 * (count - 1)]) + Int(pages.bytes[base + 17 + 2 * (count - 1)]) << 8
            pages.set(node, pages.root("actions"), count: 4)
        },
        .init(testDescription: "the meta page has another last page") {
            $0.set($0.meta.position * 4096 + 136, $0.meta.lastPage - 20)
        },
        .init(testDescription: "the meta page has other counters") { $0.set($0.meta.position * 4096 + 88 + 32, 77) },
        .init(testDescription: "the newest meta page says to be an older one") {
            $0.set($0.meta.position * 4096 + 144, $0.meta.transaction - 2)
        },
        .init(testDescription: "the older meta page is another's number") { $0.set((1 - $0.meta.position) * 4096, 15) },
        .init(testDescription: "the older meta page has an address") { $0.set((1 - $0.meta.position) * 4096 + 24, 4096) },
        .init(testDescription: "a block is a large value of the log", isOfHead: false) { pages in
            let blocks = pages.leaves(pages.root("blocks")).flatMap(\.nodes)
            let log = pages.leaves(pages.root("log")).flatMap(\.nodes).first { pages.isBig($0) }
            if let log { pages.set(pages.value(blocks[1]), pages.word(pages.value(log))) }
        },
        .init(testDescription: "two blocks are one", isOfHead: false) { pages in
            let blocks = pages.leaves(pages.root("blocks")).flatMap(\.nodes)
            pages.set(pages.value(blocks[1]), pages.word(pages.value(blocks[2])))
        },
        .init(testDescription: "a block is a free page", isOfHead: false) { pages in
            let blocks = pages.leaves(pages.root("blocks")).flatMap(\.nodes)
            pages.set(pages.value(blocks[1]), pages.word(pages.lists[0] + 8))
        },
        .init(testDescription: "a block says to have more pages", isOfHead: false) { pages in
            let blocks = pages.leaves(pages.root("blocks")).flatMap(\.nodes)
            pages.set(Int(pages.word(pages.value(blocks[1]))) * 4096 + 12, 9, count: 4)
        },
        .init(testDescription: "a block's header is of another page", isOfHead: false) { pages in
            let blocks = pages.leaves(pages.root("blocks")).flatMap(\.nodes)
            pages.set(Int(pages.word(pages.value(blocks[1]))) * 4096, 5)
        },
    ]

    @Test(arguments: lies, [true, false]) func aStoreThatLiesIsNotWrittenTo(_ lie: Lie, _ hasNote: Bool) throws {
        for pagesFreed in [40, 700] {
            let folder = TemporaryFolder()
            let data = try Self.make(folder.store(), pagesFreed: pagesFreed)
            var pages = try Pages(data)
            let sound = pages.bytes
            lie.tell(&pages)
            #expect(pages.bytes != sound)
            // Without the note nobody can tell a page that was left out from one that leaked.
            if !hasNote, lie.testDescription.hasPrefix("the newest meta page") { continue }
            try Data(pages.bytes).write(to: URL(filePath: data))
            if !hasNote { try FileManager.default.removeItem(atPath: folder.store() + "/" + CommitNote.name) }
            let before = try? Self.read(folder.store())
            if lie.isOfHead || !hasNote {
                #expect(throws: (any Error).self) { try Self.append(folder.store()) }
            } else {
                // What is appended doesn't go by it.
                try Self.append(folder.store())
            }
            #expect(throws: (any Error).self) { try Self.replaceBlocks(folder.store()) }
            guard lie.isOfHead || !hasNote else {
                #expect(try Self.read(folder.store()).count == (before?.count ?? 0) + 2)
                continue
            }
            #expect(Array(try Data(contentsOf: URL(filePath: data))) == pages.bytes)
            if let before { #expect(try Self.read(folder.store()) == before) }
        }
    }

    @Test func aSoundStoreIsWalkedOnlyWhereTheNoteDoesntSpeakOfIt() throws {
        let folder = TemporaryFolder()
        let data = try Self.make(folder.store())
        // A page that nobody who appends goes by: only a walk finds it.
        var pages = try Pages(data)
        let leaf = pages.leaves(pages.root("blocks"))[0].page
        pages.set(Int(leaf) * 4096 + 14, 4096, count: 2)
        try Data(pages.bytes).write(to: URL(filePath: data))
        try Self.append(folder.store())
        let note = folder.store() + "/" + CommitNote.name
        let kept = try Data(contentsOf: URL(filePath: note))
        for torn in [Data(), kept.prefix(20), Data(repeating: 0, count: 40), kept + Data([0])] {
            try torn.write(to: URL(filePath: note))
            #expect(throws: (any Error).self, "\(torn.count)") { try Self.append(folder.store()) }
        }
    }

    @Test func aLostOrOldNoteDoesntKeepASoundStoreFromBeingWrittenTo() throws {
        let folder = TemporaryFolder()
        _ = try Self.make(folder.store())
        let note = folder.store() + "/" + CommitNote.name
        let old = try Data(contentsOf: URL(filePath: note))
        for number in 0..<3 as Range<UInt64> {
            let environment = try Environment.open(path: folder.store(), options: Self.options)
            let log = try environment.database("log")
            try environment.write { transaction throws(LMDBError) in
                try transaction.put(2_000_000 + number, [1], in: log, mode: .append)
            }
            #expect(CommitNote.read(inStore: folder.store())?.transaction == (try environment.facts().lastTransaction))
            if number == 0 { try old.write(to: URL(filePath: note)) }
            if number == 1 { try FileManager.default.removeItem(atPath: note) }
        }
        #expect(try PageCheck.run(storePath: folder.store()).findings == [])
    }

    /// What has the name of the note and isn't one is somebody else's.
    @Test(arguments: ["link", "second name", "other content", "folder"]) func aFileThatIsntANoteIsLeftAlone(_ kind: String) throws {
        let folder = TemporaryFolder()
        _ = try Self.make(folder.store())
        let note = folder.store() + "/" + CommitNote.name
        let other = folder.path + "/other"
        let manager = FileManager.default
        let content = kind == "other content" ? Data("a diary".utf8) : try Data(contentsOf: URL(filePath: note))
        try manager.removeItem(atPath: note)
        try content.write(to: URL(filePath: other))
        switch kind {
        case "link": try manager.createSymbolicLink(atPath: note, withDestinationPath: other)
        case "second name": try manager.linkItem(atPath: other, toPath: note)
        case "folder": try manager.createDirectory(atPath: note, withIntermediateDirectories: false)
        default: try manager.moveItem(atPath: other, toPath: note)
        }
        try Self.append(folder.store())
        if kind != "folder" { #expect(try Data(contentsOf: URL(filePath: note)) == content) }
    }

    @Test func aReaderLeavesNoNote() throws {
        let folder = TemporaryFolder()
        _ = try Self.make(folder.store())
        let note = folder.store() + "/" + CommitNote.name
        try FileManager.default.removeItem(atPath: note)
        _ = try Self.read(folder.store())
        #expect(!FileManager.default.fileExists(atPath: note))
    }
}
