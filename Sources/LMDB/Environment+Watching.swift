internal import FileSystem

extension Environment {
    /// Whether a writer, of this process or another, is at work at this moment. False as well where that can't be found out.
    ///
    /// `writer.lock` is opened anew for it: a lock of this process's own file would say nothing of its own threads.
    package var hasWriterAtWork: Bool {
        let writer = StoreFiles.writerForReading(in: path)
        guard writer.isOpen else { return false }
        do throws(SystemCode) {
            // It goes with the file.
            try writer.lock(.shared, waiting: false)
            return false
        } catch { return error == .wouldBlock }
    }
}
