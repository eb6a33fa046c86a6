#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Names a file however its path is spelt.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

/// What the system says of a file, as far as anybody here asks.
package struct FileStatus: Hashable, Sendable {
    package let identity: FileIdentity
    package let length: Int
    package let isRegular: Bool
    package let isDirectory: Bool
    package let isLink: Bool
    /// The user that it belongs to.
    package let owner: UInt32
    /// How many names the file has (hard links).
    package let names: Int

    init(_ status: stat) {
        identity = FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
        length = Int(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        isLink = status.st_mode & S_IFMT == S_IFLNK
        owner = status.st_uid
        names = Int(status.st_nlink)
    }
}
