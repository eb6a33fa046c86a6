package import EventCoding

/// The identity that `parts` have in `namespace`: the same on every device that says the same, and another for
/// every other list of parts.
///
/// The first sixteen bytes of SHA-256 over the namespace and the parts, each behind its length (LEB128), with the
/// bits of a version 8 UUID (RFC 9562, section 5.8).
package func uniqueID(namespace: String, _ parts: [String]) -> UniqueID {
    var writer = ByteWriter()
    writer.writeText(namespace)
    for part in parts { writer.writeText(part) }
    return sha256(writer.bytes).uniqueID
}

extension SHA256Digest {
    /// The first sixteen bytes, with the bits of a version 8 UUID.
    package var uniqueID: UniqueID {
        UniqueID(
            high: leadingWords.0 & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: leadingWords.1 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}
