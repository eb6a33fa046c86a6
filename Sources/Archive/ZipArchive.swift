internal import CZip

/// A foreign zip archive, open for reading only. Its sizes are believed only after they were found true.
@safe package struct ZipArchive: ~Copyable {
    /// The first bytes of an archive that has members.
    package static let magic: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    /// The first bytes of an archive that has none.
    package static let emptyMagic: [UInt8] = [0x50, 0x4B, 0x05, 0x06]

    /// Where the archive is.
    package let path: String
    private let limits: ArchiveLimits
    private let archive: OpaquePointer

    /// Opens the archive at `path`. Complexity: linear in the number of members.
    package init(path: String, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        guard !path.utf8.contains(0) else { throw ArchiveError(.cannotOpen("a path with a zero byte"), path: path) }
        var code: Int32 = 0
        guard let opened = unsafe zip_open(path, ZIP_RDONLY, &code) else {
            var error = unsafe zip_error_t()
            unsafe zip_error_init_with_code(&error, code)
            defer { unsafe zip_error_fini(&error) }
            let words = unsafe String(cString: zip_error_strerror(&error))
            let isOfFile = [ZIP_ER_NOENT, ZIP_ER_OPEN, ZIP_ER_READ, ZIP_ER_MEMORY].contains(code)
            throw ArchiveError(isOfFile ? .cannotOpen(words) : .notAnArchive(words), path: path)
        }
        let count = unsafe Int(zip_get_num_entries(opened, 0))
        guard count <= limits.members else {
            unsafe zip_discard(opened)
            throw ArchiveError(.tooManyMembers(count, limit: limits.members), path: path)
        }
        self.path = path
        self.limits = limits
        unsafe archive = unsafe opened
    }

    // Nothing was changed, so there is nothing to write and nothing to fail.
    deinit { unsafe zip_discard(archive) }

    /// Whether there is a member of exactly that name.
    package func contains(_ member: String) -> Bool { unsafe zip_name_locate(archive, member, 0) >= 0 }

    /// The unpacked bytes of the member of that name, its checksum proven.
    package func read(_ member: String) throws(ArchiveError) -> [UInt8] {
        let index = unsafe zip_name_locate(archive, member, 0)
        guard index >= 0 else { throw ArchiveError(.noSuchMember, path: path, member: member) }
        let declared = try declaredSize(of: UInt64(index), member)
        guard let file = unsafe zip_fopen_index(archive, UInt64(index), 0) else { throw fault(member) }
        defer { _ = unsafe zip_fclose(file) }

        var bytes: [UInt8] = []
        bytes.reserveCapacity(declared)
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe zip_fread(file, $0.baseAddress, UInt64($0.count)) }
            guard count >= 0 else { throw unsafe fault(member, zip_file_get_error(file)) }
            if count == 0 { break }
            // What is declared is within the limits; so is everything up to it.
            guard bytes.count + Int(count) <= declared else {
                throw ArchiveError(.sizeMismatch(declared: declared, actual: bytes.count + Int(count)), path: path, member: member)
            }
            bytes.append(contentsOf: chunk[..<Int(count)])
        }
        guard bytes.count == declared else {
            throw ArchiveError(.sizeMismatch(declared: declared, actual: bytes.count), path: path, member: member)
        }
        return bytes
    }

    /// What the directory says of a member's size, found within the limits.
    private func declaredSize(of index: UInt64, _ member: String) throws(ArchiveError) -> Int {
        var status = unsafe zip_stat_t()
        guard unsafe zip_stat_index(archive, index, 0, &status) == 0 else { throw fault(member) }
        let needed = UInt64(ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE)
        guard unsafe status.valid & needed == needed, let declared = unsafe Int(exactly: status.size),
            let packed = unsafe Int(exactly: status.comp_size)
        else { throw ArchiveError(.damaged("no sizes"), path: path, member: member) }
        if unsafe status.valid & UInt64(ZIP_STAT_ENCRYPTION_METHOD) != 0, unsafe status.encryption_method != ZIP_EM_NONE {
            throw ArchiveError(.encrypted, path: path, member: member)
        }
        if let objection = limits.objection(to: declared, packed: packed) {
            throw ArchiveError(objection, path: path, member: member)
        }
        return declared
    }

    private func fault(_ member: String) -> ArchiveError { unsafe fault(member, zip_get_error(archive)) }

    private func fault(_ member: String, _ error: UnsafeMutablePointer<zip_error_t>) -> ArchiveError {
        let words = unsafe String(cString: zip_error_strerror(error))
        let kind: ArchiveError.Kind =
            switch unsafe zip_error_code_zip(error) {
            case ZIP_ER_EOF: .truncated
            case ZIP_ER_COMPNOTSUPP: .unknownCompression
            case ZIP_ER_ENCRNOTSUPP, ZIP_ER_NOPASSWD, ZIP_ER_WRONGPASSWD: .encrypted
            default: .damaged(words)
            }
        return ArchiveError(kind, path: path, member: member)
    }
}
