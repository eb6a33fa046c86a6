internal import FileSystem

/// A data file, perhaps a damaged one, that is read by plain reads alone: nothing is mapped, no lock is touched.
package final class RawFile: Sendable {
    package let path: String
    package let length: Int
    let file: PageFile
    /// Whoever writes to the store waits for as long as this is open; absent where nobody is held off.
    private let writer: OwnedFile

    /// Opens the data file of the store in the folder `path`, or the file `path` itself.
    ///
    /// - Parameter holdingOffWriters: the store stays as it is for as long as this lives, where its writers can be held off, which
    ///   they can wherever a store was ever opened. Pages that are used again meanwhile would look like damage.
    /// - Throws: ``StoreFileError/busy(path:)`` where a write goes on and doesn't end.
    package init(_ path: String, holdingOffWriters: Bool = false) throws(StoreFileError) {
        self.path = (try? Files.isDirectory(path)) ?? false ? StoreFiles.dataPath(in: path) : path
        writer = holdingOffWriters ? try Self.writerHeldOff(of: Files.folder(of: self.path)) : .absent
        file = try PageFile.open(self.path)
        length = try file.length()
    }

    /// Writes last milliseconds, an import seconds; what lasts longer than this is told, and not waited for.
    private static let patience = 100

    private static func writerHeldOff(of folder: String) throws(StoreFileError) -> OwnedFile {
        let path = StoreFiles.writerPath(in: folder)
        guard (try? Files.exists(path)) ?? false, let file = try? OwnedFile.open(path, .read) else { return .absent }
        for _ in 0..<patience {
            do throws(SystemCode) {
                try file.lock(.exclusive, waiting: false)
                return file
            } catch {
                // A file system that has no locks has no writers that could be held off either.
                guard error == .wouldBlock else { return .absent }
            }
            System.sleep(milliseconds: 100)
        }
        throw .busy(path: folder)
    }

    /// The bytes from `offset` on, as many of `count` as the file has. What the disk can't give any more reads as zeros.
    package func bytes(at offset: Int, count: Int) -> [UInt8] {
        let count = max(0, min(count, length - offset))
        if let bytes = try? file.bytes(at: offset, count: count), bytes.count == count { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(count)
        while result.count < count {
            // Piece by piece, to the ends of the smallest blocks that fail as a whole.
            let start = offset + result.count
            let piece = min(count - result.count, 4096 - start % 4096)
            let read = (try? file.bytes(at: start, count: piece)) ?? []
            result += read.prefix(piece)
            result += [UInt8](repeating: 0, count: piece - min(piece, read.count))
        }
        return result
    }

    package func bytes(of range: Range<Int>) -> [UInt8] { bytes(at: range.lowerBound, count: range.count) }
}

/// Where a value lies in a file.
package struct ValuePlace: Hashable, Sendable {
    /// Its key where that is a number; else 0.
    package let key: UInt64
    /// Where the bytes of its key lie.
    package let keyPlace: Range<Int>
    package let offset: Int
    package let length: Int
}

/// What can still be read of one named database of a damaged file.
package struct TreeScan: Sendable {
    /// Its values, those of the newest snapshot first, in the order of the keys.
    package private(set) var values: [ValuePlace] = []
    /// Whether the newest snapshot's tree is whole: nothing of the database is missing in `values`.
    package private(set) var isWhole = false
    /// How many entries the database has, by the newest of its records that could be read; `nil` where none could.
    package private(set) var expected: UInt64?
    /// Why the newest snapshot isn't proved to be the newest that ever was; `nil` where both meta pages are sound and bear each other out.
    package private(set) var doubt: String?

    /// Follows both meta pages to the database `name`, passing over what can't be read.
    ///
    /// The newest snapshot's tree is the whole of it only if the meta pages bear each other out: where one is lost, or of a
    /// commit that can't be, the other may be the older one.
    ///
    /// - Parameter anyKeys: the keys aren't numbers.
    package init(of name: String, in file: RawFile, anyKeys: Bool = false) {
        let metas = Self.metas(of: file)
        var isNewestWhole = false
        var isFirst = true
        for meta in metas {
            defer { isFirst = false }
            var reader = TreeReader(file, pageSize: Int(meta.pageSize))
            guard let record = reader.record(named: Array(name.utf8), under: meta.main) else {
                // A store that was just made names no database in its first snapshot.
                if !isFirst, !meta.main.isEmpty { isNewestWhole = false }
                continue
            }
            if let expected, record.entries > expected { isNewestWhole = false }
            expected = max(expected ?? 0, record.entries)
            // The older snapshot holds nothing that the newer one lacks, as long as that can be read.
            if isNewestWhole { continue }
            let found = reader.values(of: record, anyKeys: anyKeys)
            values += found
            if isFirst { isNewestWhole = !reader.isDamaged && UInt64(found.count) == record.entries }
        }
        isWhole = isNewestWhole && metas.count == 2 && metas[0].isNeighbour(of: metas[1])
        doubt = Self.doubt(metas, in: file)
    }

    private static func doubt(_ metas: [MetaPage], in file: RawFile) -> String? {
        guard metas.count == 2 else { return "a meta page is lost, which may have been the newest" }
        guard metas[0].isNeighbour(of: metas[1]) else { return "the meta pages are of commits that don't follow each other" }
        let age = (try? SnapshotAge(newest: metas[0], older: metas[1], in: file.file)) ?? .unknown
        switch age {
        case .right, .unknown: return nil
        case .olderIsLater, .olderMayBeLater: return "the older meta page seems to be of a later commit than the newest one"
        case .newestIsEarlier: return "the newest meta page is of an earlier commit than it says"
        }
    }

    /// The meta pages that can be followed, the newest first.
    static func metas(of file: RawFile) -> [MetaPage] {
        func meta(_ position: Int, at offset: Int) -> MetaPage? {
            guard let meta = (try? file.file.meta(position, at: offset)) ?? nil else { return nil }
            return meta.isReadable && (position == 0 || Int(meta.pageSize) == offset) && meta.fault == nil ? meta : nil
        }
        let first = meta(0, at: 0)
        // Each is read once: a disk that fails may give another answer the next time.
        var second: MetaPage?
        for offset in [4096, 8192, 16384, 32768] where second == nil { second = meta(1, at: offset) }
        return [first, second].compactMap(\.self).sorted { $0.transaction > $1.transaction }
    }
}

/// Reads trees of a file that nobody vouches for: passes over what can't be, ends on any input.
struct TreeReader {
    let file: RawFile
    let pageSize: Int
    private let pages: UInt64
    private var seen: Set<UInt64> = []
    private(set) var isDamaged = false

    init(_ file: RawFile, pageSize: Int) {
        self.file = file
        self.pageSize = pageSize
        pages = UInt64(file.length / pageSize)
    }

    /// The record of a named database in the main tree.
    mutating func record(named name: [UInt8], under main: TreeRecord) -> TreeRecord? {
        var found: TreeRecord?
        walk(main) { page, node, _ in
            guard node.flags == PageFormat.subtreeFlag, node.valueSize == TreeRecord.size else { return }
            if page.slice(node.keyOffset, node.keySize).array == name { found = TreeRecord(page, at: node.valueOffset) }
        }
        return found
    }

    /// Where the values of a database lie whose keys are numbers of eight bytes, the most significant first, or any.
    mutating func values(of record: TreeRecord, anyKeys: Bool) -> [ValuePlace] {
        var found: [ValuePlace] = []
        var isOdd = false
        let (pageSize, pages) = (pageSize, pages)
        walk(record) { page, node, number in
            guard node.keySize == 8 || anyKeys else { return isOdd = true }
            let key = node.keySize == 8 ? page.uint64(node.keyOffset).byteSwapped : 0
            let start = Int(number) * pageSize
            let keyPlace = start + node.keyOffset..<start + node.keyOffset + node.keySize
            guard node.flags == PageFormat.bigDataFlag else {
                return found.append(
                    ValuePlace(key: key, keyPlace: keyPlace, offset: start + node.valueOffset, length: node.valueSize))
            }
            let run = page.uint64(node.valueOffset)
            guard run >= 2, run < pages, Int(run) * pageSize + PageFormat.headerSize + node.valueSize <= Int(pages) * pageSize else {
                return isOdd = true
            }
            found.append(
                ValuePlace(key: key, keyPlace: keyPlace, offset: Int(run) * pageSize + PageFormat.headerSize, length: node.valueSize))
        }
        if isOdd { isDamaged = true }
        return found
    }

    /// Hands over every entry of every leaf that can be reached.
    mutating func walk(_ record: TreeRecord, _ entry: (PageBytes, TreeNode, UInt64) -> Void) {
        guard !record.isEmpty else { return }
        // Depth first with the next page at the end, so that entries come in the order of their keys.
        var pending = [(page: record.root, level: 1)]
        while let (number, level) = pending.popLast() {
            guard number >= 2, number < pages, level <= PageFormat.maxDepth, seen.insert(number).inserted else {
                isDamaged = true
                continue
            }
            let bytes = file.bytes(at: Int(number) * pageSize, count: pageSize)
            unsafe bytes.withUnsafeBytes { raw in
                let page = unsafe PageBytes(raw)
                let isLeaf = page.uint16(10) == PageFormat.leafFlag
                let count = (Int(page.uint16(12)) - PageFormat.headerSize) / 2
                guard page.uint64(0) == number, isLeaf || page.uint16(10) == PageFormat.branchFlag, count > 0,
                    PageFormat.headerSize + 2 * count <= pageSize
                else { return isDamaged = true }
                var children: [(page: UInt64, level: Int)] = []
                for index in 0..<count {
                    guard let node = TreeNode(index, of: page, isLeaf: isLeaf, pageSize: pageSize) else {
                        isDamaged = true
                        continue
                    }
                    if isLeaf { entry(page, node, number) } else { children.append((node.child, level + 1)) }
                }
                pending += children.reversed()
            }
        }
    }
}

extension TreeScan {
    /// How many entries the database `name` had, by the newest record of it that lies anywhere in the file: where the meta
    /// pages are lost. `nil` where no page names it.
    package static func recordedEntries(of name: String, in file: RawFile) -> UInt64? {
        for pageSize in [4096, 8192, 16384, 32768] {
            if let entries = recordedEntries(of: Array(name.utf8), in: file, pageSize: pageSize) { return entries }
        }
        return nil
    }

    private static func recordedEntries(of name: [UInt8], in file: RawFile, pageSize: Int) -> UInt64? {
        let piece = 256 * pageSize
        var most: UInt64?
        for start in stride(from: 0, to: file.length, by: piece) {
            let bytes = file.bytes(at: start, count: piece)
            unsafe bytes.withUnsafeBytes { raw in
                for offset in stride(from: 0, through: bytes.count - pageSize, by: pageSize) {
                    let page = unsafe PageBytes(raw).slice(offset, pageSize)
                    let count = (Int(page.uint16(12)) - PageFormat.headerSize) / 2
                    // The main tree has an entry a database: few enough to be told from other leaves at a glance.
                    guard page.uint64(0) == UInt64((start + offset) / pageSize), page.uint16(10) == PageFormat.leafFlag,
                        (1...16).contains(count)
                    else { continue }
                    for index in 0..<count {
                        guard let node = TreeNode(index, of: page, isLeaf: true, pageSize: pageSize), node.flags == PageFormat.subtreeFlag,
                            node.valueSize == TreeRecord.size, page.slice(node.keyOffset, node.keySize).array == name
                        else { continue }
                        most = max(most ?? 0, TreeRecord(page, at: node.valueOffset).entries)
                    }
                }
            }
        }
        return most
    }
}
