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
    package static var last: SystemCode { SystemCode(rawValue: errno) }

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
    /// The user's share of the disk is used up.
    package static let quotaExceeded = SystemCode(rawValue: EDQUOT)
    /// A file would be larger than a limit allows.
    package static let fileTooLarge = SystemCode(rawValue: EFBIG)
    /// No memory or no address space.
    package static let noMemory = SystemCode(rawValue: ENOMEM)
    /// This process has as many files open as it may.
    package static let tooManyFiles = SystemCode(rawValue: EMFILE)
    /// All processes together have as many files open as they may.
    package static let tooManyFilesOfAll = SystemCode(rawValue: ENFILE)
    /// A device failed, or a write was only half done.
    package static let inputOutput = SystemCode(rawValue: EIO)
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
    /// What the system calls it, its number, and where the machine has too little of something, what to do about it.
    package var description: String { "\(message) (\(rawValue))" + (shortage.map { ": \($0)" } ?? "") }

    /// What there is too little of, and what to do about it; nil for all other codes.
    package var shortage: String? {
        switch self {
        case .noSpace: "the disk is full; free some space, then try again"
        case .quotaExceeded: "your share of the disk is full; free some space, then try again"
        case .fileTooLarge: "the file would be larger than a limit allows (ulimit -f, or the file system's); raise it, then try again"
        case .noMemory: "there isn't enough memory; close other programs or raise the limit (ulimit -v), then try again"
        case .tooManyFiles: "raise the limit of open files (ulimit -n), then try again"
        case .tooManyFilesOfAll: "close other programs, then try again"
        default: nil
        }
    }

    /// What the system calls it, such as "No space left on device".
    package var message: String {
        guard let text = unsafe strerror(rawValue) else { return "error" }
        return unsafe String(cString: text)
    }
}
