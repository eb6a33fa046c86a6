internal import FileSystem

/// What a walk over all pages of a data file found.
///
/// The walk knows the file format by itself and reads the file with plain, bounds-checked reads: it neither maps it nor asks
/// LMDB. It follows both meta pages (the newest state of the store and the one before) and accounts for every page: in use
/// once, free once, or leaked. It ends on any input. Costs about as much as reading the file once a meta page.
package struct PageCheck: Hashable, Sendable {
    /// One thing that isn't as it must be.
    package struct Finding: Hashable, Sendable {
        package let kind: Kind
        /// The page that it was found on; for what concerns a page that is referred to, that one.
        package let page: UInt64
        package let detail: String
    }

    /// The ways in which pages can be wrong.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A meta page that isn't one, or a field of it that can't be right.
        case badMeta = "bad_meta"
        /// A file of more pages than are checked.
        case badLength = "bad_length"
        /// A page whose number or type isn't what refers to it expects.
        case badPageHeader = "bad_page_header"
        /// Bounds of a page's free space, or its number of entries, that can't be.
        case badBounds = "bad_bounds"
        /// An entry that lies outside its page, overlaps another, or has a length that can't be.
        case badNode = "bad_node"
        /// Flags that Engram's files never have: sorted duplicates, packed leaves, unknown bits.
        case unexpectedFlags = "unexpected_flags"
        /// Keys that don't ascend, or lie outside what the parent page says.
        case badKeyOrder = "bad_key_order"
        /// A leaf above, or a branch on, the level of the leaves.
        case badDepth = "bad_depth"
        /// A page that is in use and that the file ends before.
        case pageOutsideFile = "page_outside_file"
        /// A page number that is below 2 or above the last page.
        case pageOutOfRange = "page_out_of_range"
        /// A page that is referred to twice, perhaps in a loop.
        case pageUsedTwice = "page_used_twice"
        /// An overflow run of the wrong length.
        case badOverflow = "bad_overflow"
        /// A counter of a tree that isn't what was counted.
        case badCounter = "bad_counter"
        /// The record of a named database that can't be one.
        case badTreeRecord = "bad_tree_record"
        /// A list of free pages that isn't one.
        case badFreeList = "bad_free_list"
        /// A page that is free and in use, or free twice.
        case pageFreeAndUsed = "page_free_and_used"
        /// Pages that are neither in use nor free: wasted, and harmless by themselves.
        case leakedPages = "leaked_pages"
    }

    /// Which states of the store are walked.
    package enum Snapshots: Sendable {
        case newest
        /// The newest and the one before it, to which LMDB goes back after a crash in a commit.
        case both
    }

    /// One tree, as it was counted.
    package struct Tree: Hashable, Sendable {
        /// Name of the database; nil for the main tree and the tree of free pages.
        package let name: [UInt8]?
        package let depth: Int
        package let branchPages: UInt64
        package let leafPages: UInt64
        package let overflowPages: UInt64
        package let entries: UInt64
    }

    /// One state of the store.
    package struct Snapshot: Hashable, Sendable {
        /// The meta page, 0 or 1, that it begins at.
        package let metaPage: Int
        package let commitNumber: UInt64
        package let lastPage: UInt64
        package let usedPages: UInt64
        package let freePages: UInt64
        package let leakedPages: UInt64
        /// The main tree, the named ones in the order of their names, the tree of free pages.
        package let trees: [Tree]
    }

    /// Bytes of a page; 0 if no meta page says it.
    package let pageSize: Int
    /// Different pages that were read or, in overflow runs, accounted for; the meta pages included.
    package let pagesChecked: Int
    /// The first findings of each kind, in the order in which they were made.
    package let findings: [Finding]
    /// All findings, by kind.
    package let counts: [Kind: Int]
    /// The newest state first.
    package let snapshots: [Snapshot]
    /// The number of a commit after the newest one, of which the other meta page has roots: LMDB leaves them there where a commit failed
    /// at its last step, and a changed number hides a commit that didn't fail. Whether it was acknowledged, the file doesn't say.
    package let hiddenCommit: UInt64?

    /// How many findings of a kind are told in full.
    package static let findingsPerKind = 20

    package var findingCount: Int { counts.values.reduce(0, +) }
    package var isSound: Bool { counts.isEmpty }
}

extension PageCheck.Finding: CustomStringConvertible {
    package var description: String { "page \(page): \(kind.rawValue): \(detail)" }
}

extension PageCheck {
    /// Checks the store in the folder `path`. Others may write to it meanwhile: pages that are used again could be taken for
    /// damage, so where there is a finding, writers are held off and all is looked at once more.
    package static func run(storePath path: String) throws(StoreFileError) -> PageCheck {
        let check = try run(dataPath: StoreFiles.dataPath(in: path), snapshots: .both)
        let writerPath = StoreFiles.writerPath(in: path)
        guard !check.isSound, (try? Files.exists(writerPath)) ?? false, let writer = try? OwnedFile.open(writerPath, .read),
            (try? writer.lock(.exclusive, waiting: true)) != nil
        else { return check }
        // The lock goes with the file.
        return try run(dataPath: StoreFiles.dataPath(in: path), snapshots: .both)
    }

    /// Checks one data file.
    package static func run(dataPath: String, snapshots: Snapshots) throws(StoreFileError) -> PageCheck {
        var walker = try PageWalker(PageFile.open(dataPath))
        return try walker.run(snapshots)
    }
}

extension Environment {
    /// Checks all pages of the store, while others read and write: a read that is open meanwhile keeps what is checked as it
    /// is.
    package func checkPages() throws(LMDBError) -> PageCheck {
        let path = StoreFiles.dataPath(in: path)
        do throws(TransactionError<StoreFileError>) {
            return try read { _ throws(StoreFileError) in try PageCheck.run(dataPath: path, snapshots: .both) }
        } catch {
            switch error {
            case .storage(let error): throw error
            case .body(let fault): throw failure(.unusable(fault), "pread")
            }
        }
    }
}
