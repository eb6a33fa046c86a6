// The compiler can't see what a span over LMDB's map, or LMDB's transaction behind a pointer, depends on. These two say it.
// The value stays the same; the caller answers for its being good for as long as `source` says.

/// `dependent`, usable for as long as `source` is borrowed.
@unsafe
@inlinable
@inline(__always)
@_unsafeNonescapableResult
@_lifetime(borrow source)
func tied<Dependent: ~Copyable & ~Escapable, Source: ~Copyable & ~Escapable>(
    _ dependent: consuming Dependent, toBorrowOf source: borrowing Source
) -> Dependent {
    dependent
}

/// `dependent`, usable for as long as what `source` itself depends on.
@unsafe
@inlinable
@inline(__always)
@_unsafeNonescapableResult
@_lifetime(copy source)
func tied<Dependent: ~Copyable & ~Escapable, Source: ~Copyable & ~Escapable>(
    _ dependent: consuming Dependent, toLifetimeOf source: borrowing Source
) -> Dependent {
    dependent
}
