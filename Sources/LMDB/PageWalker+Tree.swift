extension PageWalker {
    /// Which tree a page belongs to: what its entries may be depends on it.
    enum Role {
        case main
        case free
        case named(name: [UInt8])

        var isFree: Bool { if case .free = self { true } else { false } }
        var isMain: Bool { if case .main = self { true } else { false } }
    }

    /// What is counted in a tree, and the named databases found in the main one.
    struct Tally {
        let role: Role
        let depth: Int
        var branchPages: UInt64 = 0
        var leafPages: UInt64 = 0
        var overflowPages: UInt64 = 0
        var entries: UInt64 = 0
        var subtrees: [(name: [UInt8], record: TreeRecord, page: UInt64)] = []
    }

    /// Where the key of a bound lies: in the buffer of a level above. Nil is no bound.
    struct KeyPlace {
        let level: Int
        let offset: Int
        let count: Int
    }

    /// The named databases that the main tree leads to.
    mutating func subtreeNames(of record: TreeRecord) throws(StoreFileError) -> Set<[UInt8]> {
        var tally = Tally(role: .main, depth: Int(record.depth))
        guard !record.isEmpty, record.depth > 0, record.depth <= PageFormat.maxDepth else { return [] }
        try walkPage(record.root, from: 0, level: 1, lower: nil, upper: nil, &tally)
        return Set(tally.subtrees.map(\.name))
    }

    /// Walks a tree and the named ones in it, and compares what it counts with what the tree's record says.
    mutating func walkTree(_ record: TreeRecord, _ role: Role, into trees: inout [PageCheck.Tree]) throws(StoreFileError) {
        var tally = Tally(role: role, depth: Int(record.depth))
        let findingsBefore = findingCount
        if !record.isEmpty, record.depth > 0, record.depth <= PageFormat.maxDepth {
            try walkPage(record.root, from: 0, level: 1, lower: nil, upper: nil, &tally)
        }
        if findingCount == findingsBefore { compare(tally, record) }
        var name: [UInt8]?
        if case .named(let given) = role { name = given }
        trees.append(
            PageCheck.Tree(
                name: name, depth: tally.depth, branchPages: tally.branchPages, leafPages: tally.leafPages,
                overflowPages: tally.overflowPages, entries: tally.entries))
        for subtree in tally.subtrees where wanted?.contains(subtree.name) ?? true {
            if let fault = subtree.record.fault(lastPage: lastPage, isFreeTree: false) {
                let kind: PageCheck.Kind = fault.field == "flags" ? .unexpectedFlags : .badTreeRecord
                report(kind, subtree.page, "database “\(String(decoding: subtree.name, as: UTF8.self))”: \(fault.field) is \(fault.value)")
                if fault.field == "flags" { continue }
            }
            try walkTree(subtree.record, .named(name: subtree.name), into: &trees)
        }
    }

    private mutating func compare(_ tally: Tally, _ record: TreeRecord) {
        func check(_ name: String, _ counted: UInt64, _ recorded: UInt64) {
            guard counted != recorded else { return }
            report(.badCounter, record.isEmpty ? 0 : record.root, "\(recorded) \(name) recorded, \(counted) counted")
        }
        check("branch pages", tally.branchPages, record.branchPages)
        check("leaf pages", tally.leafPages, record.leafPages)
        check("overflow pages", tally.overflowPages, record.overflowPages)
        check("entries", tally.entries, record.entries)
    }

    /// Walks a page and all below it. The level never exceeds the tree's depth, which is at most 32, and a page that was
    /// claimed is never walked again: so this ends, whatever the file holds.
    private mutating func walkPage(
        _ page: UInt64, from parent: UInt64, level: Int, lower: KeyPlace?, upper: KeyPlace?, _ tally: inout Tally
    ) throws(StoreFileError) {
        let isSilent = wasSeen(page)
        guard claim(page, from: parent), let bytes = try view(page) else { return }
        guard let isLeaf = checkHeader(page, bytes, isDeepest: level == tally.depth, isSilent) else { return }
        if isLeaf { tally.leafPages += 1 } else { tally.branchPages += 1 }
        let count = (Int(bytes.uint16(12)) - PageFormat.headerSize) / 2
        var isPlain = !tally.role.isFree
        let low = lower.map { key(at: $0) }
        let high = upper.map { key(at: $0) }
        guard checkNodes(page, bytes, count: count, isLeaf, low, high, tally.role, isSilent, &isPlain) else { return }
        if isLeaf, isPlain {
            tally.entries += UInt64(count)
            return notePlainLeaf(page, entries: count)
        }
        // What is read next takes the place of this page, which is looked at further.
        unsafe bytes.copy(to: buffers.writable(level))
        if isLeaf {
            tally.entries += UInt64(count)
            try walkLeaf(page, level: level, count: count, &tally)
        } else {
            try walkBranch(page, level: level, count: count, lower, upper, &tally)
        }
    }

    /// Checks number, type and bounds of a page; tells whether it is a leaf, or nil if it can't be read on.
    private mutating func checkHeader(_ page: UInt64, _ bytes: PageBytes, isDeepest: Bool, _ isSilent: Bool) -> Bool? {
        func fail(_ kind: PageCheck.Kind, _ detail: @autoclosure () -> String) -> Bool? {
            if !isSilent { report(kind, page, detail()) } else { noteRepeated() }
            return nil
        }
        let (number, flags) = (bytes.uint64(0), bytes.uint16(10))
        guard number == page else { return fail(.badPageHeader, "has the number \(number)") }
        if flags & PageFormat.packedLeafFlag != 0, flags & ~PageFormat.packedLeafFlag == PageFormat.leafFlag {
            return fail(.unexpectedFlags, "a packed leaf")
        }
        guard flags == PageFormat.leafFlag || flags == PageFormat.branchFlag else {
            return fail(.badPageHeader, "has the flags \(flags)")
        }
        let isLeaf = flags == PageFormat.leafFlag
        guard isLeaf == isDeepest else { return fail(.badDepth, isLeaf ? "a leaf among branches" : "a branch among leaves") }
        let (low, high) = (Int(bytes.uint16(12)), Int(bytes.uint16(14)))
        guard low >= PageFormat.headerSize, low <= high, high <= pageSize, low & 1 == 0, high & 1 == 0 else {
            return fail(.badBounds, "free space from \(low) to \(high)")
        }
        let count = (low - PageFormat.headerSize) / 2
        guard count >= (isLeaf ? 1 : 2) else { return fail(.badBounds, "\(count) entries") }
        return isLeaf
    }

    private func node(_ index: Int, of bytes: PageBytes, isLeaf: Bool) -> TreeNode? {
        TreeNode(index, of: bytes, isLeaf: isLeaf, pageSize: pageSize)
    }

    /// Checks places, lengths and order of all entries of a page. LMDB leaves no gaps between entries, so their sizes add up
    /// to the area that they share: which also shows any two that overlap. A leaf with anything but plain values isn't plain.
    private mutating func checkNodes(
        _ page: UInt64, _ bytes: PageBytes, count: Int, _ isLeaf: Bool, _ lower: PageBytes?, _ upper: PageBytes?, _ role: Role,
        _ isSilent: Bool, _ isPlain: inout Bool
    ) -> Bool {
        let maxNodeSize = PageFormat.maxNodeSize(pageSize: pageSize)
        let isFree = role.isFree
        func fail(_ kind: PageCheck.Kind, _ detail: @autoclosure () -> String) -> Bool {
            if !isSilent { report(kind, page, detail()) } else { noteRepeated() }
            return false
        }
        var total = 0
        var previous = lower
        for index in 0..<count {
            guard let node = node(index, of: bytes, isLeaf: isLeaf) else {
                return fail(.badNode, "entry \(index) is not inside the page")
            }
            total += node.size
            if node.flags != 0 { isPlain = false }
            if isLeaf, !node.isBig, PageFormat.nodeHeaderSize + node.keySize + node.valueSize > maxNodeSize {
                return fail(.badNode, "entry \(index) is too large for a page")
            }
            // The first key of a branch means “from the beginning” and isn't looked at.
            if !isLeaf, index == 0 { continue }
            guard isFree ? node.keySize == 8 : node.keySize >= 1 else {
                return fail(.badNode, "entry \(index) has a key of \(node.keySize) bytes")
            }
            let key = bytes.slice(node.keyOffset, node.keySize)
            if let previous {
                let order = isFree ? compareNumbers(previous, key) : previous.compare(key)
                // The first key of a leaf may be the very one that the parent has; keys in a page differ.
                let isFirst = isLeaf && index == 0
                guard order < 0 || (isFirst && order == 0) else { return fail(.badKeyOrder, "entry \(index)") }
            }
            previous = key
        }
        guard total == pageSize - Int(bytes.uint16(14)) else { return fail(.badNode, "entries overlap or leave gaps") }
        if let previous, let upper {
            guard (isFree ? compareNumbers(previous, upper) : previous.compare(upper)) < 0 else {
                return fail(.badKeyOrder, "the last entry is beyond what the parent page says")
            }
        }
        return true
    }

    /// The key that bounds a page, in the buffer of a level above, which stays as it is while the page is looked at.
    private func key(at place: KeyPlace) -> PageBytes { buffers.page(place.level).slice(place.offset, place.count) }

    /// Keys of the tree of free pages are numbers in the machine's byte order.
    private func compareNumbers(_ first: PageBytes, _ second: PageBytes) -> Int {
        let (first, second) = (first.uint64(0), second.uint64(0))
        return first == second ? 0 : first < second ? -1 : 1
    }

    private mutating func walkBranch(
        _ page: UInt64, level: Int, count: Int, _ lower: KeyPlace?, _ upper: KeyPlace?, _ tally: inout Tally
    ) throws(StoreFileError) {
        let bytes = buffers.page(level)
        func place(_ index: Int) -> KeyPlace? {
            node(index, of: bytes, isLeaf: false).map { KeyPlace(level: level, offset: $0.keyOffset, count: $0.keySize) }
        }
        for index in 0..<count {
            guard let node = node(index, of: bytes, isLeaf: false) else { return }
            // A page that was walked before, under this very page, between keys of this page: nothing new to say of it.
            if level + 1 == tally.depth, wasSeen(page), index > 0, index + 1 < count,
                let entries = entriesOfKnownLeaf(node.child)
            {
                guard claim(node.child, from: page) else { continue }
                tally.leafPages += 1
                tally.entries += entries
                continue
            }
            let low = index == 0 ? lower : place(index)
            let high = index + 1 < count ? place(index + 1) : upper
            try walkPage(node.child, from: page, level: level + 1, lower: low, upper: high, &tally)
        }
    }

    private mutating func walkLeaf(_ page: UInt64, level: Int, count: Int, _ tally: inout Tally) throws(StoreFileError) {
        let bytes = buffers.page(level)
        for index in 0..<count {
            guard let node = node(index, of: bytes, isLeaf: true) else { return }
            if node.flags == 0, !tally.role.isFree { continue }
            switch node.flags {
            case 0:
                checkFreeList(bytes.slice(node.valueOffset, node.valueSize), page: page, key: bytes.uint64(node.keyOffset))
            case PageFormat.bigDataFlag:
                let run = bytes.uint64(node.valueOffset)
                try walkRun(run, page: page, key: bytes.uint64(node.keyOffset), size: node.valueSize, &tally)
            case PageFormat.subtreeFlag where tally.role.isMain && node.valueSize == TreeRecord.size:
                let name = bytes.slice(node.keyOffset, node.keySize).array
                tally.subtrees.append((name, TreeRecord(bytes, at: node.valueOffset), page))
            default:
                report(.unexpectedFlags, page, "entry \(index) has the flags \(node.flags)")
            }
        }
    }

    /// Claims the pages of a large value. The run may be longer than the value needs: LMDB keeps one that it writes again.
    private mutating func walkRun(
        _ run: UInt64, page: UInt64, key: UInt64, size: Int, _ tally: inout Tally
    ) throws(StoreFileError) {
        let isSilent = wasSeen(run)
        guard claim(run, from: page), let header = try header(of: run) else { return }
        let (number, flags, pages) = (header.number, header.flags, UInt64(header.pages))
        guard number == run, flags == PageFormat.overflowFlag else {
            if !isSilent {
                report(.badPageHeader, run, "number \(number), flags \(flags) where a large value begins")
            } else {
                noteRepeated()
            }
            return
        }
        let needed = UInt64((PageFormat.headerSize + size + pageSize - 1) / pageSize)
        guard pages >= needed, pages <= lastPage + 1 - run else {
            if !isSilent { report(.badOverflow, run, "\(pages) pages for a value of \(size) bytes") } else { noteRepeated() }
            return
        }
        tally.overflowPages += pages
        for next in stride(from: run + 1, to: run + pages, by: 1) {
            guard claim(next, from: run) else { return }
        }
        if tally.role.isFree {
            guard try load(run, level: PageFormat.maxDepth + 1) else { return }
            try checkFreeRun(run, size: size, key: key)
        }
    }
}
