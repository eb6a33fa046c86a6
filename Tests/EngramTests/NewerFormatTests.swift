import EventCoding
import EventLog
import LMDB
import StudyModel
import Testing

@testable import Engram

struct NewerFormatTests {
    @Test("A store of a newer format is refused with both versions named; what can be read of its events is listed all the same")
    func listing() throws {
        let folder = try TemporaryFolder()
        var lines: [[UInt8]] = []
        do {
            let store = try folder.create()
            let card = try store.card(in: store.deck())
            try store.perform(.review(card, .good, took: 900), at: moment(1))
            try store.exportLog { line in
                lines.append(line)
                return true
            }
            // As a newer program would leave it: its number, and a last commit of a form that nobody knows here.
            let commits = try store.log.environment.database("commits")
            let records = try store.log.environment.database("records")
            try store.log.environment.write { (transaction: inout WriteTransaction) throws(LMDBError) in
                try transaction.put(Array("format".utf8), [9, 0, 0, 0], in: records)
                try transaction.put(4, [UInt8](repeating: 9, count: 80), in: commits)
            }
        }
        let path = folder.path + "/store"
        let error = StoreError.unknownFormat(path: path, found: 9, known: 2)
        #expect(throws: error) { try folder.open() }
        #expect(throws: error) { try folder.open(readOnly: true) }
        #expect(error.description.contains("9") && error.description.contains("2"))
        var found: [[UInt8]] = []
        let unread = try StudyStore.events(ofNewerStoreAt: path) { event in
            found.append(event.line())
            return true
        }
        #expect(found == lines && unread == 1)
    }
}
