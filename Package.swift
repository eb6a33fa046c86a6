// swift-tools-version: 6.3

import PackageDescription

/// Every target is built the same way: Swift 6, strict memory safety, and no warning is let through.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableExperimentalFeature("Lifetimes"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

func systemLibrary(_ name: String, pkgConfig: String?, apt: String, brew: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

// Debian's flags for utf8proc name a macro that the package manager objects to, and nothing that is needed there.
#if os(Linux)
    let utf8procConfig: String? = nil
#else
    let utf8procConfig: String? = "libutf8proc"
#endif

func room(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: strict)
}

let package = Package(
    name: "Engram",
    platforms: [.macOS(.v26), .iOS(.v26)],
    products: [
        .library(name: "Engram", targets: ["Engram"]),
        .library(name: "StudyJSON", targets: ["StudyJSON"]),
        .library(name: "EngramFoundation", targets: ["EngramFoundation"]),
        .library(name: "EngramTesting", targets: ["EngramTesting"]),
        .executable(name: "engram", targets: ["EngramCLI"]),
    ],
    targets: [
        // C libraries of the system, one target each: the only places that know where a library comes from.
        systemLibrary("CLMDB", pkgConfig: "lmdb", apt: "liblmdb-dev", brew: "lmdb"),
        systemLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
        systemLibrary("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
        systemLibrary("CZip", pkgConfig: "libzip", apt: "libzip-dev", brew: "libzip"),
        systemLibrary("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev", brew: "zstd"),
        systemLibrary("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev", brew: "xxhash"),
        systemLibrary("CJansson", pkgConfig: "jansson", apt: "libjansson-dev", brew: "jansson"),
        systemLibrary("CUTF8Proc", pkgConfig: utf8procConfig, apt: "libutf8proc-dev", brew: "utf8proc"),
        // No library: what the compiler offers to C alone.
        .systemLibrary(name: "CPrefetch", path: "Sources/CPrefetch"),
        .systemLibrary(name: "CFiles", path: "Sources/CFiles"),
        systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),

        // Rooms, lowest first. Arrows only go down; the build of tools/test checks every import against them.
        room("FileSystem", ["CFiles"]),
        room("CivilTime", []),
        room("EventCoding", ["CXXHash", "CPrefetch"]),
        room("Hashing", ["EventCoding", "CCrypto"]),
        room("JSONText", ["CJansson"]),
        room("TextFolding", ["CUTF8Proc"]),
        room("LMDB", ["FileSystem", "CLMDB", "CPrefetch", "CXXHash"]),
        room("SQLite", ["FileSystem", "CSQLite"]),
        room("Archive", ["CZip", "CZstd", "CZlib"]),
        room("EventLog", ["FileSystem", "EventCoding", "Hashing", "LMDB"]),
        room("Words", ["EventCoding", "Hashing", "TextFolding", "LMDB"]),
        room("StudyModel", ["CivilTime", "EventCoding", "JSONText"]),
        room("Scheduling", ["StudyModel"]),
        room("StudyProjections", ["EventCoding", "StudyModel", "Scheduling"]),
        room(
            "Exchange",
            [
                "FileSystem", "EventCoding", "Hashing", "JSONText", "TextFolding", "StudyModel", "Scheduling", "StudyProjections", "SQLite",
                "Archive",
            ]),
        room("Packs", ["FileSystem", "EventCoding", "Hashing", "JSONText", "StudyModel", "SQLite"]),
        room("ContentStore", ["EventCoding", "LMDB"]),
        room(
            "Engram",
            [
                "FileSystem", "CivilTime", "EventCoding", "Hashing", "JSONText", "TextFolding", "LMDB", "EventLog", "Words", "StudyModel",
                "Scheduling", "StudyProjections", "Exchange", "Packs", "ContentStore",
            ]),
        room("StudyJSON", ["Engram"]),
        room("EngramFoundation", ["Engram"]),
        room("EngramTesting", ["EventCoding", "StudyModel", "Scheduling", "StudyProjections", "EventLog"]),
        room("CommandLineKit", ["CivilTime"]),
        .executableTarget(name: "EngramCLI", dependencies: ["FileSystem", "CommandLineKit", "Engram", "StudyJSON"], swiftSettings: strict),
        tests("CommandLineKitTests", ["CivilTime", "CommandLineKit"]),
        tests("EngramCLITests", ["CommandLineKit", "Engram", "EngramCLI", "CSQLite"]),

        // Tests, a target a room.
        tests("FileSystemTests", ["FileSystem"]),
        tests("CivilTimeTests", ["CivilTime"]),
        tests("EventCodingTests", ["EventCoding"]),
        tests("HashingTests", ["EventCoding", "Hashing"]),
        tests("JSONTextTests", ["JSONText"]),
        tests("TextFoldingTests", ["TextFolding", "EngramTesting"]),
        tests("WordsTests", ["EventCoding", "Hashing", "LMDB", "TextFolding", "Words", "EngramTesting"]),
        tests("LMDBTests", ["FileSystem", "EventCoding", "LMDB"]),
        tests("SQLiteTests", ["SQLite", "CSQLite"]),
        tests("ArchiveTests", ["Archive", "CZip", "CZstd", "CZlib"]),
        tests(
            "ExchangeTests", ["EventCoding", "Hashing", "StudyModel", "SQLite", "Archive", "Exchange", "CSQLite", "CZip", "CZstd", "CZlib"]),
        tests("PacksTests", ["EventCoding", "Hashing", "StudyModel", "SQLite", "Packs", "CSQLite"]),
        tests("ContentStoreTests", ["EventCoding", "LMDB", "ContentStore"]),
        tests("StudyModelTests", ["EventCoding", "JSONText", "StudyModel", "SchemaGeneration"], exclude: ["Golden"]),

        tests("SchedulingTests", ["EventCoding", "StudyModel", "Scheduling", "EngramTesting"]),
        tests("StudyProjectionsTests", ["EventCoding", "StudyModel", "Scheduling", "StudyProjections", "EngramTesting"]),
        tests("EventLogTests", ["EventCoding", "Hashing", "LMDB", "EventLog", "StudyModel", "EngramTesting"]),
        tests(
            "EngramTests",
            [
                "EventCoding", "Hashing", "Engram", "EventLog", "LMDB", "SQLite", "StudyModel", "StudyProjections", "Scheduling",
                "EngramTesting", "CSQLite",
            ]),
        tests("StudyJSONTests", ["Engram", "EventLog", "Exchange", "StudyProjections", "StudyJSON"]),
        tests("EngramFoundationTests", ["Engram", "EngramFoundation"]),
        tests("EngramTestingTests", ["EventCoding", "StudyModel", "Scheduling", "EngramTesting"]),
        tests("TutorialTests", ["Engram", "EngramTesting"]),
        tests(
            "CompatibilityTests",
            ["Engram", "EventCoding", "EventLog", "Hashing", "LMDB", "StudyModel", "StudyProjections", "EngramTesting"],
            exclude: ["Stores", "golden.txt"]),
        tests("ArchitectureTests", []),

        // Tools of the house.
        .executableTarget(
            name: "EngramBenchmark",
            dependencies: [
                "Engram", "EventCoding", "EventLog", "JSONText", "LMDB", "StudyModel", "CLMDB", "CSQLite", "CCrypto",
            ],
            path: "tools/Benchmark", swiftSettings: strict),
        .executableTarget(name: "StoreProbe", dependencies: ["Engram"], path: "tools/StoreProbe", swiftSettings: strict),
        .target(
            name: "SchemaGeneration", dependencies: ["EventCoding", "JSONText"], path: "tools/SchemaGeneration", swiftSettings: strict),
        .executableTarget(
            name: "SchemaGenerator", dependencies: ["SchemaGeneration"], path: "tools/SchemaGenerator", swiftSettings: strict),
    ]
)
