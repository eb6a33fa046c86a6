import CZip
import Foundation
import Testing

@testable import Archive

final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "engram-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path + "/" + name))
        return path + "/" + name
    }
}

/// Writes an archive with these members through libzip, and returns its bytes.
func makeZip(_ path: String, _ members: [(name: String, content: [UInt8])], stored: Bool = false, password: String? = nil) throws -> [UInt8]
{
    guard let archive = unsafe zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, nil) else { throw CancellationError() }
    for (name, content) in members {
        // libzip reads the content when the archive is closed, and frees this copy of it.
        let copy = unsafe content.isEmpty ? nil : malloc(content.count)
        unsafe content.withUnsafeBytes { if let base = $0.baseAddress { unsafe copy?.copyMemory(from: base, byteCount: $0.count) } }
        let source = unsafe zip_source_buffer(archive, copy, UInt64(content.count), 1)
        let index = unsafe zip_file_add(archive, name, source, 0)
        try #require(index >= 0)
        if stored { _ = unsafe zip_set_file_compression(archive, UInt64(index), ZIP_CM_STORE, 0) }
        if let password { _ = unsafe zip_file_set_encryption(archive, UInt64(index), UInt16(ZIP_EM_AES_256), password) }
    }
    try #require(unsafe zip_close(archive) == 0)
    return try [UInt8](Data(contentsOf: URL(filePath: path)))
}

extension [UInt8] {
    /// Offsets at which `pattern` occurs.
    func offsets(of pattern: [UInt8]) -> [Int] { indices.filter { self[$0...].starts(with: pattern) } }

    /// Overwrites a little-endian number of four bytes.
    mutating func put(_ value: UInt32, at offset: Int) {
        for index in 0..<4 { self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }
}

struct ZipArchiveTests {
    private let folder: TemporaryFolder
    private let text = [UInt8](repeating: 65, count: 5000) + Array("end".utf8)

    init() throws { folder = try TemporaryFolder() }

    private func kind(_ path: String, _ member: String = "b", _ limits: ArchiveLimits = ArchiveLimits()) -> ArchiveError.Kind? {
        do throws(ArchiveError) {
            let archive = try ZipArchive(path: path, limits: limits)
            _ = try archive.read(member)
            return nil
        } catch {
            #expect(error.path == path && !error.description.isEmpty)
            return error.kind
        }
    }

    @Test(arguments: [true, false]) func membersReadAsTheyWereWritten(_ stored: Bool) throws {
        let path = folder.path + "/a.zip"
        _ = try makeZip(path, [("empty", []), ("b", text), ("ordner/ä", [0, 255])], stored: stored)
        let archive = try ZipArchive(path: path)
        #expect(try archive.read("b") == text)
        #expect(try archive.read("empty") == [])
        #expect(try archive.read("ordner/ä") == [0, 255])
        #expect(archive.contains("b") && !archive.contains("B") && !archive.contains(""))
        #expect(kind(path, "no") == .noSuchMember)
    }

    @Test func limitsHold() throws {
        let path = folder.path + "/a.zip"
        _ = try makeZip(path, [("a", [1]), ("b", text), ("bomb", [UInt8](repeating: 0, count: 3_000_000))])
        let cases: [(String, ArchiveLimits, ArchiveError.Kind?)] = [
            ("b", ArchiveLimits(bytes: 5003), nil), ("b", ArchiveLimits(bytes: 5002), .tooLarge(limit: 5002)),
            ("b", ArchiveLimits(members: 2, bytes: 9999), .tooManyMembers(3, limit: 2)), ("bomb", ArchiveLimits(), nil),
        ]
        for (member, limits, expected) in cases { #expect(kind(path, member, limits) == expected) }
        guard case .suspiciousRatio = kind(path, "bomb", ArchiveLimits(bytes: 1 << 30, ratio: 250, freeBytes: 1 << 20)) else {
            Issue.record("no bomb")
            return
        }
    }

    @Test func whatIsWrongWithAnArchiveIsSaid() throws {
        let path = folder.path + "/a.zip"
        let whole = try makeZip(path, [("b", text)])
        let directory = try #require(whole.offsets(of: [0x50, 0x4B, 1, 2]).first)
        func changed(_ name: String, _ change: (inout [UInt8]) -> Void) throws -> ArchiveError.Kind? {
            var bytes = whole
            change(&bytes)
            return kind(try folder.write(bytes, name))
        }
        #expect(kind(folder.path + "/none.zip").map { if case .cannotOpen = $0 { true } else { false } } == true)
        #expect(kind("a\0b") == .cannotOpen("a path with a zero byte"))
        for (name, bytes) in [("text", Array("no archive".utf8)), ("nothing", []), ("half", Array(whole.prefix(whole.count / 2)))] {
            let kind = kind(try folder.write(bytes, name))
            // Of nothing at all, libzip makes an archive without members.
            let isSaid = if case .notAnArchive = kind { true } else { kind == .noSuchMember && bytes.isEmpty }
            #expect(isSaid, "\(name): \(String(describing: kind))")
        }
        // Sizes that lie, in the directory (24 bytes into its entry) and beside the member.
        for size in [0, 5002, 5004, 70_000] as [UInt32] {
            let kind = try changed("lie\(size)") { bytes in
                bytes.put(size, at: directory + 24)
                bytes.put(size, at: 22)
            }
            #expect(kind != nil, "\(size)")
        }
        #expect(try changed("huge") { $0.put(0xFFFF_FFF0, at: directory + 24) } == .tooLarge(limit: 1 << 30))
        #expect(try changed("checksum") { $0.put(1, at: directory + 16) } != nil)
        for index in 30..<whole.count where index % 3 == 0 {
            _ = try changed("flip") { $0[index] ^= 0x55 }
        }
        let locked = folder.path + "/locked.zip"
        _ = try makeZip(locked, [("b", text)], password: "secret")
        #expect(kind(locked) == .encrypted)
    }
}
