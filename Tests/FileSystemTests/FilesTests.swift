import Testing

@testable import FileSystem

@Suite struct FilesTests {
    @Test(arguments: [("/a/b", "/a"), ("a/b", "a"), ("/a", "/"), ("a", "."), ("/", "/")])
    func theFolderOfAPath(path: String, folder: String) {
        #expect(Files.folder(of: path) == folder)
    }

    @Test(arguments: [
        (SystemCode.noSpace, "disk is full"), (.quotaExceeded, "share of the disk"), (.fileTooLarge, "ulimit -f"), (.noMemory, "memory"),
        (.tooManyFiles, "ulimit -n"), (.tooManyFilesOfAll, "close other programs"),
    ])
    func aShortageSaysWhatToDo(code: SystemCode, words: String) {
        #expect(code.description.contains(words) && code.description.contains("\(code.rawValue)"))
        #expect(SystemCode.noEntry.shortage == nil)
    }

    @Test func freeSpaceIsTold() {
        #expect((Shortage.freeBytes(at: "/tmp") ?? 0) > 0)
        #expect(Shortage.freeBytes(at: "/nowhere/at/all") == nil)
        #expect(Shortage.reasonOfShortWrite(to: "/nowhere/at/all") == nil)
    }

    @Test func aCodeSurvivesAndNamesItself() {
        #expect(SystemCode(rawValue: 12345).description.contains("12345"))
        #expect(SystemCode.noSpace.message == "No space left on device")
        #expect(FileError(.noSpace, operation: "open", path: "/a").description.hasPrefix("/a: open: No space"))
    }
}
