internal import CCrypto
package import EventCoding

/// Computes SHA-256 digests, one after the other, over bytes that come in pieces. Ready for the next digest after each
/// `finish()`.
///
/// Nothing here throws: SHA-256 is built into libcrypto, and the private library context below takes it from there
/// whatever the system's OpenSSL configuration says. What is left to fail is memory, and that stops a Swift process anyway.
@safe package struct SHA256Hasher: ~Copyable {
    // Owned: made by `init`, freed by `deinit`, and nothing else ever sees it.
    private let context: OpaquePointer

    /// A hasher that has seen nothing yet. One allocation; keep it where many digests are made.
    package init() {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("no memory for a SHA-256 context") }
        unsafe self.context = unsafe context
        start()
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    private func start() {
        let status = unsafe EVP_DigestInit_ex2(context, SHA256Method.shared.pointer, nil)
        precondition(status == 1, "libcrypto refused to begin a SHA-256 digest")
    }

    /// Takes the bytes of `span`.
    package mutating func update(_ span: RawSpan) {
        let status = unsafe span.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        precondition(status == 1, "libcrypto refused to go on with a SHA-256 digest")
    }

    /// Takes `bytes`.
    package mutating func update(_ bytes: [UInt8]) { unsafe update(bytes.span.bytes) }

    /// Takes the thirty-two bytes of `digest`.
    package mutating func update(_ digest: SHA256Digest) {
        let words = digest.bigEndianWords
        // Four words without padding: thirty-two bytes, all of them written.
        let status = unsafe withUnsafeBytes(of: words) { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        precondition(status == 1, "libcrypto refused to go on with a SHA-256 digest")
    }

    /// The digest of everything since the last one. The hasher may be used again.
    package mutating func finish() -> SHA256Digest {
        var bytes: [32 of UInt8] = .init(repeating: 0)
        var span = bytes.mutableSpan
        let status = unsafe span.withUnsafeMutableBufferPointer { unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil) }
        precondition(status == 1, "libcrypto refused to finish a SHA-256 digest")
        start()
        return SHA256Digest(bytes)
    }
}

/// libcrypto's SHA-256, looked up once a process: a look-up costs more than the digest of a short text.
///
/// Sendable unchecked, since a pointer isn't by itself: the method is fetched once, never changed and never freed, and libcrypto
/// lets any thread use one.
@safe private struct SHA256Method: @unchecked Sendable {
    let pointer: OpaquePointer

    static let shared: SHA256Method = {
        // A context of our own: the default one would read the system's configuration, which may leave SHA-256 out.
        guard let library = unsafe OSSL_LIB_CTX_new(), unsafe (OSSL_PROVIDER_load(library, "default") != nil),
            let method = unsafe EVP_MD_fetch(library, "SHA256", nil)
        else { preconditionFailure("libcrypto has no SHA-256") }
        return unsafe SHA256Method(pointer: method)
    }()
}

/// The SHA-256 digest of `bytes`.
package func sha256(_ bytes: [UInt8]) -> SHA256Digest {
    var hasher = SHA256Hasher()
    hasher.update(bytes)
    return hasher.finish()
}
