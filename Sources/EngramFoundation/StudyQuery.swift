public import Engram
public import Observation

/// The newest answer to a question to a store, for a screen: it asks again whenever the store may show something new, of this process or of
/// another, off the main actor, and changes only where the answer does.
///
///     let decks = StudyQuery(store) { store throws(StoreError) in try store.decks(at: now()) }
@MainActor @Observable
public final class StudyQuery<Value: Equatable & Sendable> {
    /// The newest answer; `nil` until there is one.
    public private(set) var value: Value?
    /// Why the last time that it asked there was no answer; the one before stays.
    public private(set) var error: StoreError?
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Begins to ask. It ends with the last reference to it, and when the store is closed.
    ///
    /// - Parameter question: asks the store. It runs on a thread of its own, and must not write.
    public init(_ store: StudyStore, _ question: @escaping @Sendable (StudyStore) throws(StoreError) -> Value) {
        task = Task { [weak self] in
            for await _ in store.updates() {
                let answer: Result<Value, StoreError>
                do throws(StoreError) { answer = .success(try await store.asking(question)) } catch { answer = .failure(error) }
                guard let self else { return }
                take(answer)
            }
        }
    }

    isolated deinit { task?.cancel() }

    private func take(_ answer: Result<Value, StoreError>) {
        switch answer {
        case .success(let next):
            if value != next { value = next }
            if error != nil { error = nil }
        case .failure(let failure): error = failure
        }
    }
}
