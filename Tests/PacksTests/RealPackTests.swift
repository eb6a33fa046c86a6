import Foundation
import Testing

@testable import Packs

/// Real quiz files, where they are at hand: in `$ENGRAM_SHARED/data`, or in `shared/data` beside the package.
private let realPacks: String? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let given = ProcessInfo.processInfo.environment["ENGRAM_SHARED"]
    let folder = (given ?? package.deletingLastPathComponent().appending(path: "shared").path) + "/data/quiz"
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
}()

@Suite(.enabled(if: realPacks != nil, "no real quiz files at hand")) struct RealPackTests {
    /// One row of the second has a word whose wrong form is its right one.
    /// File, words, questions, rows left out, how many questions have 2 and 3 options.
    private static let expected: [(name: String, words: Int, questions: Int, skipped: Int, options: [Int: Int])] = [
        ("opentriviaqa_2_3_options.db", 0, 6685, 0, [2: 6685]),
        ("udareniya_WordEge.db", 30, 30, 1, [2: 30]),
        ("derdiedas_3_options.json", 0, 284, 0, [3: 284]),
    ]

    @Test("Every question of a real file is there", arguments: expected.indices)
    func files(_ index: Int) throws {
        let (name, words, questions, skipped, options) = Self.expected[index]
        let content = try PackContent.read(path: (realPacks ?? "") + "/" + name)
        #expect(
            content.words.count == words && content.questions.count == questions && content.skippedCount == skipped, "\(content.reasons)")
        #expect(Dictionary(grouping: content.questions, by: \.options.count).mapValues(\.count) == options)
        #expect(Set(content.questions.map(\.id)).count == questions)
    }
}
