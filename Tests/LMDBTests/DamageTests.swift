import EventCoding
import Foundation
import Testing

@testable import LMDB

/// What can happen to a file outside of LMDB, and what the checks make of it.
@Suite struct DamageTests {
    enum Damage: String, CaseIterable, Sendable {
        /// One bit, anywhere in a page that is in use.
        case bit
        /// One bit in the first 48 bytes of a page: its header and first entries' places.
        case headerBit
        case metaBit
        case zeroedPage
        case zeroedSector
        case randomPage
        /// A page written over another one.
        case misdirectedPage
        case swappedPages
        case cutAtPage
        case cutAnywhere
        case zeroedMeta
        case randomMeta
        /// A meta page that says the store is as large as can be, or hardly anything.
        case wildLastPage
        case randomFile

        /// Whether bytes of keys can change in place: LMDB's format has no checksums, so nobody can tell from the pages.
        var reachesKeys: Bool { self == .bit || self == .zeroedSector || self == .headerBit }
    }

    /// Damages `bytes`, the content of a data file of pages of 4,096 bytes, at places that `random` says.
    static func inflict(_ damage: Damage, on bytes: inout [UInt8], _ random: inout SplitMix64) {
        let pageSize = 4096
        let pages = bytes.count / pageSize
        func anyPage() -> Int { (2 + Int(random.next() % UInt64(pages - 2))) * pageSize }
        switch damage {
        case .bit: bytes[anyPage() + Int(random.next() % 4096)] ^= 1 << UInt8(random.next() % 8)
        case .headerBit: bytes[anyPage() + Int(random.next() % 48)] ^= 1 << UInt8(random.next() % 8)
        case .metaBit: bytes[Int(random.next() % 2) * pageSize + Int(random.next() % 152)] ^= 1 << UInt8(random.next() % 8)
        case .zeroedPage: bytes.replaceSubrange(range(anyPage(), pageSize), with: [UInt8](repeating: 0, count: pageSize))
        case .zeroedSector:
            let start = anyPage() + Int(random.next() % 8) * 512
            bytes.replaceSubrange(range(start, 512), with: [UInt8](repeating: 0, count: 512))
        case .randomPage: bytes.replaceSubrange(range(anyPage(), pageSize), with: random.bytes(pageSize))
        case .misdirectedPage: bytes.replaceSubrange(range(anyPage(), pageSize), with: Array(bytes[range(anyPage(), pageSize)]))
        case .swappedPages:
            let (first, second) = (anyPage(), anyPage())
            let saved = Array(bytes[range(first, pageSize)])
            bytes.replaceSubrange(range(first, pageSize), with: Array(bytes[range(second, pageSize)]))
            bytes.replaceSubrange(range(second, pageSize), with: saved)
        case .cutAtPage: bytes.removeSubrange((Int(random.next() % UInt64(pages)) * pageSize)...)
        case .cutAnywhere: bytes.removeSubrange(Int(random.next() % UInt64(bytes.count))...)
        case .zeroedMeta:
            let start = Int(random.next() % 2) * pageSize
            bytes.replaceSubrange(range(start, pageSize), with: [UInt8](repeating: 0, count: pageSize))
        case .randomMeta:
            let start = Int(random.next() % 2) * pageSize
            // Magic, version and page size stay, so that the rest is believed.
            bytes.replaceSubrange(range(start + 44, 108), with: random.bytes(108))
        case .wildLastPage:
            let value = random.next() >> (random.next() % 64)
            for meta in 0..<2 {
                for byte in 0..<8 { bytes[meta * pageSize + 136 + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte))) }
            }
        case .randomFile: bytes = random.bytes(bytes.count / 8)
        }
    }

    private func keysOnly(_ entries: [[UInt8]]) -> [[UInt8]] {
        stride(from: 0, to: entries.count, by: 2).map { entries[$0] }
    }

    private static func range(_ start: Int, _ count: Int) -> Range<Int> { start..<start + count }

    /// Either the checks find something, or LMDB reads the same entries as before from the damaged file, though not always
    /// the same bytes of values, which no check of pages can vouch for. Nothing crashes.
    @Test(arguments: Damage.allCases) func damageIsFoundOrDoesNoHarm(_ damage: Damage) throws {
        let folder = TemporaryFolder()
        let whole = folder.store("whole")
        try StoreFixture.make(whole, .init(seed: 7, commits: 25, eventsPerCommit: 12))
        let sound = [UInt8](try Data(contentsOf: URL(filePath: whole + "/data.mdb")))
        let content = try StoreFixture.content(whole)
        var found = 0
        for seed in 1...25 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            var bytes = sound
            Self.inflict(damage, on: &bytes, &random)
            let store = folder.store("damaged-\(seed)")
            try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(filePath: store + "/data.mdb"))
            // Both run, whatever the other one says: neither may crash.
            let quick = Result { try StoreCheck.quickCheck(store) }
            let check = try PageCheck.run(storePath: store)
            let isSound = check.counts.keys.allSatisfy { $0 == .leakedPages }
            if case .success = quick, isSound {
                let readBack = try StoreFixture.content(store)
                let isSame =
                    damage.reachesKeys
                    ? readBack.mapValues(\.count) == content.mapValues(\.count)
                    : readBack.mapValues(keysOnly) == content.mapValues(keysOnly)
                #expect(isSame, "damage \(damage), seed \(seed)")
            } else {
                found += 1
            }
            try FileManager.default.removeItem(atPath: store)
        }
        // Damage that can't be overlooked, but for pages that aren't in use.
        if ![.bit, .zeroedSector, .headerBit, .metaBit].contains(damage) { #expect(found >= 15, "\(damage): \(found) of 25 found") }
    }
}
