import Engram
import EventCoding
import Foundation

/// Whole processes that ask for one card of many, beside the start of the program alone.
struct OpeningMeasures {
    let engram: String
    let folder: String

    private static let runs = 21

    func measures() throws -> [Measure] {
        try [50_000, 500_000].flatMap { count in
            let path = "\(folder)/opening-\(count)"
            let card = try makeStore(at: path, cards: count)
            let now = ["--store", path, "--now", BenchmarkStore.now.iso]
            return try [("card show", ["card", "show", card]), ("review", ["review", card, "good"]), ("timeline", ["timeline", card])]
                .map { name, arguments in
                    let times = try Clock.pair(Self.runs) {
                        _ = try ChildProcess.run(engram, arguments + now)
                    } _: {
                        _ = try ChildProcess.run(engram, ["--version"])
                    }
                    return Measure(
                        key: "\(name.replacing(" ", with: "_"))_\(count)",
                        what: "engram \(name) at \(count / 1000),000 cards / engram --version, whole processes", unit: "s",
                        ours: times.ours,
                        floor: times.floor, must: 1.8)
                }
        }
    }

    /// Makes a store of that many cards, with a checkpoint, and gives the start of the name of one of them.
    private func makeStore(at path: String, cards: Int) throws -> String {
        let list = path + ".csv"
        let rows = (0..<cards).map { "front \($0),back \($0)\n" }
        try Data(rows.joined().utf8).write(to: URL(filePath: list))
        let store = try StudyStore.create(at: path)
        _ = try store.importHistory(at: list, format: .list, moment: BenchmarkStore.now)
        guard let card = try store.cards().first?.id else { throw ChildProcess.CannotStart(path: list) }
        return card.description
    }
}
