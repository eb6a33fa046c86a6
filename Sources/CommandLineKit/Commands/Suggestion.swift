/// The word of `candidates` that was probably meant by `typed`: the nearest one, if it is near enough; the first of equals.
///
/// Near enough is one slip in three letters (at least one), or a candidate that begins with what was typed (three letters or more).
package func nearest(to typed: String, among candidates: [String]) -> String? {
    guard !typed.isEmpty, typed.utf8.count <= 64 else { return nil }
    let typed = typed.lowercased()
    var best: (word: String, distance: Int)?
    for candidate in candidates {
        let distance = editDistance(typed, candidate)
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    if let best, best.distance <= max(1, max(typed.count, best.word.count) / 3) { return best.word }
    return typed.count >= 3 ? candidates.first { $0.hasPrefix(typed) } : nil
}

/// The number of slips between two words: a letter missing, added, changed, or swapped with its neighbour.
///
/// Damerau–Levenshtein in its restricted form (no letter is changed after a swap). O(m·n) time, three rows of memory.
package func editDistance(_ first: String, _ second: String) -> Int {
    let first = Array(first)
    let second = Array(second)
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for (row, left) in first.enumerated() {
        var current = [row + 1]
        for (column, right) in second.enumerated() {
            var least = min(last[column + 1] + 1, current[column] + 1, last[column] + (left == right ? 0 : 1))
            if row > 0, column > 0, left == second[column - 1], first[row - 1] == right {
                least = min(least, beforeLast[column - 1] + 1)
            }
            current.append(least)
        }
        beforeLast = last
        last = current
    }
    return last[second.count]
}
