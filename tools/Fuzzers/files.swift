import Engram
import Glibc

private let folder: String = {
    var template = Array("/dev/shm/engram-fuzz-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { fatalError("no temporary folder") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}()
private let store: StudyStore = {
    do { return try StudyStore.create(at: folder + "/store") } catch { fatalError("\(error)") }
}()

/// Bytes as a file of another program, of every format that there is: nothing may trap, and what is refused names the file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let path = folder + "/file"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { fatalError("no file") }
    unsafe _ = write(file, start, count)
    close(file)
    let moment = ZonedTime(wallMilliseconds: 1_893_499_200_000, zoneMinutes: 0)
    for format in [nil] + ImportFormat.allCases.map(Optional.init) {
        do throws(StoreError) {
            _ = try store.importHistory(at: path, format: format, isDryRun: true, moment: moment)
        } catch {
            precondition("\(error)".contains("file"), "\(error)")
        }
    }
    return 0
}
