internal import LMDB

/// Where what takes long is done for a caller who can't wait: an actor that draws, a task on one of the few threads that tasks share.
enum Background {
    /// Runs `body` on a thread of its own, where it may take as long as it likes.
    ///
    /// A task that is cancelled ends it at the next place where it can still leave everything as it was.
    /// - Throws: what `body` throws; ``StoreError/cancelled`` where the task was cancelled and nothing was changed.
    static func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        let interruption = Interruption()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Swift.Result<Result, StoreError>, Never>) in
                let work = { @Sendable in
                    let result: Swift.Result<Result, StoreError> = interruption.run {
                        do throws(StoreError) {
                            if Interruption.isRequested { throw .cancelled }
                            return .success(try body())
                        } catch { return .failure(error) }
                    }
                    continuation.resume(returning: result)
                }
                // Where the system has no thread left, this one waits.
                if !Threads.begin(work) { work() }
            }
        } onCancel: {
            interruption.request()
        }
        return try result.get()
    }
}
