import Engram
import EventCoding
internal import EventCoding
import Foundation

/// What the screens of the two apps wait for: lists, sessions, packs, the dictionary. Floors are none; each has a time to keep.
struct AppMeasures {
    let engram: String
    let folder: String
    /// Real files to measure with, where they are at hand; else made ones of the same size.
    let pack: String?
    let dictionary: String?

    private static let runs = 5
    private static let cards = 100_000
    private static let headwords = 200_000

    func measures() throws -> [Measure] {
        [try lists(), try sessions(), try packs(), try dictionaries()] + (try words())
    }

    private func write(_ name: String, _ lines: some Sequence<String>) throws -> String {
        let path = folder + "/" + name
        try lines.joined(separator: "\n").appending("\n").write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    /// The median time of a whole process on a new store each time.
    private func process(_ name: String, _ arguments: [String]) throws -> Double {
        let times = try (0..<Self.runs).map { number in
            let store = "\(folder)/\(name)-\(number)"
            _ = try ChildProcess.run(engram, ["init", "--store", store])
            let result = try ChildProcess.run(engram, arguments + ["--store", store])
            guard result.exitCode == 0 else { throw ChildProcess.CannotStart(path: "engram \(arguments.joined(separator: " "))") }
            return result.seconds
        }
        return Clock.median(times)
    }

    private func lists() throws -> Measure {
        let rows = (0..<Self.cards).map { "front \($0 &* 7919 % Self.cards),\"back, the \($0)th\"" }
        let list = try write("list.csv", ["front,back"] + rows)
        return Measure(
            key: "import_list", what: "import of a list of 100,000 cards, the whole process", unit: "s",
            ours: try process("list", ["import", list, "--deck", "List"]), floor: nil, must: 2)
    }

    /// On the store that the list went into: all of its cards are due.
    private func sessions() throws -> Measure {
        let store = try StudyStore.open(at: folder + "/list-0")
        let now = ZonedTime(wallMilliseconds: BenchmarkStore.now.wallMilliseconds + 400 * 86_400_000, zoneMinutes: 0)
        var session = try store.startSession(seed: 7, at: now)
        _ = try session.next(at: now)
        var times: [Double] = []
        for number in 0..<500 {
            _ = try session.answer(number % 5 == 0 ? .again : .good, took: 900, at: now)
            times.append(try Clock.seconds { _ = try session.next(at: now) })
        }
        return Measure(
            key: "session_next", what: "next card of a session, 100,000 cards due", unit: "ms", ours: Clock.median(times) * 1000,
            floor: nil,
            must: 1)
    }

    private func packs() throws -> Measure {
        let questions = (0..<6685).map {
            "{\"question\": \"question \($0)\", \"options\": [\"right \($0)\", \"wrong \($0)\"], \"answer\": \"right \($0)\"}"
        }
        let made = try write("pack.json", ["[" + questions.joined(separator: ",\n") + "]"])
        return Measure(
            key: "install_pack", what: "install of a pack of 6,685 questions, the whole process", unit: "s",
            ours: try process("pack", ["pack", "install", pack ?? made]), floor: nil, must: 0.5)
    }

    private func dictionaries() throws -> Measure {
        let made = try write(
            "ding.txt", (0..<20_000).map { "Wort \($0) {n}; Begriff \($0) | Wörter \($0) :: word \($0); term \($0) | words \($0)" })
        return Measure(
            key: "import_ding", what: "import of a Ding dictionary of 20,000 entries, the whole process", unit: "s",
            ours: try process("ding", ["words", "import", dictionary ?? made, "--from", "ding"]), floor: nil, must: 1)
    }

    private func words() throws -> [Measure] {
        var dice = SplitMix64(seed: 11)
        let letters = Array("abcdefghijklmnopqrstuvwxyzäöüßéабвгдеёжзийклмноп")
        let headwords = (0..<Self.headwords).map { _ in
            String((0..<3 + Int(dice.next() % 9)).map { _ in letters[Int(dice.next() % UInt64(letters.count))] })
        }
        let path = folder + "/words"
        let list = try write("headwords.txt", headwords.enumerated().map { "\($1) {n} :: \($0)" })
        let store = try StudyStore.create(at: path)
        _ = try store.importWords(at: list, format: .ding, moment: BenchmarkStore.now)
        let prefixes = (0..<1000).map { _ in
            String((headwords[Int(dice.next() % UInt64(headwords.count))]).prefix(1 + Int(dice.next() % 6)))
        }
        let times = try prefixes.map { prefix in try Clock.seconds { _ = try store.words(prefix: prefix) } }
        let processes = try prefixes.prefix(21).map { prefix in
            try ChildProcess.run(engram, ["words", "--json", "--store", path, "--", prefix]).seconds
        }
        return [
            Measure(
                key: "words_prefix", what: "first 20 words of any prefix, 200,000 headwords", unit: "ms", ours: Clock.median(times) * 1000,
                floor: nil, must: 1),
            Measure(
                key: "words_process", what: "engram words --json, the whole process", unit: "ms", ours: Clock.median(processes) * 1000,
                floor: nil, must: 30),
        ]
    }
}
