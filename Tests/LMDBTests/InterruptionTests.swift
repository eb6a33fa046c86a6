import Synchronization
import Testing

@testable import LMDB

@Suite struct InterruptionTests {
    private static func isEnded(_ body: () throws(LMDBError) -> Void) -> Bool {
        do throws(LMDBError) { try body() } catch { return error.fault == .interrupted }
        return false
    }

    @Test("Who runs under a request is ended, on other threads as well, and nobody else")
    func requests() throws {
        let folder = TemporaryFolder()
        let environment = try Environment.open(path: folder.store(), options: .init(folder: storeFolder, databases: ["rows"]))
        @Sendable func isEnded() -> Bool {
            Self.isEnded { () throws(LMDBError) in
                do throws(TransactionError<LMDBError>) { try environment.read { _ throws(LMDBError) in } } catch { throw error.error }
            }
        }
        let interruption = Interruption()
        #expect(!interruption.run { isEnded() })
        interruption.request()
        #expect(interruption.run { isEnded() && Self.isEnded { () throws(LMDBError) in try Interruption.check() } })
        let ended = Atomic(0)
        interruption.run { Threads.run(4) { _ in if isEnded() { ended.add(1, ordering: .relaxed) } } }
        #expect(ended.load(ordering: .relaxed) == 4)
        #expect(!isEnded())
        #expect(!interruption.run { Interruption.shield { isEnded() } })
    }

    @Test("What is final isn't ended any more, and what is to end doesn't become final")
    func finality() {
        let (first, second) = (Interruption(), Interruption())
        #expect(!first.run { Self.isEnded { () throws(LMDBError) in try Interruption.becomeFinal() } })
        first.request()
        #expect(!first.run { Self.isEnded { () throws(LMDBError) in try Interruption.check() } })
        second.request()
        #expect(
            second.run {
                Self.isEnded { () throws(LMDBError) in try Interruption.becomeFinal() }
                    && Self.isEnded { () throws(LMDBError) in try Interruption.check() }
            })
        #expect(!Self.isEnded { () throws(LMDBError) in try Interruption.becomeFinal() })
    }

    @Test("Of the steps of a long loop few ask")
    func steps() {
        let interruption = Interruption()
        interruption.request()
        let asked = interruption.run {
            (0..<1000 as Range<UInt64>).filter { step in Self.isEnded { () throws(LMDBError) in try Interruption.check(at: step) } }
        }
        #expect(asked == [0, 256, 512, 768])
    }
}
