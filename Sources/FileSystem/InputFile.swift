/// A regular file that a person named, open for reading. Links in its path are theirs, and followed.
package struct InputFile: ~Copyable {
    /// Why it can't be read.
    package enum Refusal: Error, Hashable, Sendable {
        case zeroByteInPath
        case notAFile
        case failed(SystemCode)
    }

    private let file: OwnedFile
    /// Its size when it was opened.
    package let size: Int

    package init(path: String) throws(Refusal) {
        guard !path.utf8.contains(0) else { throw .zeroByteInPath }
        let opened: OwnedFile
        let status: FileStatus
        do throws(SystemCode) { opened = try OwnedFile.open(path, .input) } catch { throw .failed(error) }
        do throws(SystemCode) { status = try opened.status() } catch { throw .failed(error) }
        guard status.isRegular else { throw .notAFile }
        file = opened
        size = status.length
    }

    /// The bytes from `offset` on: `count` of them, or fewer where the file ends.
    package func bytes(at offset: Int = 0, count: Int) throws(Refusal) -> [UInt8] {
        do throws(SystemCode) { return try file.bytes(at: offset, count: count) } catch { throw .failed(error) }
    }
}

extension InputFile.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .zeroByteInPath: "a path with a zero byte"
        case .notAFile: "not a file"
        case .failed(let code): code.description
        }
    }
}
