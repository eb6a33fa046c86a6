/// What a walk over all pages of a data file found.
package struct PageCheck: Hashable, Sendable {
    /// One thing that isn't as it must be.
    package struct Finding: Hashable, Sendable, CustomStringConvertible {
        package let kind: Kind
        package let page: UInt64
        package let detail: String

        package var description: String { "page \(page): \(kind.rawValue): \(detail)" }
    }

    /// The ways in which pages can be wrong.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case badMeta = "bad_meta"
    }
}
