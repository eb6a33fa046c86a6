public import Engram

extension Statistics: JSONRepresentable {
    /// `reviews`, `practised`, `reviews_by_box`, `turned`, `cards`, `boxes`, `due`, `days`, `hours`, `streak`, `seconds`,
    /// `average_interval_days`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.object("reviews") { writer in
            writer.member("total", reviews.total)
            writer.member("again", reviews.again)
            writer.member("hard", reviews.hard)
            writer.member("good", reviews.good)
            writer.member("easy", reviews.easy)
            writer.member("pass_rate", reviews.passRate)
        }
        writer.member("practised", practised)
        writer.objects("reviews_by_box", reviewsByBox) { writer, box in
            writer.member("total", box.total)
            writer.member("passed", box.passed)
        }
        writer.object("turned") { writer in
            writer.member("reviews", turned)
            writer.member("seconds", Double(turnedMilliseconds) / 1000)
        }
        writer.object("cards") { writer in
            writer.member("total", cards.total)
            writer.member("new", cards.new)
            writer.member("learned", cards.learned)
            writer.member("deleted", cards.deleted)
        }
        writer.numbers("boxes", boxes)
        writer.object("due") { writer in
            writer.member("total", due.total)
            writer.member("overdue", due.overdue)
            writer.objects("forecast", due.forecast) { writer, entry in
                writer.member("day", entry.day.description)
                writer.member("cards", entry.cards)
            }
        }
        writer.objects("days", days) { writer, day in
            writer.member("day", day.day.description)
            writer.member("reviews", day.reviews)
            writer.member("passed", day.passed)
            writer.member("seconds", day.milliseconds / 1000)
        }
        writer.numbers("hours", hours)
        writer.object("streak") { writer in
            writer.member("current", streak.current)
            writer.member("longest", streak.longest)
        }
        writer.member("seconds", milliseconds / 1000)
        writer.member("average_interval_days", averageIntervalDays)
    }
}

extension JSONAnswer {
    /// The figures, and `unknown_schedulers` where there are some.
    public static func statistics(_ figures: Statistics, unknownSchedulers: [String]) -> Self {
        Self { writer in
            figures.writeMembers(to: &writer)
            writer.unknownSchedulers(unknownSchedulers)
        }
    }

    /// `figure` and `events`: what stands behind the figure of that name.
    public static func explanation(of figure: String, _ events: [ExplainedEvent]) -> Self {
        Self { writer in
            writer.member("figure", figure)
            writer.array("events", events)
        }
    }

    /// A replay: what was folded, `digest`, `stored_digest`, `equal` where there is one to compare with, `statistics`, `seconds`.
    public static func replay(_ report: ReplayReport, seconds: Double) -> Self {
        Self { writer in
            writer.member("events", report.events)
            writer.member("commits", report.commits)
            writer.member("origins", report.origins)
            writer.member("decks", report.decks)
            writer.member("cards", report.cards)
            writer.member("reviews", report.reviews)
            writer.member("digest", report.digest.description)
            writer.member("stored_digest", report.storedDigest?.description)
            if let isEqual = report.isEqual { writer.member("equal", isEqual) }
            writer.member("statistics", report.statistics)
            writer.member("seconds", seconds)
        }
    }
}
