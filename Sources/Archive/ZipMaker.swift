internal import CZip

/// Makes a new zip archive in memory.
package enum ZipMaker {
    private static let name = "a new archive"

    /// The bytes of an archive of these members, compressed, in their order. The same members give the same bytes: each is
    /// dated at the beginning of the format's time.
    package static func bytes(of members: [(name: String, content: [UInt8])]) throws(ArchiveError) -> [UInt8] {
        guard let target = unsafe zip_source_buffer_create(nil, 0, 0, nil) else { throw noMemory }
        // The archive takes one reference with it when it is closed; this one is for reading what it wrote.
        unsafe zip_source_keep(target)
        defer { unsafe zip_source_free(target) }
        guard let archive = unsafe zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, nil) else {
            unsafe zip_source_free(target)
            throw noMemory
        }
        do throws(ArchiveError) {
            for (name, content) in members { try unsafe add(content, name, to: archive) }
            guard unsafe zip_close(archive) == 0 else { throw unsafe fault(zip_get_error(archive)) }
        } catch {
            unsafe zip_discard(archive)
            throw error
        }
        return try unsafe read(target)
    }

    private static func add(_ content: [UInt8], _ name: String, to archive: OpaquePointer) throws(ArchiveError) {
        // libzip reads the content when the archive is closed, and keeps what it needs of it until then.
        guard let source = unsafe zip_source_buffer_create(nil, 0, 0, nil) else { throw noMemory }
        let isWritten = unsafe content.withUnsafeBytes { bytes in
            guard unsafe zip_source_begin_write(source) == 0 else { return false }
            guard unsafe zip_source_write(source, bytes.baseAddress, UInt64(bytes.count)) == Int64(bytes.count) else { return false }
            return unsafe zip_source_commit_write(source) == 0
        }
        let index = isWritten ? unsafe zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8) : -1
        guard index >= 0 else {
            unsafe zip_source_free(source)
            throw unsafe fault(zip_get_error(archive))
        }
        _ = unsafe zip_set_file_compression(archive, UInt64(index), ZIP_CM_DEFLATE, 6)
        // 1980-01-01 00:00.
        _ = unsafe zip_file_set_dostime(archive, UInt64(index), 0, 1 << 5 | 1, 0)
    }

    private static func read(_ source: OpaquePointer) throws(ArchiveError) -> [UInt8] {
        var status = unsafe zip_stat_t()
        guard unsafe zip_source_stat(source, &status) == 0, unsafe status.valid & UInt64(ZIP_STAT_SIZE) != 0,
            let count = unsafe Int(exactly: status.size), unsafe zip_source_open(source) == 0
        else { throw unsafe fault(zip_source_error(source)) }
        defer { _ = unsafe zip_source_close(source) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe bytes.withUnsafeMutableBytes { unsafe zip_source_read(source, $0.baseAddress, UInt64($0.count)) }
        guard read == Int64(count) else { throw unsafe fault(zip_source_error(source)) }
        return bytes
    }

    private static var noMemory: ArchiveError { ArchiveError(.cannotOpen("no memory"), path: name) }

    private static func fault(_ error: UnsafeMutablePointer<zip_error_t>?) -> ArchiveError {
        let words = unsafe error.map { unsafe String(cString: zip_error_strerror($0)) } ?? "unknown fault"
        return ArchiveError(.cannotOpen(words), path: name)
    }
}
