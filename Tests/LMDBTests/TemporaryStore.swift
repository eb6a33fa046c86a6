import Foundation

@testable import LMDB

/// How the stores of these tests call their own files.
let storeFolder = StoreFolder(guardFile: "kitchen.lock", others: ["recipes.txt"])

/// A folder under the system's temporary one that goes with the value.
final class TemporaryFolder {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appending(path: "engram-lmdb-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A store's path in the folder.
    func store(_ name: String = "store") -> String { path + "/" + name }
}

extension RawSpan {
    var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
