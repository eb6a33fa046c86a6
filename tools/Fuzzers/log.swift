import Engram
import Glibc

private let store: StudyStore = {
    var template = Array("/dev/shm/engram-fuzz-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { fatalError("no temporary folder") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do { return try StudyStore.create(at: folder + "/store") } catch { fatalError("\(error)") }
}()

/// Bytes as the lines of an exported log: nothing may trap, and what is refused changes nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)[...]
    let moment = ZonedTime(wallMilliseconds: 1_893_499_200_000, zoneMinutes: 0)
    do throws(StoreError) {
        _ = try store.importLog(path: "lines", at: moment) { lines.popFirst() }
    } catch {
        precondition(error.code != .notFound, "\(error)")
    }
    return 0
}
