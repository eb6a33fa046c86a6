internal import FileSystem

extension RawFile {
    /// Why the pages of the newest snapshot, or the note beside the file, leave it open whether the file holds all that it ever did;
    /// `nil` where a walk over all of them finds nothing, and the note says the same as the file or is an older one.
    ///
    /// A tree that is whole by itself may have lost its last entries together with its counter: the pages that they lay in are
    /// then in nobody's use, which LMDB never leaves, or the leaf has a hole where they were.
    ///
    /// - Parameter appended: names of the databases that the note covers the ends of.
    package func doubt(appended: [String]) -> String? {
        do throws(StoreFileError) {
            let check = try PageCheck.run(dataPath: path, snapshots: .newest)
            if let finding = check.findings.first {
                return "its pages aren't as they were written (\(finding)), so what they held before isn't known"
            }
            return try noteDoubt(appended)
        } catch {
            return "its pages can't all be read: \(error)"
        }
    }

    private func noteDoubt(_ appended: [String]) throws(StoreFileError) -> String? {
        // Beside a file of another name lies the note of another store, if any.
        let folder = Files.folder(of: path)
        guard path == StoreFiles.dataPath(in: folder), let note = CommitNote.read(inStore: folder),
            let newest = TreeScan.metas(of: self).first
        else { return nil }
        if note.transaction > newest.transaction {
            return "the note beside it is of commit \(note.transaction), and the file of commit \(newest.transaction)"
        }
        // An older one is what a process leaves that ends right after its commit.
        guard note.transaction == newest.transaction else { return nil }
        guard try CommitNote.digest(ofMeta: newest, in: file) == note.metaDigest else {
            return "its newest meta page isn't the one that the note beside it speaks of"
        }
        var digest = HeadDigest(pageSize: Int(newest.pageSize), appended: appended)
        guard try digest.of(newest, in: file) == note.headDigest else {
            return "its newest pages aren't those that the note beside it speaks of"
        }
        return nil
    }
}
