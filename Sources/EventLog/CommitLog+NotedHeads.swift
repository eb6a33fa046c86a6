package import EventCoding
package import LMDB

extension CommitLog {
    /// Looks in the chains for digests that were noted elsewhere: of each origin, the number of the commit that bears it, where
    /// that commit and all before it are what the digest vouches for. Complexity: O(bytes of the commits).
    package func numbers(
        ofDigests wanted: [OriginID: Set<SHA256Digest>], _ transaction: borrowing ReadTransaction
    ) throws(LogError) -> [SHA256Digest: UInt64] {
        var found: [SHA256Digest: UInt64] = [:]
        guard !wanted.isEmpty else { return found }
        var chains = CommitChains()
        try forEachCommit(transaction) { (sequence, commit) throws(LogError) in
            // A commit that can't be read bears none; that is another finding. What follows one that isn't what was written doesn't chain.
            guard let origin = try? Commit.origin(of: commit), let digests = wanted[origin], let header = try? Commit.header(of: commit)
            else { return true }
            do throws(LogError) { try chains.prove(commit, sequence: sequence) } catch { return true }
            if digests.contains(header.digest) { found[header.digest] = header.number }
            return true
        }
        return found
    }
}
