import Engram
import Testing

struct UnreadableInputTests {
    #if os(Linux)
        /// A file that fails while it is read is not a file that ends there.
        @Test(arguments: ["/proc/self/mem"]) func aFileThatCannotBeReadToItsEndIsNoShortFile(path: String) throws {
            let folder = try TemporaryFolder()
            let store = try folder.create()
            do throws(StoreError) {
                _ = try store.merge(with: path, at: moment())
                Issue.record("it was taken for an empty file")
            } catch {
                guard case .storage(path, "read", _) = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    #endif
}
