internal import CPrefetch

/// Has a part of `bytes`, as much of it as there is, fetched from far memory, without waiting for it.
package func prefetch(_ bytes: RawSpan, _ range: Range<Int>) {
    unsafe bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        for line in stride(from: max(0, range.lowerBound), to: min(range.upperBound, bytes.count), by: 64) {
            unsafe engram_prefetch(start + line)
        }
    }
}

/// Has the first `size` bytes of some elements fetched from far memory, without waiting for them.
///
/// - Parameter places: of the elements; those that lie nowhere are passed over.
@inlinable
package func prefetch<Element>(_ elements: [Element], at places: [Int32], size: Int) {
    unsafe elements.withUnsafeBytes { unsafe prefetch($0, stride: MemoryLayout<Element>.stride, at: places, size: size) }
}

@usableFromInline
func prefetch(_ elements: UnsafeRawBufferPointer, stride: Int, at places: [Int32], size: Int) {
    guard let start = elements.baseAddress, stride > 0, size > 0 else { return }
    let count = elements.count / stride
    for place in places where place >= 0 && Int(place) < count {
        let element = unsafe start + Int(place) &* stride
        // They needn't begin where a line does, so the last byte may lie in one more.
        var offset = 0
        while offset < size - 1 {
            unsafe engram_prefetch(element + offset)
            offset &+= 64
        }
        unsafe engram_prefetch(element + size - 1)
    }
}
