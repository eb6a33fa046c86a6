import Engram
import EngramTesting
import EventCoding
import Foundation
import StudyModel

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
func moment(_ minutes: Int = 0, zone: Int16 = 0) -> Moment {
    Moment(wallMilliseconds: 1_709_294_400_000 + Int64(minutes) * 60_000, zoneMinutes: zone)
}

let day = 24 * 60

extension StudyStore {
    /// How the live state, a fold from zero, a deep verification and another look at the file disagree; `nil` where they don't.
    func disagreement() throws -> String? {
        let replay = try replay(at: moment())
        if replay.isEqual != true { return "the live state isn't the replayed one" }
        let report = try StudyStore.verify(at: path, level: .deep)
        return report.isSound ? nil : "\(report.findings)"
    }

    func deck(_ title: String = "Words", at minutes: Int = 0) throws -> UniqueID {
        try perform(.createDeck(title: title, colour: nil), at: moment(minutes)).subject
    }

    func card(_ front: String = "front", in deck: UniqueID, at minutes: Int = 0) throws -> UniqueID {
        try perform(.createCard(deck: deck, front: front, back: "back"), at: moment(minutes)).subject
    }
}
