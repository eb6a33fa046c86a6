internal import FileSystem

/// Reads pages one by one, and a long run of them at once where they are asked for in order, or nearly: as most leaves are.
struct PageWindow: ~Copyable {
    private static let size = 1 << 18
    private let buffer: PageBuffers
    private let pageSize: Int
    private var loaded = 0..<0
    private var previous = -1

    init(pageSize: Int) {
        self.pageSize = pageSize
        buffer = PageBuffers(pageSize: max(pageSize, PageWindow.size), count: 1)
    }

    /// The bytes of a page, until the next is asked for; nil if the file ends before it does.
    mutating func page(_ page: Int, of file: borrowing PageFile) throws(StoreFileError) -> PageBytes? {
        if !loaded.contains(page) {
            // One that lies far from the last is read alone.
            let isNear = page > previous && page - previous <= 8
            let whole = unsafe buffer.writable(0)
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: whole[0..<(isNear ? whole.count : pageSize)])
            let bytes = unsafe try file.readUpTo(target, at: page * pageSize)
            loaded = page..<page + bytes / pageSize
        }
        previous = page
        guard loaded.contains(page) else { return nil }
        return buffer.page(0).slice((page - loaded.lowerBound) * pageSize, pageSize)
    }
}

/// A data file that is read with plain reads: damage in it can't harm the reader.
struct PageFile: ~Copyable {
    let path: String
    let file: OwnedFile

    /// Opens the file, which must be a regular one.
    static func open(_ path: String) throws(StoreFileError) -> PageFile {
        let status: FileStatus
        do throws(SystemCode) {
            status = try Files.status(of: path, followingLinks: false)
        } catch {
            throw error == .noEntry || error == .notADirectory ? .notAStore(path: path) : .unreadable(path: path, code: LMDBCode(error))
        }
        guard status.isRegular else { throw .notARegularFile(path: path) }
        do throws(SystemCode) { return PageFile(path: path, file: try .open(path, .read)) } catch {
            throw .unreadable(path: path, code: LMDBCode(error))
        }
    }

    func length() throws(StoreFileError) -> Int {
        do throws(SystemCode) { return try file.status().length } catch { throw .unreadable(path: path, code: LMDBCode(error)) }
    }

    /// Reads from `offset` on until `bytes` are full or the file ends; tells how many came.
    func readUpTo(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreFileError) -> Int {
        do throws(SystemCode) { return unsafe try file.read(into: bytes, at: offset) } catch {
            throw .unreadable(path: path, code: LMDBCode(error))
        }
    }

    /// The bytes from `offset` on: `count` of them, or fewer where the file ends.
    func bytes(at offset: Int, count: Int) throws(StoreFileError) -> [UInt8] {
        var failure: StoreFileError?
        let result = unsafe [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, initialized in
            do throws(StoreFileError) {
                initialized = unsafe try readUpTo(UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return result
    }

    /// Fills `bytes` from `offset` on; false if the file ends before.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreFileError) -> Bool {
        unsafe try readUpTo(bytes, at: offset) == bytes.count
    }

    /// The meta page at a byte offset, nil beyond the end of the file.
    func meta(_ position: Int, at offset: Int) throws(StoreFileError) -> MetaPage? {
        let buffer = PageBuffers(pageSize: MetaPage.size, count: 1)
        guard unsafe try read(into: buffer.writable(0), at: offset) else { return nil }
        return MetaPage(buffer.page(0), position: position)
    }

    /// What stands in the first 16 bytes of a page.
    func header(of page: UInt64, pageSize: Int) throws(StoreFileError) -> (number: UInt64, flags: UInt16, pages: UInt32)? {
        let (offset, overflows) = page.multipliedReportingOverflow(by: UInt64(pageSize))
        guard !overflows, let offset = Int(exactly: offset) else { return nil }
        // On the stack: a long store has as many of these as it has large values.
        var bytes: (UInt64, UInt64) = (0, 0)
        let isThere = try unsafe withUnsafeMutableBytes(of: &bytes) { buffer throws(StoreFileError) in
            unsafe try read(into: buffer, at: offset)
        }
        guard isThere else { return nil }
        let (number, rest) = (UInt64(littleEndian: bytes.0), UInt64(littleEndian: bytes.1))
        return (number, UInt16(truncatingIfNeeded: rest >> 16), UInt32(truncatingIfNeeded: rest >> 32))
    }
}
