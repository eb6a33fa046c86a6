import CommandLineFrame

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

exit(engramProgram.main(Array(CommandLine.arguments.dropFirst())))
