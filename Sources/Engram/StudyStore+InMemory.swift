internal import EventLog
internal import FileSystem
internal import LMDB

extension StudyStore {
    private static let memories = CommitLog.storeFolder.work("memory")
    /// So much room a file system in memory must have to hold a store.
    private static let leastMemoryBytes = 256 << 20

    /// An empty store that is gone with this object: for previews and tests.
    ///
    /// It is a store like any other, obeys what every store does, and can be verified, merged and opened a second time by its ``path``
    /// while it lives. It lies in a file system that is in memory where there is a roomy one, so that nothing waits for a disk, else in the
    /// folder for temporary files. What a killed process leaves, the next one that makes such a store removes.
    /// - Throws: ``StoreError/storage(path:operation:why:)`` where neither folder can be written to.
    public static func inMemory(configuration: Configuration = Configuration()) throws(StoreError) -> StudyStore {
        let parent = memoryFolder
        let work = try inFiles(parent) { () throws(FileError) in try WorkFolder.make(memories, in: parent) }
        return try inLog(
            of: work.path,
            StudyStore(
                log: CommitLog.create(
                    path: work.path + "/" + StoreFolder.made, origin: newOrigin(configuration), companions: companionDatabases),
                configuration: configuration, work: work))
    }

    private static var memoryFolder: String {
        let memory = "/dev/shm"
        let isRoomy = Shortage.freeBytes(at: memory).map { $0 >= leastMemoryBytes } ?? false
        return isRoomy && Files.isWritable(memory) ? memory : Files.temporaryFolder
    }
}
