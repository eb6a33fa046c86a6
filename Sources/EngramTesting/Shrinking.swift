/// The smallest list that can be found which still fails: parts of `actions` are left out, large ones first, as long as
/// `fails` says true of the rest, then each one left is made simpler.
///
/// Each run of it asks `fails` of at most `limit` lists. `actions` itself must fail.
///
/// - Parameter simpler: what an action could be instead, simplest first; nothing where it is simple already.
/// - Complexity: at worst O(n²) questions for n actions, and never more than `limit`.
public func shrink<Action>(
    _ actions: [Action], limit: Int = 2000, simpler: (Action) -> [Action] = { _ in [] }, while fails: ([Action]) -> Bool
) -> [Action] {
    var best = actions
    var asked = 0
    func stillFails(_ candidate: [Action]) -> Bool {
        guard asked < limit else { return false }
        asked += 1
        return fails(candidate)
    }
    var size = max(1, best.count / 2)
    while true {
        var removedAny = false
        var start = 0
        while start < best.count {
            var candidate = best
            candidate.removeSubrange(start..<min(start + size, best.count))
            if stillFails(candidate) {
                best = candidate
                removedAny = true
            } else {
                start += size
            }
        }
        if size > 1 { size = max(1, size / 2) } else if !removedAny || asked >= limit { break }
    }
    for place in best.indices {
        for candidate in simpler(best[place]) {
            var list = best
            list[place] = candidate
            if stillFails(list) {
                best = list
                break
            }
        }
    }
    return best
}
