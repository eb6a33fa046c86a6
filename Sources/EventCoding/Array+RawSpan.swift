extension [UInt8] {
    /// The bytes as a span that borrows the array.
    package var rawSpan: RawSpan {
        @_lifetime(borrow self)
        get {
            // A byte has no padding, so all of its raw bytes are initialised.
            unsafe span.bytes
        }
    }
}
