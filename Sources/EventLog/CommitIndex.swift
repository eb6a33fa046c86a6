package import EventCoding

/// Where the commits of each origin lie in the order of arrival: runs in which both numbers grow by one.
///
/// A device's own commits are one run between two merges, and an import is one, so that the whole stays small whatever the log's length.
package struct CommitIndex: Hashable, Sendable {
    /// Commits that follow on each other in their origin and in the log.
    struct Run: Hashable, Sendable {
        var number: UInt64
        var sequence: UInt64
        var count: UInt64
    }

    private var runs: [OriginID: [Run]] = [:]

    package init() {}

    /// Records that the next commit of `origin`, `number`, lies at `sequence`.
    package mutating func append(_ number: UInt64, of origin: OriginID, at sequence: UInt64, count: UInt64 = 1) {
        var list = runs.removeValue(forKey: origin) ?? []
        defer { runs[origin] = list }
        if let last = list.last, last.number + last.count == number, last.sequence + last.count == sequence {
            list[list.count - 1].count += count
        } else {
            list.append(Run(number: number, sequence: sequence, count: count))
        }
    }

    /// The index of a log that `outline` was made of.
    package init(_ outline: LogOutline) {
        var numbers: [OriginID: UInt64] = [:]
        for run in outline.runs {
            let count = run.lastSequence - run.firstSequence + 1
            append(numbers[run.origin, default: 0] + 1, of: run.origin, at: run.firstSequence, count: count)
            numbers[run.origin, default: 0] += count
        }
    }

    /// At which sequence number the commit of that number lies. Complexity: O(log runs).
    package func sequence(of number: UInt64, of origin: OriginID) -> UInt64? {
        guard let list = runs[origin] else { return nil }
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        guard low > 0, number - list[low - 1].number < list[low - 1].count else { return nil }
        return list[low - 1].sequence + (number - list[low - 1].number)
    }

    /// Where the commits lie that follow on those of `known`, the last numbers of some origins, in the order of arrival.
    package func sequences(after known: [OriginID: UInt64]) -> [ClosedRange<UInt64>] {
        runs.flatMap { origin, list in
            let last = known[origin] ?? 0
            return list.compactMap { run -> ClosedRange<UInt64>? in
                let skipped = last < run.number ? 0 : last - run.number + 1
                return skipped < run.count ? run.sequence + skipped...run.sequence + run.count - 1 : nil
            }
        }.sorted { $0.lowerBound < $1.lowerBound }
    }
}

// MARK: - Coding

extension CommitIndex {
    /// How many origins there are (LEB128); of each: the origin, how many runs (LEB128), and of each run its first number, its first
    /// sequence number and how many commits it has (LEB128).
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.writeVariable(UInt64(runs.count))
        for (origin, list) in runs.sorted(by: { $0.key < $1.key }) {
            writer.write(origin.rawValue)
            writer.writeVariable(UInt64(list.count))
            for run in list {
                writer.writeVariable(run.number)
                writer.writeVariable(run.sequence)
                writer.writeVariable(run.count)
            }
        }
        return writer.bytes
    }

    /// What ``encoded`` wrote.
    package init(decoding bytes: [UInt8]) throws(ByteError) {
        var reader = ByteReader(bytes.rawSpan)
        for _ in 0..<(try reader.readVariable()) {
            let origin = OriginID(rawValue: try reader.readUInt64())
            var list: [Run] = []
            for _ in 0..<(try reader.readVariable()) {
                list.append(Run(number: try reader.readVariable(), sequence: try reader.readVariable(), count: try reader.readVariable()))
            }
            runs[origin] = list
        }
        try reader.finish()
    }
}
