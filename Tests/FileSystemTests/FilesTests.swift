import Testing

@testable import FileSystem

@Suite struct FilesTests {
    @Test(arguments: [("/a/b", "/a"), ("a/b", "a"), ("/a", "/"), ("a", "."), ("/", "/")])
    func theFolderOfAPath(path: String, folder: String) {
        #expect(Files.folder(of: path) == folder)
    }

    @Test func aCodeSurvivesAndNamesItself() {
        #expect(SystemCode(rawValue: 12345).description.contains("12345"))
        #expect(SystemCode.noSpace.message == "No space left on device")
        #expect(FileError(.noSpace, operation: "open", path: "/a").description.hasPrefix("/a: open: No space"))
    }
}
