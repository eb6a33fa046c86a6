/// Reads the fields of a Protocol Buffers message, one after the other. No schema, no nesting: whoever knows a field
/// to be a message reads its bytes with another reader.
struct ProtobufReader {
    /// A field's value, as it is on the wire.
    enum Value: Equatable {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
    }

    /// The message isn't well formed; where.
    struct ProtobufError: Error, Equatable {
        let offset: Int
    }

    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next field; `nil` at the end.
    mutating func next() throws(ProtobufError) -> (field: UInt64, value: Value)? {
        guard index < bytes.count else { return nil }
        let start = index
        let tag = try readVariable()
        guard tag >> 3 > 0 else { throw ProtobufError(offset: start) }
        switch tag & 7 {
        case 0: return (tag >> 3, .number(try readVariable()))
        case 1: return (tag >> 3, .number(try readFixed(8)))
        case 2:
            let count = try readVariable()
            guard count <= UInt64(bytes.count - index) else { throw ProtobufError(offset: start) }
            let slice = bytes[index..<index + Int(count)]
            index += Int(count)
            return (tag >> 3, .bytes(slice))
        case 5: return (tag >> 3, .number(try readFixed(4)))
        default: throw ProtobufError(offset: start)
        }
    }

    /// The last value of a field in `bytes`, which is the one that counts; `nil` where it isn't there.
    static func value(of field: UInt64, in bytes: [UInt8]) throws(ProtobufError) -> Value? {
        var reader = ProtobufReader(bytes)
        var result: Value?
        while let (number, value) = try reader.next() {
            if number == field { result = value }
        }
        return result
    }

    private mutating func readVariable() throws(ProtobufError) -> UInt64 {
        let start = index
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard index < bytes.count else { throw ProtobufError(offset: start) }
            let byte = bytes[index]
            index += 1
            value |= shift < 64 ? UInt64(byte & 0x7F) << shift : 0
            if byte & 0x80 == 0 { return value }
        }
        throw ProtobufError(offset: start)
    }

    private mutating func readFixed(_ count: Int) throws(ProtobufError) -> UInt64 {
        guard bytes.count - index >= count else { throw ProtobufError(offset: index) }
        var value: UInt64 = 0
        for step in 0..<count { value |= UInt64(bytes[index + step]) << UInt64(8 * step) }
        index += count
        return value
    }
}
