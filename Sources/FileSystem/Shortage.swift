#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// How much there is left of what a process may use.
package enum Shortage {
    /// Less than this much free space is a full disk: no store can be made with it, or written to for long.
    package static let leastFreeBytes = 1 << 20

    /// Bytes that may still be written to the file system on which `path` is; nil where it doesn't say.
    package static func freeBytes(at path: String) -> Int? {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0, status.f_blocks > 0 else { return nil }
        let size = Int(clamping: status.f_frsize)
        let (bytes, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: size)
        return overflow ? .max : bytes
    }

    /// Why the file at `path` can't have grown, where that can be told: a write that was only half done leaves no reason.
    package static func reasonOfShortWrite(to path: String) -> SystemCode? {
        if let limit = limit(of: RLIMIT_FSIZE), let length = try? Files.status(of: path, followingLinks: true).length, length >= limit {
            return .fileTooLarge
        }
        if let free = freeBytes(at: path), free < leastFreeBytes { return .noSpace }
        return nil
    }

    /// Bytes of address space that this process may have; nil where there is no limit.
    package static var addressSpaceLimit: Int? { limit(of: RLIMIT_AS) }

    #if canImport(Glibc)
        private typealias Resource = __rlimit_resource
    #else
        private typealias Resource = Int32
    #endif

    private static func limit(of resource: Resource) -> Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return nil }
        #else
            guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
        #endif
        // No limit is the largest number there is, or nearly.
        return limit.rlim_cur < UInt64(Int.max) ? Int(limit.rlim_cur) : nil
    }
}
