import Foundation
import Testing

/// What lies where outside of the code: the top of the tree, the decisions, the pages for readers, the scripts.
@Suite struct HouseTests {
    @Test func theTopHoldsThisAndNothingElse() {
        #expect(
            SourceTree.entries() == [
                ".ci", ".gitignore", ".swift-format", "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE", "Package.swift", "README.md", "Schemas",
                "Sources", "Tests", "docs", "tools",
            ])
    }

    @Test func decisionsAreNumberedWithoutGaps() {
        let pages = SourceTree.files(under: "docs/decisions", withExtension: "md").filter { $0.name != "README.md" }
        #expect(!pages.isEmpty)
        for (index, page) in pages.enumerated() {
            let number = String(repeating: "0", count: 4 - "\(index + 1)".count) + "\(index + 1)"
            #expect(page.name.hasPrefix("\(number)-"), "\(page.name) should be number \(number)")
            #expect(page.text.hasPrefix("# \(number): "), "\(page.name) should begin with '# \(number): '")
        }
    }

    @Test func theArchitecturePageNamesEveryRoomAndIsShort() {
        let page = SourceTree.text("ARCHITECTURE.md")
        for room in RoomTests.rooms + RoomTests.libraries { #expect(page.contains("`\(room)`"), "ARCHITECTURE.md doesn't name \(room)") }
        #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 120, "at most two pages")
    }

    @Test func linksOfThePagesLeadSomewhere() {
        let pages = SourceTree.files(withExtension: "md").filter { !$0.path.hasPrefix("Sources/") }
        for page in pages {
            let folder = SourceTree.root.appendingPathComponent(page.path).deletingLastPathComponent()
            for link in page.text.matches(of: /\]\(([^)#:\s]+)(?:#[^)]*)?\)/) {
                let target = folder.appendingPathComponent(String(link.1)).path
                #expect(FileManager.default.fileExists(atPath: target), "\(page.path) links to \(link.1)")
            }
        }
    }

    @Test func scriptsCanBeRun() {
        let scripts = SourceTree.files(under: "tools").filter { $0.path.split(separator: "/").count == 2 } + [SourceFile(path: ".ci/run")]
        #expect(scripts.count > 3)
        for script in scripts {
            #expect(
                FileManager.default.isExecutableFile(atPath: SourceTree.root.appendingPathComponent(script.path).path), "\(script.path)")
            #expect(script.text.hasPrefix("#!/usr/bin/env "), "\(script.path)")
        }
    }

    /// Words of unfinished work, and traces of one machine. They are put together here, so that this file doesn't hold them.
    @Test func nothingIsLeftOpenAndNothingTellsOfOneMachine() throws {
        let open = [
            "TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK", "not imple" + "mented", "unimple" + "mented", "place" + "holder",
            "for" + " now",
        ]
        let paths = ["/wo" + "rk/", "/tmp" + "/b-", "/ro" + "ot/"]
        let hosts = [
            "pypi", "pythonhosted", "deb[.]debian", "archive[.]ubuntu", "npmjs", "crates[.]io", "rubygems", "mirror", "registry",
            "artifactory",
        ]
        let unfinished = ("\\b(?:\(open.joined(separator: "|")))\\b")
        let traces = ("(?:^|[\\s\"'(=])(?:\(paths.joined(separator: "|")))|https?://[^/\\s\"]*(?:\(hosts.joined(separator: "|")))")
        var found: [String] = []
        for file in SourceTree.files() where file.name != "review-history.csv" {
            found += try file.placesInText(of: traces)
            let isWork = ["Sources/", "Tests/", "tools/", "Schemas/"].contains(where: file.path.hasPrefix)
            if isWork { found += try file.placesInText(of: unfinished) }
        }
        #expect(found == [], "a machine's path, a registry's host, or words of unfinished work")
    }
}
