import EngramTesting
import EventCoding
import EventLog
import Foundation
import LMDB
import StudyModel

@testable import Engram

/// A folder under the system's temporary one that goes with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "engram-store-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func create(_ name: String = "store", checkpointInterval: Int = 4096) throws -> StudyStore {
        var configuration = StudyStore.Configuration()
        configuration.checkpointInterval = checkpointInterval
        return try StudyStore.create(at: path + "/" + name, configuration: configuration)
    }

    func open(_ name: String = "store", readOnly: Bool = false) throws -> StudyStore {
        try StudyStore.open(at: path + "/" + name, readOnly: readOnly)
    }
}

/// So many minutes after noon of 2024-03-01 UTC.
func moment(_ minutes: Int = 0, zone: Int16 = 0) -> ZonedTime {
    ZonedTime(wallMilliseconds: 1_709_294_400_000 + Int64(minutes) * 60_000, zoneMinutes: zone)
}

let day = 24 * 60

extension StudyStore {
    /// How the live state, folds from zero in any number of parts, a deep verification and another look at the file disagree; `nil`
    /// where they don't.
    func disagreement() throws -> String? {
        let replay = try replay(at: moment())
        if replay.isEqual != true { return "the live state isn't the replayed one" }
        for (parts, found) in try foldsInParts() {
            if found.digest != replay.digest { return "folded in \(parts) parts the state is another" }
            if found.events != replay.events { return "folded in \(parts) parts \(found.events) events counted, not \(replay.events)" }
        }
        let report = try StudyStore.verify(at: path, level: .deep)
        // Content doesn't come with a merge.
        let findings = report.findings.filter { !$0.isAboutContent }
        return findings.isEmpty ? nil : "\(findings)"
    }

    /// What folds from zero in 1, 2, 3 and 7 parts come to, however short the log is.
    func foldsInParts() throws -> [(parts: Int, result: (digest: SHA256Digest, events: Int))] {
        try [1, 2, 3, 7].map { parts in
            let result = try log.read { (transaction: borrowing ReadTransaction) throws(LogError) in
                let fold = try Replay.fold(log, transaction, from: StudyState(), plan: Replay.Plan(parts: parts, minimumEvents: 0))
                return (try digest(of: fold.state, transaction), fold.events)
            }
            return (parts, result)
        }
    }

    func deck(_ title: String = "Words", at minutes: Int = 0) throws -> UniqueID {
        try perform(.createDeck(title: title, colour: nil), at: moment(minutes)).subject
    }

    func card(_ front: String = "front", in deck: UniqueID, at minutes: Int = 0) throws -> UniqueID {
        try perform(.createCard(deck: deck, front: front, back: "back"), at: moment(minutes)).subject
    }
}

extension Optional where Wrapped: CustomStringConvertible {
    /// Itself in words; nothing where there is none.
    var text: String { map(\.description) ?? "" }
}

extension StoreError {
    /// Whether the request was wrong, and not what the store can do.
    var isOfRequest: Bool {
        switch code {
        case .storeExists, .noStore, .unknownFormat, .olderFormat, .damaged, .contentDamaged, .indexDamaged, .storage, .forked, .inUse,
            .readOnly, .closed, .cancelled:
            false
        default: true
        }
    }
}
