/// Reads pages one by one, and a run of them at once where they are asked for in order: as most leaves are.
struct PageWindow: ~Copyable {
    private static let pages = 16
    private let buffer: PageBuffers
    private let pageSize: Int
    private var loaded = 0..<0
    private var previous = -1

    init(pageSize: Int) {
        self.pageSize = pageSize
        buffer = PageBuffers(pageSize: pageSize * PageWindow.pages, count: 1)
    }

    /// Copies a page; false if the file ends before it does.
    mutating func copy(
        _ page: Int, of file: borrowing PageFile, into target: UnsafeMutableRawBufferPointer
    ) throws(StoreFault) -> Bool {
        defer { previous = page }
        if !loaded.contains(page) {
            guard page == previous + 1 else { return unsafe try file.read(into: target, at: page * pageSize) }
            let bytes = unsafe try file.readUpTo(buffer.writable(0), at: page * pageSize)
            loaded = page..<page + bytes / pageSize
        }
        guard loaded.contains(page) else { return false }
        let start = (page - loaded.lowerBound) * pageSize
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer.writable(0)[start..<start + pageSize]))
        return true
    }
}

/// A data file that is read with plain reads: damage in it can't harm the reader.
struct PageFile: ~Copyable {
    let path: String
    let file: OwnedFile

    /// Opens the file, which must be a regular one.
    static func open(_ path: String) throws(StoreFault) -> PageFile {
        let status: FileStatus
        do throws(LMDBCode) {
            status = try System.status(of: path, followingLinks: false)
        } catch {
            throw error == .noEntry || error == .notADirectory ? .notAStore(path: path) : .unreadable(path: path, code: error)
        }
        guard status.isRegular else { throw .notARegularFile(path: path) }
        do throws(LMDBCode) { return PageFile(path: path, file: try .open(path, .read)) } catch {
            throw .unreadable(path: path, code: error)
        }
    }

    func length() throws(StoreFault) -> Int {
        do throws(LMDBCode) { return try file.status().length } catch { throw .unreadable(path: path, code: error) }
    }

    /// Reads from `offset` on until `bytes` are full or the file ends; tells how many came.
    func readUpTo(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreFault) -> Int {
        do throws(LMDBCode) { return unsafe try file.read(into: bytes, at: offset) } catch {
            throw .unreadable(path: path, code: error)
        }
    }

    /// The bytes from `offset` on: `count` of them, or fewer where the file ends.
    func bytes(at offset: Int, count: Int) throws(StoreFault) -> [UInt8] {
        var failure: StoreFault?
        let result = unsafe [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, initialized in
            do throws(StoreFault) {
                initialized = unsafe try readUpTo(UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return result
    }

    /// Fills `bytes` from `offset` on; false if the file ends before.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreFault) -> Bool {
        unsafe try readUpTo(bytes, at: offset) == bytes.count
    }

    /// The meta page at a byte offset, nil beyond the end of the file.
    func meta(_ position: Int, at offset: Int) throws(StoreFault) -> MetaPage? {
        let buffer = PageBuffers(pageSize: MetaPage.size, count: 1)
        guard unsafe try read(into: buffer.writable(0), at: offset) else { return nil }
        return MetaPage(buffer.page(0), position: position)
    }

    /// What stands in the first 16 bytes of a page.
    func header(of page: UInt64, pageSize: Int) throws(StoreFault) -> (number: UInt64, flags: UInt16)? {
        let (offset, overflows) = page.multipliedReportingOverflow(by: UInt64(pageSize))
        guard !overflows, let offset = Int(exactly: offset) else { return nil }
        let buffer = PageBuffers(pageSize: PageFormat.headerSize, count: 1)
        guard unsafe try read(into: buffer.writable(0), at: offset) else { return nil }
        return (buffer.page(0).uint64(0), buffer.page(0).uint16(10))
    }
}
