/// SHA-1 (FIPS 180-4), which Anki finds equal first fields by. It proves nothing here and protects nothing.
func sha1(_ message: [UInt8]) -> [UInt8] {
    var state: [5 of UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bitCount = UInt64(message.count) &* 8
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift))) }
    var schedule = [UInt32](repeating: 0, count: 80)
    for block in stride(from: 0, to: bytes.count, by: 64) {
        for step in 0..<80 {
            schedule[step] =
                step < 16
                ? bytes[(block + 4 * step)..<(block + 4 * step + 4)].reduce(0) { $0 << 8 | UInt32($1) }
                : rotated(schedule[step - 3] ^ schedule[step - 8] ^ schedule[step - 14] ^ schedule[step - 16], by: 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for step in 0..<80 {
            let (mixed, constant): (UInt32, UInt32) =
                switch step {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            (a, b, c, d, e) = (rotated(a, by: 5) &+ mixed &+ e &+ constant &+ schedule[step], a, rotated(b, by: 30), c, d)
        }
        state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d, state[4] &+ e]
    }
    var digest: [UInt8] = []
    for index in state.indices {
        for shift in stride(from: 24, through: 0, by: -8) { digest.append(UInt8(truncatingIfNeeded: state[index] >> UInt32(shift))) }
    }
    return digest
}

private func rotated(_ value: UInt32, by count: UInt32) -> UInt32 { value << count | value >> (32 - count) }
