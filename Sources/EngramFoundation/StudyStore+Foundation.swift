public import Engram
public import Foundation

extension StudyStore {
    /// Makes an empty store in the folder at `url`; as ``StudyStore/create(at:configuration:)``.
    public static func create(at url: URL, configuration: Configuration = Configuration()) throws(StoreError) -> StudyStore {
        try create(at: url.path(percentEncoded: false), configuration: configuration)
    }

    /// Opens the store in the folder at `url`; as ``StudyStore/open(at:readOnly:configuration:)``.
    public static func open(
        at url: URL, readOnly: Bool = false, configuration: Configuration = Configuration()
    ) throws(StoreError) -> StudyStore {
        try open(at: url.path(percentEncoded: false), readOnly: readOnly, configuration: configuration)
    }

    /// Opens the store in the folder at `url`, or makes an empty one; as ``StudyStore/openOrCreate(at:configuration:)``.
    public static func openOrCreate(at url: URL, configuration: Configuration = Configuration()) throws(StoreError) -> StudyStore {
        try openOrCreate(at: url.path(percentEncoded: false), configuration: configuration)
    }

    /// The store's folder.
    public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }
}

extension StoreError: LocalizedError {
    /// What is wrong, and where.
    public var errorDescription: String? { description }
}
