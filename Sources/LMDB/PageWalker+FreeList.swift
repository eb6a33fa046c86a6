extension PageWalker {
    /// Checks a list of free pages: their count, then so many page numbers, strictly descending. The value may be longer.
    mutating func checkFreeList(_ list: PageBytes, page: UInt64, key: UInt64) {
        guard checkFreeKey(key, page: page), list.count >= 8 else {
            if list.count < 8 { report(.badFreeList, page, "a list of \(list.count) bytes") }
            return
        }
        let count = list.uint64(0)
        guard count <= UInt64(list.count / 8 - 1) else {
            report(.badFreeList, page, "\(count) pages in a list of \(list.count) bytes")
            return
        }
        var previous = UInt64.max
        for index in stride(from: 1, through: Int(count), by: 1) {
            guard checkFreePage(list.uint64(8 * index), after: &previous, page: page, key: key) else { return }
        }
    }

    /// The same for a list in an overflow run, whose pages are read one by one.
    mutating func checkFreeRun(_ run: UInt64, size: Int, key: UInt64) throws(StoreFileError) {
        guard checkFreeKey(key, page: run) else { return }
        let level = PageFormat.maxDepth + 1
        // The first page is loaded already. Numbers are aligned, so none straddles two pages.
        let count = buffers.page(level).uint64(PageFormat.headerSize)
        guard size >= 8, count <= UInt64(size / 8 - 1) else {
            report(.badFreeList, run, "\(count) pages in a list of \(size) bytes")
            return
        }
        var previous = UInt64.max
        var loaded = run
        for index in stride(from: 1, through: Int(count), by: 1) {
            let offset = PageFormat.headerSize + 8 * index
            let page = run + UInt64(offset / pageSize)
            if page != loaded {
                guard try load(page, level: level) else { return }
                loaded = page
            }
            guard checkFreePage(buffers.page(level).uint64(offset % pageSize), after: &previous, page: run, key: key) else { return }
        }
    }

    /// The key is the number of the commit that freed the pages.
    private mutating func checkFreeKey(_ key: UInt64, page: UInt64) -> Bool {
        guard key >= 1, key <= transaction else {
            let newest = transaction
            report(.badFreeList, page, "freed by commit \(key), after commit \(newest)")
            return false
        }
        noteFreeKey(key)
        return true
    }

    private mutating func checkFreePage(_ free: UInt64, after previous: inout UInt64, page: UInt64, key: UInt64) -> Bool {
        guard free < previous else {
            report(.badFreeList, page, "page \(free) after page \(previous)")
            return false
        }
        previous = free
        claimFree(free, from: page, freedBy: key)
        return true
    }
}
