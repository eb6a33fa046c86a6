import CommandLineKit
import Testing

struct OutputWriterTests {
    @Test("Text that was forgotten to be spelt out doesn't act on a terminal; bytes are sent as they are")
    func net() {
        var sent: [UInt8] = []
        let writer = OutputWriter(capacity: 0) {
            sent += $0
            return 0
        }
        writer.line("\u{1B}[1mbold\u{1B}[0m\ta\u{1B}[2J\u{9B}\u{202E}\nb")
        writer.kept = .layout
        writer.write("\u{1B}[1m\u{200B}\r\n")
        writer.write(bytes: [0x1B, 0x9B])
        #expect(
            String(decoding: sent.dropLast(2), as: UTF8.self)
                == "\u{1B}[1mbold\u{1B}[0m\ta\\e[2J\\u{9B}\\u{202E}\nb\n\\e[1m\\u{200B}\\r\n")
        #expect(sent.suffix(2) == [0x1B, 0x9B])
    }

    @Test("Writes in large pieces, in order, and keeps to the first fault")
    func pieces() {
        var calls: [[UInt8]] = []
        var error: Int32 = 0
        let writer = OutputWriter(capacity: 8) {
            calls.append($0)
            return error
        }
        writer.write("abc")
        writer.line("de")
        #expect(calls.isEmpty)
        writer.lines(["f", "g"])
        writer.write(bytes: [0x68])
        writer.flush()
        writer.flush()
        #expect(calls.map { String(decoding: $0, as: UTF8.self) } == ["abcde\nf\n", "g\nh"])
        error = 28
        writer.line("lost")
        writer.flush()
        #expect(writer.fault == .refused(28) && !writer.isOpen)
        error = 0
        writer.line("dropped")
        writer.flush()
        #expect(calls.count == 3)
    }
}
