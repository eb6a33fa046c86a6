/// What a person pressed.
package enum Key: Hashable, Sendable {
    /// A character, one scalar at a time: an accent that is typed after its letter is a key of its own.
    case text(Unicode.Scalar)
    case enter
    /// A line break that is meant as text: Control-J, or a line break in something that was pasted.
    case lineBreak
    case tab
    case escape
    case backspace
    case delete
    case left, right, up, down
    case home, end
    case pageUp, pageDown
    /// Control-C.
    case interrupt
    /// The input has ended, or the process was asked to end.
    case endOfInput
    /// The window has another size now.
    case resized
    /// Anything else.
    case other
}

/// Turns the bytes that a terminal sends into keys. Knows nothing of descriptors and time.
struct KeyDecoder {
    private var bytes: [UInt8] = []
    private var isPasting = false

    /// Sequences after `ESC [` or `ESC O`, as xterm and the terminals after it send them.
    private static let sequences: [(String, Key)] = [
        ("[A", .up), ("[B", .down), ("[C", .right), ("[D", .left), ("[H", .home), ("[F", .end), ("OA", .up), ("OB", .down), ("OC", .right),
        ("OD", .left), ("OH", .home), ("OF", .end), ("[1~", .home), ("[7~", .home), ("[4~", .end), ("[8~", .end), ("[3~", .delete),
        ("[5~", .pageUp), ("[6~", .pageDown),
    ]

    /// No sequence that a terminal sends for a key is longer.
    private static let longestSequence = 32

    mutating func feed(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// The next key; `nil` where more bytes are needed.
    ///
    /// - Parameter isComplete: whether nothing more has come for a while, so that an escape byte alone is the key of that name.
    mutating func next(isComplete: Bool) -> Key? {
        while let first = bytes.first {
            if first == 0x1B {
                guard let key = escapeSequence(isComplete: isComplete) else { return nil }
                // The marks around something that is pasted are no keys themselves.
                if let key = key.key { return key }
                continue
            }
            guard first >= 0x80 else {
                bytes.removeFirst()
                return control(first)
            }
            return scalar(isComplete: isComplete)
        }
        return nil
    }

    private func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x0D: isPasting ? .lineBreak : .enter
        case 0x0A: .lineBreak
        case 0x09: .tab
        case 0x03: .interrupt
        case 0x04: .endOfInput
        case 0x7F, 0x08: .backspace
        case 0x01: .home
        case 0x05: .end
        case 0x20...0x7E: .text(Unicode.Scalar(byte))
        default: .other
        }
    }

    /// The scalar at the start; a byte that begins none is some other key.
    private mutating func scalar(isComplete: Bool) -> Key? {
        let length =
            switch bytes[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        if bytes.count < length, !isComplete { return nil }
        let text = String(validating: bytes.prefix(length), as: UTF8.self)
        guard let found = text?.unicodeScalars.first else {
            bytes.removeFirst()
            return .other
        }
        bytes.removeFirst(length)
        return .text(found)
    }

    /// The key of the sequence at the start, `key` being `nil` for a mark; `nil` where more bytes are needed.
    private mutating func escapeSequence(isComplete: Bool) -> (key: Key?, Void)? {
        guard bytes.count > 1 else {
            guard isComplete else { return nil }
            bytes.removeFirst()
            return (.escape, ())
        }
        guard bytes[1] == 0x5B || bytes[1] == 0x4F else {
            // An escape byte, and then another key.
            bytes.removeFirst()
            return (.escape, ())
        }
        guard let last = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            guard isComplete || bytes.count > Self.longestSequence else { return nil }
            bytes.removeAll()
            return (.other, ())
        }
        let sequence = String(decoding: bytes[1...last], as: UTF8.self)
        bytes.removeFirst(last + 1)
        if sequence == "[200~" || sequence == "[201~" {
            isPasting = sequence == "[200~"
            return (nil, ())
        }
        return (Self.sequences.first { $0.0 == sequence }?.1 ?? .other, ())
    }
}
