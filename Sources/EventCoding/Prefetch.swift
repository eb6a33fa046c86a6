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
package func prefetch<Element>(_ elements: [Element], at places: [Int32], size: Int) {
    unsafe elements.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        for place in places where place >= 0 && Int(place) < elements.count {
            let element = unsafe start + Int(place) * MemoryLayout<Element>.stride
            // They needn't begin where a line does, so the last byte may lie in one more.
            for offset in stride(from: 0, to: size - 1, by: 64) { unsafe engram_prefetch(element + offset) }
            unsafe engram_prefetch(element + size - 1)
        }
    }
}
