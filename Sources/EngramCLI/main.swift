import CommandLineKit
import FileSystem

System.cleanUpBeforeEnding { end in WorkFolder.removeAll(thenEnd: end) }
System.end(engramProgram.main(Array(CommandLine.arguments.dropFirst())))
