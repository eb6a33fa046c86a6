import CivilTime
import CommandLineKit
import Testing

struct ProgramTests {
    private struct Odd: Error {}

    private static let program = Toy.program([
        Toy.command("no") { _, session in
            session.out.line("a finding")
            return .failure
        },
        Toy.command("fail") { _, session in
            session.out.line("begun")
            throw CommandFailure(.store, "the store is locked", next: "Close the other program.")
        },
        Toy.command("odd") { _, _ in throw Odd() },
        Toy.command("talk") { _, session in
            session.remark("by the way")
            session.warn("look out")
            session.out.line("\(session.now().iso) \(session.variable("TOY") ?? "none")")
            return .success
        },
        Toy.command("much") { _, session in
            for number in 0..<100_000 where session.out.isOpen { session.out.line(String(number)) }
            return .failure
        },
    ])

    @Test(
        "A command's ending becomes the program's",
        arguments: [
            ("no", ExitCode.failure, "a finding\n", ""),
            ("fail", .store, "begun\n", "toy: the store is locked\nClose the other program.\n"),
            ("odd", .store, "", "toy: unforeseen: Odd()\n"),
            (
                "talk --now 2026-03-01T09:30:00.5+01:00", .success, "2026-03-01T09:30:00.500+01:00 pot\n",
                "by the way\nwarning: look out\n"
            ),
            (
                "talk -q --now 2026-03-01T09:30:00Z", .success, "2026-03-01T09:30:00+00:00 pot\n", "warning: look out\n"
            ),
        ])
    func endings(_ line: String, _ code: ExitCode, _ out: String, _ talk: String) {
        #expect(Ending.of(Self.program, line.words, variables: ["TOY": "pot"]) == Ending(code: code, out: out, talk: talk))
    }

    @Test("A reader that leaves early changes nothing; a full disk is exit code 3")
    func refusals() {
        let brokenPipe: Int32 = 32
        let noSpace: Int32 = 28
        #expect(Ending.of(Self.program, ["much"], refusal: brokenPipe) == Ending(code: .failure, out: "", talk: ""))
        let full = Ending.of(Self.program, ["much"], refusal: noSpace)
        #expect(full.code == .store)
        #expect(full.talk.hasPrefix("toy: the output can't be written: "))
    }

    @Test("The scripts and the manual are printed by the built-in commands")
    func builtIn() {
        for (line, beginning) in [
            ("completion bash", "# bash completion for toy"), ("completion zsh", "#compdef toy"),
            ("completion fish", "# fish completion for toy"),
            ("man", #".\" Made by "toy man"."#),
        ] {
            let ending = Ending.of(Self.program, line.words)
            #expect(ending.code == .success && ending.out.hasPrefix(beginning), "\(ending)")
        }
    }
}
