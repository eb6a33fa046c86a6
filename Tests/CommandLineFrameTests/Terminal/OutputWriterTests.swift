import CommandLineFrame
import Testing

struct OutputWriterTests {
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
