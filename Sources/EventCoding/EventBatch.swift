/// A few events where they lie in memory, in the order in which a fold takes them.
///
/// A fold that has several events at hand can look up what they are about at once, before it takes the first: the waits for
/// memory overlap then. Nothing is copied; the one who fills a batch answers for the memory, and empties it before that goes.
@safe
@usableFromInline
package struct EventBatch: ~Copyable {
    /// One whole frame whose form was looked at.
    @safe
    @usableFromInline
    struct Entry {
        @usableFromInline var start: UnsafeRawPointer?
        @usableFromInline var length: Int
        @usableFromInline var position: EventPosition

        @inlinable
        init(start: UnsafeRawPointer?, length: Int, position: EventPosition) {
            unsafe self.start = start
            self.length = length
            self.position = position
        }
    }

    /// An event whose bytes aren't right.
    package struct BatchError: Error {
        package let position: EventPosition
        package let fault: ByteError

        package init(position: EventPosition, fault: ByteError) {
            self.position = position
            self.fault = fault
        }
    }

    /// So many events are in it at most: enough for waits to overlap, few enough for their bytes to stay at hand.
    @inlinable package static var capacity: Int { 64 }

    @usableFromInline let entries: UnsafeMutablePointer<Entry>
    @usableFromInline package internal(set) var count = 0

    package init() {
        unsafe entries = .allocate(capacity: Self.capacity)
        unsafe entries.initialize(repeating: Entry(start: nil, length: 0, position: .none), count: Self.capacity)
    }

    deinit { unsafe entries.deallocate() }

    @inlinable package var isFull: Bool { count == Self.capacity }

    /// Adds the event of `frame`, which is one whole frame, to a batch that isn't full.
    ///
    /// The bytes must stay where they are until ``removeAll()``. One that isn't `taken` is left out, without a branch that could be
    /// guessed wrong.
    @unsafe
    @inlinable
    @inline(__always)
    package mutating func append(_ frame: RawSpan, at position: EventPosition, taken: Bool) {
        precondition(count < Self.capacity, "a batch that is full takes no more")
        unsafe frame.withUnsafeBytes { bytes in
            unsafe entries[count] = Entry(start: bytes.baseAddress, length: bytes.count, position: position)
        }
        count &+= taken ? 1 : 0
    }

    @inlinable package mutating func removeAll() { count = 0 }

    @inlinable
    @inline(__always)
    subscript(index: Int) -> Entry {
        precondition(index >= 0 && index < count, "a batch of \(count) events has none at \(index)")
        return unsafe entries[index]
    }

    /// The frame at `index`.
    @inlinable
    @inline(__always)
    @_lifetime(borrow self)
    package func frame(_ index: Int) -> RawSpan {
        let entry = self[index]
        let span = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: entry.start, count: entry.length))
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// What the event at `index` is about.
    @inlinable
    @inline(__always)
    package func subject(_ index: Int) -> UniqueID {
        // A frame that has a right length has a fixed part.
        EventFrame.subject(of: frame(index))
    }

    /// The first event whose checksum isn't that of its bytes.
    package func firstDamaged() -> BatchError? {
        for index in 0..<count where !EventFrame.isIntact(frame(index)) {
            return BatchError(position: position(index), fault: ByteError(.badChecksum, offset: 0))
        }
        return nil
    }

    /// Where the event at `index` lies in the log.
    @inlinable package func position(_ index: Int) -> EventPosition { self[index].position }
}
