import CommandLineKit
import Synchronization
import Testing

struct ProgressBarTests {
    /// A clock that is set by hand, and what was drawn.
    private final class Screen: Sendable {
        let time = Mutex<UInt64>(5_000_000_000)
        let drawn = Mutex<[String]>([])

        func bar(_ total: Int?, _ surface: Surface?) -> ProgressBar {
            ProgressBar(
                "Folding", total: total, on: surface, clock: { self.time.withLock { $0 } },
                write: { text in self.drawn.withLock { $0.append(text) } })
        }

        func advance(_ milliseconds: UInt64) { time.withLock { $0 += milliseconds * 1_000_000 } }
        var frames: [String] { drawn.withLock { $0 } }
    }

    private static let terminal = Surface(isTerminal: true, width: 60, unicode: true)

    @Test("It appears after a second, is drawn ten times a second at most, and clears itself")
    func rhythm() {
        let screen = Screen()
        let bar = screen.bar(300_000, Self.terminal)
        for step in 0..<3000 {
            bar.update(step * 100)
            screen.advance(1)
        }
        #expect(screen.frames.count == 20)
        #expect(screen.frames.first == "\rFolding  █████▍░░░░░░░░░░   33%  100,000/300,000  0:02 left\u{1B}[K")
        bar.finish()
        bar.update(300_000)
        #expect(screen.frames.last == "\r\u{1B}[K")
        #expect(screen.frames.dropLast().allSatisfy { $0.dropFirst().dropLast(3).displayWidth < 60 })
    }

    @Test("It isn't drawn on a pipe, when quiet, or for what is done within a second")
    func hidden() {
        for surface in [nil, Surface(isTerminal: false), Self.terminal] {
            let screen = Screen()
            let bar = screen.bar(10, surface)
            bar.update(1)
            if surface?.isTerminal != true { screen.advance(5000) }
            bar.update(2)
            bar.finish()
            #expect(screen.frames.isEmpty)
        }
    }

    @Test("Odd totals and narrow terminals are drawn too", arguments: [nil, 0, -1, 1, Int.max], [10, 20, 40, 200])
    func odd(_ total: Int?, _ width: Int) {
        let screen = Screen()
        let bar = screen.bar(total, Surface(isTerminal: true, width: width, unicode: false))
        for done in [Int.min, -1, 0, 1, 50, Int.max] {
            screen.advance(1100)
            bar.update(done)
        }
        #expect(screen.frames.count == 6)
        #expect(screen.frames.allSatisfy { $0.dropFirst().dropLast(3).displayWidth < width })
    }
}
