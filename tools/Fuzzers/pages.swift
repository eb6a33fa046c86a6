import Glibc
import LMDB

private let path = "/dev/shm/engram-fuzz-pages-\(getpid())"

/// Bytes as a data file: the walk over its pages ends, traps on nothing, and reads nothing outside of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    if mkdir(path, 0o700) != 0, errno != EEXIST { fatalError("no folder") }
    let file = open(path + "/data.mdb", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { fatalError("no file") }
    // Most of a page is free space, so inputs leave it out: a length and so many bytes, again and again, each at a new page.
    unsafe spread(UnsafeBufferPointer(start: start, count: count), to: file)
    close(file)
    // It looks again after a pause where a file seems to be written to, so only some inputs get it.
    if count % 16 == 0 { _ = try? StoreCheck.quickCheck(path) }
    _ = try? PageCheck.run(storePath: path)
    return 0
}

private func spread(_ bytes: UnsafeBufferPointer<UInt8>, to file: Int32) {
    var (place, page) = (0, 0)
    while place + 2 <= bytes.count, page < 32 {
        let head = unsafe min(Int(bytes[place]) * 2, bytes.count - place - 2)
        let tail = unsafe min(Int(bytes[place + 1]) * 8, bytes.count - place - 2 - head)
        unsafe _ = pwrite(file, bytes.baseAddress?.advanced(by: place + 2), head, off_t(page * 4096))
        // Entries stand at a page's end.
        unsafe _ = pwrite(file, bytes.baseAddress?.advanced(by: place + 2 + head), tail, off_t((page + 1) * 4096 - tail))
        place += 2 + head + tail
        page += 1
    }
    ftruncate(file, off_t(page * 4096))
}
