public import Engram

extension ImportReport: JSONRepresentable {
    /// `source`, `cards`, `reviews`, `practised`, `skipped`, `adjusted`, `quarantined`; for a list `rows`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("source", source)
        writer.object("cards") { writer in
            writer.member("new", newCards)
            writer.member("updated", updatedCards)
            writer.member("unchanged", unchangedCards)
        }
        for (name, new, known) in [("reviews", newReviews, knownReviews), ("practised", newPractice, knownPractice)] {
            writer.object(name) { writer in
                writer.member("new", new)
                writer.member("known", known)
            }
        }
        writer.reasons("skipped", skipped)
        writer.reasons("adjusted", adjusted)
        writer.member("quarantined", quarantined)
        if isList { writer.array("rows", rows) }
    }
}

extension ImportedRow: JSONRepresentable {
    /// `line`, `outcome`, `reason`, `front`, `of_line` for one that repeats another.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("line", line)
        writer.member("outcome", outcome.rawValue)
        writer.member("reason", reason)
        writer.member("front", front)
        if let earlierLine { writer.member("of_line", earlierLine) }
    }
}

extension WordImportReport: JSONRepresentable {
    /// As a pack, with `source`, `entries`, `changed`, `skipped`, `faults`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id.description)
        writer.member("name", name)
        writer.member("digest", digest.description)
        writer.member("words", words)
        writer.member("questions", 0)
        writer.member("types", 0)
        writer.member("source", format.rawValue)
        writer.member("entries", entries)
        writer.member("changed", isNew)
        writer.reasons("skipped", skipped.map { ($0.reason, $0.count) })
        writer.objects("faults", faults) { writer, fault in
            writer.member("file", fault.path)
            writer.member("line", fault.line)
            writer.member("message", fault.why)
        }
    }
}

extension MergeReport: JSONRepresentable {
    /// `events`, `quarantined`, `held_aside`, `refused`, `erased`, `digest`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.object("events") { writer in
            writer.member("new", newEvents)
            writer.member("known", knownEvents)
        }
        writer.member("quarantined", quarantined)
        writer.member("held_aside", heldAside.count)
        writer.objects("refused", refused) { writer, refusal in
            writer.member("origin", refusal.origin.description)
            writer.member("commit", refusal.commit)
            writer.member("reason", refusal.reason)
        }
        writer.object("erased") { writer in
            writer.member("cards", erasedCards)
            writer.member("events", erasedEvents)
            writer.member("cleared", isCleared)
        }
        writer.member("digest", digest?.description)
    }
}

extension JSONAnswer {
    /// An export: `format`, `to` (the file), `cards`, `reviews`, `practised`, `resets`.
    public static func export(_ report: ExportReport, as format: ExportFormat, to path: String) -> Self {
        Self { writer in
            writer.member("format", format.rawValue)
            writer.member("to", path)
            writer.member("cards", report.cards)
            writer.member("reviews", report.reviews)
            writer.member("practised", report.practised)
            writer.member("resets", report.resets)
        }
    }
}
