internal import CSQLite
internal import Synchronization

/// How much of the machine a foreign database may take, whatever it says of itself.
package enum ForeignLimits {
    /// Bytes of one text or blob.
    static let valueBytes = 32 << 20
    /// Bytes of a file and its journal, where both must be copied to be read.
    package static let copiedBytes = 4 << 30
    /// Bytes that SQLite may take for a database, beside twice the database's own size: sorted tables lie in memory.
    static let memoryBytes = 256 << 20

    /// Bytes of values that may be read out of a database of `size` bytes. A damaged one can say the same page over and over; an
    /// honest one is read a few times over, its notes once a card.
    static func readBytes(size: Int) -> Int { clampedSum(256 << 20, size.multipliedReportingOverflow(by: 64)) }

    fileprivate static func clampedSum(_ base: Int, _ product: (partialValue: Int, overflow: Bool)) -> Int {
        let (sum, overflow) = base.addingReportingOverflow(product.partialValue)
        return overflow || product.overflow ? .max : sum
    }
}

/// Keeps SQLite's memory within what the open foreign databases may take, as long as any is open.
///
/// SQLite knows one limit for the whole process. Each open database adds its share to it, on top of what was in use before the
/// first; with the last, what was set before is set again. So a program's own databases have all of the shares, too.
final class HeapShare: Sendable {
    private struct State {
        var shares = 0
        var base: Int64 = 0
        var open = 0
        var hardBefore: Int64 = 0
        var softBefore: Int64 = 0
    }

    private static let state = Mutex(State())
    private let bytes: Int

    /// Adds the share of a database of `size` bytes.
    init(size: Int) {
        let bytes = ForeignLimits.clampedSum(ForeignLimits.memoryBytes, size.multipliedReportingOverflow(by: 2))
        self.bytes = min(bytes, 1 << 40)
        Self.change(by: self.bytes, open: 1)
    }

    deinit { Self.change(by: -bytes, open: -1) }

    private static func change(by bytes: Int, open: Int) {
        state.withLock { state in
            if state.open == 0 {
                state.base = sqlite3_memory_used()
                state.hardBefore = sqlite3_hard_heap_limit64(-1)
                state.softBefore = sqlite3_soft_heap_limit64(-1)
            }
            state.open += open
            state.shares += bytes
            guard state.open > 0 else {
                _ = sqlite3_hard_heap_limit64(state.hardBefore)
                _ = sqlite3_soft_heap_limit64(state.softBefore)
                return
            }
            let limit = state.base + Int64(state.shares)
            // A limit that a program set for itself stays where it is lower.
            _ = sqlite3_hard_heap_limit64(state.hardBefore > 0 ? min(limit, state.hardBefore) : limit)
        }
    }
}
