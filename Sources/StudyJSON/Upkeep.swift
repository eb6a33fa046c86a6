public import Engram

/// What a face says of a finding: in words, and what to do next there.
public typealias FindingAdvice = @Sendable (VerifyReport.Finding) -> (message: String, next: String)

extension BackupReport: JSONRepresentable {
    /// `changed`, `events`, `commits`, `backup`, `lost`, `bytes`, `digest`, `drill`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("changed", false)
        writer.member("events", events)
        writer.member("commits", commits)
        writer.member("backup", path)
        writer.member("lost", 0)
        writer.member("bytes", bytes)
        writer.member("digest", digest.description)
        writer.member("drill", drill?.description)
    }
}

extension CompactReport: JSONRepresentable {
    /// `changed`, `events`, `backup`, `lost`, `bytes_before`, `bytes`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("changed", isChanged)
        writer.member("events", events)
        writer.member("backup", nil as String?)
        writer.member("lost", 0)
        writer.member("bytes_before", bytesBefore)
        writer.member("bytes", bytesAfter)
    }
}

extension MigrationReport: JSONRepresentable {
    /// `changed`, `events`, `backup` (where the old store is kept), `lost`, `from`, `to`, `types`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("changed", isChanged)
        writer.member("events", events)
        writer.member("backup", keptAt)
        writer.member("lost", 0)
        writer.member("from", from)
        writer.member("to", to)
        writer.objects("types", kinds) { writer, kind in
            writer.member("type", kind.type)
            writer.member("version", kind.version)
            writer.member("read_as", kind.readAs)
            writer.member("events", kind.events)
            writer.member("erasable", kind.erasable)
        }
    }
}

extension JSONAnswer {
    /// A new store: `store` (its folder) and `origin`.
    public static func store(at path: String, origin: OriginID) -> Self {
        Self { writer in
            writer.member("store", path)
            writer.member("origin", origin.description)
        }
    }

    /// A card's erasure: `id`, `event`, `erased`, `left`, `cleared`, `removed`.
    public static func erasure(of card: UniqueID, _ report: EraseReport) -> Self {
        Self { writer in
            writer.member("id", card.description)
            writer.member("event", report.event?.description)
            writer.member("erased", report.events)
            writer.member("left", report.left)
            writer.member("cleared", report.isCleared)
            writer.strings("removed", report.removed)
        }
    }

    /// A rebuild: `changed` and `digest`.
    public static func rebuild(isChanged: Bool, digest: SHA256Digest) -> Self {
        Self { writer in
            writer.member("changed", isChanged)
            writer.member("digest", digest.description)
        }
    }

    /// A salvage: `changed`, `events`, `backup`, `lost`, `store`, `kept`, `erased`, `gaps`, `missing_commits`, `complete`, `unknown`,
    /// `missing_content`, `rescued`, `findings`, `digest`.
    public static func salvage(_ report: SalvageReport, advice: @escaping FindingAdvice) -> Self {
        Self { writer in
            writer.member("changed", true)
            writer.member("events", report.events)
            writer.member("backup", nil as String?)
            writer.member("lost", report.lost)
            writer.member("store", report.path)
            writer.member("kept", report.keptEvents)
            writer.member("erased", report.erasedEvents)
            writer.objects("gaps", report.gaps) { writer, gap in
                writer.member("origin", gap.origin.description)
                writer.member("first", gap.numbers.lowerBound)
                writer.member("last", gap.numbers.upperBound)
            }
            writer.member("missing_commits", report.missingCommits)
            writer.member("complete", report.isProved)
            writer.member("unknown", report.doubt)
            writer.strings("missing_content", report.missingContent)
            writer.objects("rescued", report.rescues) { writer, rescue in
                writer.member("from", rescue.from.description)
                writer.member("origin", rescue.origin.description)
                writer.member("events", rescue.events)
            }
            writer.findings(report.findings, advice)
            writer.member("digest", report.digest.description)
        }
    }

    /// A verification: `ok`, `level`, `findings`, `finding_count`, `checked`, `part`, `pages`, `unknown_events`, `head` (digest an origin),
    /// `expected`, `remarks`, `seconds`.
    public static func verification(_ report: VerifyReport, seconds: Double, advice: @escaping FindingAdvice) -> Self {
        Self { writer in
            writer.member("ok", report.isSound)
            writer.member("level", report.level.rawValue)
            writer.findings(report.findings, advice)
            writer.member("finding_count", report.findingCount)
            writer.object("checked") { writer in
                writer.member("pages", report.pages)
                writer.member("commits", report.commits)
                writer.member("events", report.events)
                writer.member("projections", report.projections)
            }
            writer.member("part", report.part.map { part in Self { part.writeMembers(proved: report.commits, to: &$0) } })
            writer.objects("pages", report.pageFigures) { writer, figures in
                writer.member("commit", figures.commit)
                writer.member("used", figures.used)
                writer.member("free", figures.free)
                writer.member("leaked", figures.leaked)
            }
            writer.member("unknown_events", report.unknownEvents)
            writer.object("head") { writer in
                for (origin, digest) in report.heads { writer.member(origin.description, digest.description) }
            }
            writer.objects("expected", report.knownHeads) { writer, head in
                writer.member("origin", head.origin.description)
                writer.member("digest", head.digest.description)
                writer.member("commits_since", head.commitsSince)
            }
            writer.objects("remarks", report.allRemarks) { writer, remark in
                writer.member("kind", remark.kind)
                writer.member("where", remark.place)
                writer.member("message", remark.message)
            }
            writer.member("seconds", seconds)
        }
    }
}

extension VerifyReport {
    /// What has no effect on whether the store is sound.
    fileprivate var allRemarks: [(kind: String, place: String, message: String)] {
        heldAside.map { held in
            ("held_aside", "origin \(held.origin), commit \(held.commit)", "\(held.reason): \(held.message)")
        } + remarks.map { ("not_checked", "", $0) }
    }
}

extension VerifyReport.Range {
    fileprivate func writeMembers(proved: Int, to writer: inout JSONWriter) {
        writer.member("first", first)
        writer.member("last", last)
        writer.member("of", total)
        writer.member("sample", !isContinuous)
        writer.member("proved", proved)
    }
}

extension JSONWriter {
    fileprivate mutating func findings(_ findings: [VerifyReport.Finding], _ advice: FindingAdvice) {
        objects("findings", findings) { writer, finding in
            let (message, next) = advice(finding)
            writer.member("kind", finding.kind)
            writer.member("where", finding.place)
            writer.member("message", message)
            writer.member("next", next)
        }
    }
}
