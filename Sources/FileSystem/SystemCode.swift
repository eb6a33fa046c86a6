#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// An error number of the system (`errno`). Those that have no name here survive.
package struct SystemCode: RawRepresentable, Error, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// What the call that just failed on this thread left.
    static var last: SystemCode { SystemCode(rawValue: errno) }

    /// No such file or folder.
    package static let noEntry = SystemCode(rawValue: ENOENT)
    /// Something has that name already.
    package static let entryExists = SystemCode(rawValue: EEXIST)
    /// Something on the path isn't a folder.
    package static let notADirectory = SystemCode(rawValue: ENOTDIR)
    /// It is a folder.
    package static let isADirectory = SystemCode(rawValue: EISDIR)
    /// A folder that isn't empty.
    package static let notEmpty = SystemCode(rawValue: ENOTEMPTY)
    /// A symbolic link where none is followed.
    package static let symbolicLink = SystemCode(rawValue: ELOOP)
    /// No permission.
    package static let accessDenied = SystemCode(rawValue: EACCES)
    /// Only for another user.
    package static let notPermitted = SystemCode(rawValue: EPERM)
    /// The file system is read-only.
    package static let readOnlyFileSystem = SystemCode(rawValue: EROFS)
    /// The disk is full.
    package static let noSpace = SystemCode(rawValue: ENOSPC)
    /// No memory or no address space.
    package static let noMemory = SystemCode(rawValue: ENOMEM)
    /// Somebody else holds the lock.
    package static let wouldBlock = SystemCode(rawValue: EWOULDBLOCK)
    /// A signal came in between.
    package static let interrupted = SystemCode(rawValue: EINTR)
    /// It is being used.
    package static let busy = SystemCode(rawValue: EBUSY)
    /// What was asked for makes no sense here.
    package static let invalid = SystemCode(rawValue: EINVAL)
    /// Two file systems.
    package static let crossesFileSystems = SystemCode(rawValue: EXDEV)
}

extension SystemCode: CustomStringConvertible {
    /// What the system calls it, and its number.
    package var description: String { "\(message) (\(rawValue))" }

    /// What the system calls it, such as "No space left on device".
    package var message: String {
        guard let text = unsafe strerror(rawValue) else { return "error" }
        return unsafe String(cString: text)
    }
}
