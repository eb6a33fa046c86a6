/// Bytes of a page that nobody vouches for. Every load is checked against the end; beyond it everything is zero, so that no
/// number that was read can lead out of the page.
@safe
struct PageBytes {
    private let bytes: UnsafeRawBufferPointer

    /// The bytes must outlive this value: the walker's buffers do, and the map while a transaction is open.
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
    }

    var count: Int { unsafe bytes.count }

    @inline(__always)
    private func load<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: Value.Type) -> Value {
        guard offset >= 0, unsafe offset <= bytes.count - MemoryLayout<Value>.size else { return 0 }
        return unsafe Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }

    @inline(__always) func uint16(_ offset: Int) -> UInt16 { load(offset, as: UInt16.self) }
    @inline(__always) func uint32(_ offset: Int) -> UInt32 { load(offset, as: UInt32.self) }
    @inline(__always) func uint64(_ offset: Int) -> UInt64 { load(offset, as: UInt64.self) }

    /// The part from `offset` on, as much of `count` bytes as there is.
    @inline(__always)
    func slice(_ offset: Int, _ count: Int) -> PageBytes {
        let start = min(max(0, offset), self.count)
        let end = start + min(max(0, count), self.count - start)
        return unsafe PageBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }

    /// Copies the bytes to the beginning of `target`, as many as fit.
    func copy(to target: UnsafeMutableRawBufferPointer) {
        let count = unsafe min(bytes.count, target.count)
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[0..<count]))
    }

    var array: [UInt8] { unsafe Array(bytes) }

    /// Orders bytes as LMDB orders keys: unsigned, byte by byte, a prefix before what it begins.
    @inline(__always)
    func compare(_ other: PageBytes) -> Int {
        let length = min(count, other.count)
        var offset = 0
        // Eight at a time, read so that the first byte weighs most.
        while offset + 8 <= length {
            let (mine, others) = (uint64(offset).byteSwapped, other.uint64(offset).byteSwapped)
            if mine != others { return mine < others ? -1 : 1 }
            offset += 8
        }
        while offset < length {
            let (mine, others) = unsafe (bytes[offset], other.bytes[offset])
            if mine != others { return mine < others ? -1 : 1 }
            offset += 1
        }
        return count - other.count
    }
}

/// Memory for one page a level of a tree, so that a parent stays readable while its children are walked.
@safe
final class PageBuffers {
    private let memory: UnsafeMutableRawBufferPointer
    private let pageSize: Int
    private let count: Int

    init(pageSize: Int, count: Int) {
        self.pageSize = pageSize
        self.count = count
        unsafe memory = .allocate(byteCount: pageSize * count, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// The buffer of a level. Levels are the walker's own numbers, never the file's.
    func writable(_ level: Int) -> UnsafeMutableRawBufferPointer {
        let start = min(max(0, level), count - 1) * pageSize
        return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + pageSize])
    }

    func page(_ level: Int) -> PageBytes { unsafe PageBytes(UnsafeRawBufferPointer(writable(level))) }
}
