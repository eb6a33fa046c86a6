import CommandLineFrame
import FileSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

System.cleanUpBeforeEnding { end in WorkFolder.removeAll(thenEnd: end) }
let code = engramProgram.main(Array(CommandLine.arguments.dropFirst()))
System.endAsAsked()
exit(code)
