import CommandLineKit
import Testing

struct ParserTests {
    @Test(
        "Every way to write a value gives the same result",
        arguments: [
            ("pot add kettle", "pot add name=kettle"),
            ("pot add kettle top", "pot add name=kettle lid=top"),
            ("pot add --tea green kettle", "pot add name=kettle tea=1"),
            ("pot add kettle --tea=black", "pot add name=kettle tea=2"),
            ("--json pot add kettle", "pot add name=kettle json"),
            ("pot --json add kettle --json", "pot add name=kettle json"),
            ("pot add kettle --note a --note=b=c --note=", #"pot add name=kettle note=["a", "b=c", ""]"#),
            ("pot add -- --tea", "pot add name=--tea"),
            ("pot add -", "pot add name=-"),
            ("pot add -5", "pot add name=-5"),
            ("pot add kettle --note -x", #"pot add name=kettle note=["-x"]"#),
            ("pot add kettle --note -h", #"pot add name=kettle note=["-h"]"#),
            ("pot add kettle --note --nothing", #"pot add name=kettle note=["--nothing"]"#),
            ("pot add kettle --note=--tea", #"pot add name=kettle note=["--tea"]"#),
            ("pot fill kettle --water 500", "pot fill name=kettle water=500"),
            ("pot fill kettle 1 2 3 --water 500 --hot", "pot fill name=kettle spoons=[1, 2, 3] water=500 hot"),
            ("log", "log"),
            ("log --tea green", "log tea=1"),
            ("log export", "log export"),
            ("find kettle", "find name=kettle"),
            ("find kettle --tea green", "find name=kettle tea=1"),
            ("find imp", "find name=imp"),
            ("find import", "find import"),
            ("find import x", "find import lid=x"),
            ("find -- import", "find name=import"),
            ("find --tea green -- import", "find name=import tea=1"),
            ("log --now 2026-03-01T09:30:00+01:00 export", "log export now=2026-03-01T09:30:00+01:00"),
        ])
    func right(_ line: String, _ expected: String) {
        #expect(Ending.of(Toy.program(), line.words) == Ending(code: .success, out: expected + "\n", talk: ""), "\(line)")
    }

    @Test(
        "What is wrong is said in one line, what next in another; exit 2, nothing on standard output",
        arguments: [
            ("", "a command is missing", "See 'toy help'."),
            ("pott", "there is no command 'pott'", "Did you mean 'toy pot'?"),
            ("xyzzy", "there is no command 'xyzzy'", "See 'toy --help'."),
            ("pot", "'toy pot' wants a sub-command", "Say one of: add, fill. See 'toy pot --help'."),
            ("pot ad x", "there is no command 'pot ad'", "Did you mean 'toy pot add'?"),
            ("log exprot", "there is no command 'log exprot'", "Did you mean 'toy log export'?"),
            ("find", "'toy find' wants NAME", "Usage: toy find NAME [--tea TEA]"),
            ("find imprt x", "there is no command 'find imprt'", "Did you mean 'toy find import'?"),
            (
                "find kettle x", "'x' is more than 'toy find' takes",
                "Put text of several words in quotes. Usage: toy find NAME [--tea TEA]"
            ),
            (
                "find -- imprt x", "'x' is more than 'toy find' takes",
                "Put text of several words in quotes. Usage: toy find NAME [--tea TEA]"
            ),
            ("find --tea green import", "'toy find import' has no option '--tea'", "See 'toy find import --help'."),
            ("pot add", "'toy pot add' wants NAME", "Usage: toy pot add NAME [LID] [--tea TEA] [--note TEXT...]"),
            ("pot fill x", "'toy pot fill' wants --water ML", "Usage: toy pot fill NAME [SPOONS...] --water ML [--hot]"),
            (
                "pot add a b c", "'c' is more than 'toy pot add' takes",
                "Put text of several words in quotes. Usage: toy pot add NAME [LID] [--tea TEA] [--note TEXT...]"
            ),
            ("pot add x --tae green", "'toy pot add' has no option '--tae'", "Did you mean '--tea'?"),
            ("pot add x --te green", "'toy pot add' has no option '--te'", "Did you mean '--tea'?"),
            ("pot add x -json", "'toy pot add' has no option '-json'", "Did you mean '--json'?"),
            ("pot add x --wxyz", "'toy pot add' has no option '--wxyz'", "See 'toy pot add --help'."),
            ("pot add x --tea", "'--tea' wants a value: TEA", "See 'toy pot add --help'."),
            ("pot add x --tea --note y", "'--tea' wants a value: TEA", "See 'toy pot add --help'."),
            ("pot add x --tea --", "'--tea' wants a value: TEA", "See 'toy pot add --help'."),
            ("pot add x --json=1", "'--json' takes no value", "See 'toy pot add --help'."),
            ("pot add x --tea green --tea black", "'--tea' is given twice", "See 'toy pot add --help'."),
            (
                "pot add x --tea geren", "--tea: 'geren' is not one of green or black (did you mean green?)",
                "See 'toy pot add --help'."
            ),
            ("pot fill x 12 --water 5", "SPOONS: '12' is not a whole number from 0 to 9", "See 'toy pot fill --help'."),
            ("pot fill x --water 0x5", "--water: '0x5' is not a whole number from 1 to 2000", "See 'toy pot fill --help'."),
            (
                "log --now 2026-03-01T09:30:00",
                "--now: '2026-03-01T09:30:00' is not a time with its zone offset, such as 2026-03-01T09:30:00+01:00",
                "See 'toy log --help'."
            ),
            (
                "log --now +012026-03-01T09:30:00Z",
                "--now: '+012026-03-01T09:30:00Z' is not a time with its zone offset, such as 2026-03-01T09:30:00+01:00",
                "See 'toy log --help'."
            ),
            ("log --tea green export", "'toy log export' has no option '--tea'", "See 'toy log export --help'."),
            ("quietly --json", "'toy quietly' prints nothing that --json could change", "See 'toy quietly --help'."),
            ("help pott", "there is no command 'pott'", "Did you mean 'toy pot'?"),
            ("help pot fil", "there is no command 'pot fil'", "Did you mean 'toy pot fill'?"),
        ])
    func wrong(_ line: String, _ what: String, _ next: String) {
        #expect(Ending.of(Toy.program(), line.words) == Ending(code: .usage, out: "", talk: "toy: \(what)\n\(next)\n"), "\(line)")
    }

    @Test("What was typed is never sent to a terminal raw")
    func escapes() {
        let ending = Ending.of(Toy.program(), ["pot", "add", "x", "--tea", "\u{1B}[31mred\n"])
        #expect(ending.talk.hasPrefix("toy: --tea: '\\e[31mred\\n' is not"))
    }

    @Test(
        "Help is given wherever it is asked for",
        arguments: [
            ("--help", "toy 1.2: a toy"), ("-h", "toy 1.2: a toy"), ("help", "toy 1.2: a toy"),
            ("pot --help", "toy pot: look after pots"), ("help pot", "toy pot: look after pots"),
            ("--help pot add", "toy pot add: do add"), ("pot add --nonsense --help", "toy pot add: do add"),
            ("pot add x --tea -h --help", "toy pot add: do add"), ("pot -h fill", "toy pot fill: do fill"),
            ("find --help", "toy find: do find"), ("find import --help", "toy find import: do import"),
            ("--version", "toy 1.2"), ("version", "toy 1.2"), ("pot --version", "toy 1.2"),
            ("version --json", #"{"version":"1.2"}"#),
        ])
    func help(_ line: String, _ expected: String) {
        let ending = Ending.of(Toy.program(), line.words)
        #expect(ending.out.split(separator: "\n").first.map(String.init) == expected, "\(line)")
        #expect(ending.code == .success && ending.talk.isEmpty)
    }

    @Test("A command that takes words and has sub-commands says how a word that reads like one is written")
    func literalWords() {
        let rule = "NAME that reads like a sub-command is written after --, as in 'toy find -- import'."
        #expect(Ending.of(Toy.program(), ["find", "--help"]).out.replacing("\n", with: " ").contains(rule))
        #expect(!Ending.of(Toy.program(), ["log", "--help"]).out.contains("reads like a sub-command"))
        let manual = Ending.of(Toy.program(), ["man"]).out
        #expect(manual.split(separator: "\n").count { $0.contains("NAME that reads like a sub") } == 1)
    }
}

extension String {
    var words: [String] { split(separator: " ").map(String.init) }
}
