package import JSONText

/// A payload in both forms, made from the schema alone: the generated codecs have no part in it, so that each checks the other.
package struct Sample: Sendable {
    /// Its JSON form.
    package var json: JSONValue
    /// Its binary form.
    package var bytes: [UInt8]
}

/// What values a sample has.
package enum SampleStyle: String, Sendable, CaseIterable {
    /// The least of everything, and nothing that is optional.
    case least
    /// What might be written on any day.
    case usual
    /// The most of everything (but no texts and lists of megabytes), and all that is optional.
    case most
    /// Anything that the schema allows.
    case random
}

extension EventSchema {
    /// A payload as `version` of the schema has it.
    package func sample(
        _ style: SampleStyle, version: UInt8, using generator: inout some RandomNumberGenerator
    ) -> Sample {
        var maker = SampleMaker(style: style, version: version, generator: generator)
        let json = maker.object(fields)
        generator = maker.generator
        return Sample(json: json, bytes: maker.bytes)
    }
}

private struct SampleMaker<Generator: RandomNumberGenerator> {
    let style: SampleStyle
    let version: UInt8
    var generator: Generator
    var bytes: [UInt8] = []

    mutating func object(_ fields: [Field]) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        for field in fields where field.since <= version {
            if field.isOptional {
                let isThere = style == .random ? generator.next() & 1 == 0 : style != .least
                bytes.append(isThere ? 1 : 0)
                guard isThere else { continue }
            }
            members.append((field.name, value(field.type, beside: members)))
        }
        return .object(members)
    }

    mutating func value(_ type: FieldType, beside members: [(key: String, value: JSONValue)]) -> JSONValue {
        switch type {
        case .uniqueID: return uniqueID()
        case .text: return text()
        case .bytes: return blob()
        case .unsigned(let maximum): return .integer(unsigned(maximum))
        case .signed(let range): return .integer(signed(range))
        case .index(let list):
            let count = members.first { $0.key == list }?.value.arrayValue?.count ?? 1
            return .integer(unsigned(UInt64(count - 1)))
        case .bool:
            let flag = style == .random ? generator.next() & 1 == 0 : style != .least
            bytes.append(flag ? 1 : 0)
            return .bool(flag)
        case .digest: return .string(hexadecimal(raw(32)))
        case .event: return event()
        case .choice(let choice):
            let item = choice.cases[pick(choice.cases.count)]
            bytes.append(item.value)
            return .string(item.name)
        case .record(let record): return object(record.fields)
        case .list(let element, let counts): return list(element, counts)
        }
    }

    private mutating func list(_ element: FieldType, _ counts: ClosedRange<Int>) -> JSONValue {
        let most = min(counts.upperBound, max(counts.lowerBound, 8))
        let count = counts.lowerBound + pick(most - counts.lowerBound + 1)
        variable(UInt64(count))
        return .array((0..<count).map { _ in value(element, beside: []) })
    }

    /// An index below `count`: the first, one in the middle, the last, or any.
    private mutating func pick(_ count: Int) -> Int {
        switch style {
        case .least: 0
        case .usual: count / 2
        case .most: count - 1
        case .random: Int(generator.next() % UInt64(count))
        }
    }

    private mutating func raw(_ count: Int) -> [UInt8] {
        let raw = (0..<count).map { _ in
            switch style {
            case .least: 0 as UInt8
            case .most: 0xFF as UInt8
            case .usual, .random: UInt8(truncatingIfNeeded: generator.next())
            }
        }
        bytes += raw
        return raw
    }

    private mutating func uniqueID() -> JSONValue {
        let digits = Array(hexadecimal(raw(16)))
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return .string(groups.joined(separator: "-"))
    }

    private mutating func event() -> JSONValue {
        // The origin is a number: its bytes lie the least significant first, its digits the other way round.
        let origin = raw(8)
        let number = magnitude(UInt64(Int64.max) - 1) + 1
        variable(number)
        return .string("\(hexadecimal(origin.reversed()))/\(number)")
    }

    private mutating func text() -> JSONValue {
        let text: String
        switch style {
        case .least: text = ""
        case .usual: text = ["der Baum", "to know – знать", "ça va?\n\"Oui.\"", "日本 🌸", "e\u{301}t\u{E9}"][Int(generator.next() % 5)]
        case .most: text = String(repeating: "ё", count: 150)
        case .random: text = randomText()
        }
        variable(UInt64(text.utf8.count))
        bytes += Array(text.utf8)
        return .string(text)
    }

    private mutating func blob() -> JSONValue {
        let count = pick(300)
        variable(UInt64(count))
        return .string(hexadecimal(raw(count)))
    }

    private mutating func randomText() -> String {
        // Now and then a text that just keeps to the limit.
        if generator.next() % 512 == 0 { return String(repeating: "x", count: 65_536) }
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x00...0x1F, 0xA0...0x17F, 0x300...0x36F, 0x400...0x4FF, 0x4E00...0x9FFF, 0x1F300...0x1F6FF,
        ]
        var text = ""
        for _ in 0..<(generator.next() % 24) {
            let range = ranges[Int(generator.next() % UInt64(ranges.count))]
            let code = range.lowerBound + UInt32(generator.next() % UInt64(range.count))
            if let scalar = Unicode.Scalar(code) { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    /// A number of at most `maximum`; where it is random, of any number of bits alike.
    private mutating func magnitude(_ maximum: UInt64) -> UInt64 {
        switch style {
        case .least: 0
        case .usual: min(maximum, 300)
        case .most: maximum
        case .random: min(maximum, generator.next() >> (generator.next() % 64))
        }
    }

    private mutating func unsigned(_ maximum: UInt64) -> Int64 {
        let number = magnitude(maximum)
        variable(number)
        return Int64(clamping: number)
    }

    private mutating func signed(_ range: ClosedRange<Int64>) -> Int64 {
        let number: Int64 =
            switch style {
            case .least: range.lowerBound
            case .most: range.upperBound
            case .usual, .random:
                min(range.upperBound, max(range.lowerBound, Int64(bitPattern: magnitude(.max)) &* (generator.next() & 1 == 0 ? 1 : -1)))
            }
        // Zigzag: 0, -1, 1, -2, … as 0, 1, 2, 3, …
        variable(number < 0 ? UInt64(-(number + 1)) * 2 + 1 : UInt64(number) * 2)
        return number
    }

    /// Seven bits a byte, least significant first, with a mark on every byte but the last.
    private mutating func variable(_ number: UInt64) {
        var rest = number
        while rest >= 128 {
            bytes.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        bytes.append(UInt8(rest))
    }
}

/// `bytes` as lower-case hexadecimal digits, two a byte.
func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
