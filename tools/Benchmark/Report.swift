import Foundation
import JSONText

/// The measures as a table for people, as one JSON object, or as a part of a page.
struct Report {
    let measures: [Measure]
    let events: Int
    let sqliteInsertSeconds: Double

    func print(asJSON: Bool, documentation: String?) {
        if asJSON {
            Swift.print(String(decoding: json, as: UTF8.self))
        } else {
            for line in table { Swift.print(line) }
        }
        if let documentation { write(to: documentation) }
    }

    private var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for measure in measures {
            writer.key(measure.key)
            writer.beginObject()
            writer.key("ours")
            writer.value(measure.ours)
            writer.key("floor")
            if let floor = measure.floor { writer.value(floor) } else { writer.null() }
            writer.key("ratio")
            if let ratio = measure.ratio { writer.value(ratio) } else { writer.null() }
            writer.key("must")
            writer.value(measure.must)
            writer.key("ok")
            writer.value(measure.isRight)
            writer.key("unit")
            writer.value(measure.unit)
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }

    private var table: [String] {
        var lines = ["| measure | ours | floor | ratio | must | |", "|--|--:|--:|--:|--:|--|"]
        for measure in measures {
            let ratio = measure.ratio.map { String(format: "**%.2f**", $0) } ?? "–"
            lines.append(
                "| \(measure.what) | \(text(measure.ours, measure.unit)) | \(measure.floor.map { text($0, measure.unit) } ?? "–") | \(ratio) | "
                    + (measure.floor == nil ? "≤ \(text(measure.must, measure.unit))" : String(format: "≤ %g", measure.must))
                    + " | \(measure.isRight ? "ok" : "**missed**") |")
        }
        lines.append("")
        lines.append(
            "For comparison, one durable insert of a review into SQLite (WAL, synchronous=FULL): \(text(sqliteInsertSeconds, "s")).")
        return lines
    }

    private func text(_ value: Double, _ unit: String) -> String {
        if unit == "s" { return value < 1 ? String(format: "%.2f ms", value * 1000) : String(format: "%.2f s", value) }
        return String(format: value < 10 ? "%.1f \(unit)" : "%.0f \(unit)", value)
    }

    private func write(to path: String) {
        guard var page = try? String(contentsOfFile: path, encoding: .utf8), let start = page.range(of: "<!-- table -->\n"),
            let end = page.range(of: "<!-- end of table -->")
        else { return talk("\(path) has no place for the table") }
        page.replaceSubrange(start.upperBound..<end.lowerBound, with: table.joined(separator: "\n") + "\n")
        do { try page.write(toFile: path, atomically: true, encoding: .utf8) } catch { talk("\(path) can't be written: \(error)") }
    }
}
