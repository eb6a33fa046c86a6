public import EventCoding
internal import EventLog
public import Exchange
internal import LMDB
public import StudyModel
internal import StudyProjections

extension StudyStore {
    /// Takes in a list of cards, as ``importHistory(at:format:deckTitle:zone:isRaw:isDryRun:moment:progress:)`` says.
    func importList(
        at path: String, deck: String?, isFound: Bool, isRaw: Bool, isDryRun: Bool, moment: ZonedTime, progress: ((Int, Int) -> Void)?
    ) throws(StoreError) -> ImportReport {
        let steps = progress.map { ListProgress(report: $0) }
        let list: ImportedList
        do throws(ImportError) {
            list = try ImportedList.read(path: path, isRaw: isRaw, progress: Self.reading(path) { steps?.reading($0, of: $1) })
            // Any text may be a list; one in which no row is a card is something else, unless somebody says that it is one.
            if isFound, list.rows.isEmpty { throw ImportError(path: path, reason: .unknownFormat) }
        } catch { throw StoreError(error) }
        let target = try self.target(deck)
        if isDryRun {
            return try reading(wholly: true) { (transaction, projection) throws(LogError) in
                try plan(list, into: target, at: moment, projection, transaction, steps).report
            }
        }
        let (report, count) = try writing(wholly: true) { (transaction, projection) throws(StoreError) -> (ImportReport, Int) in
            let planner = try inLog(self.plan(list, into: target, at: moment, projection, transaction.reader, steps))
            guard !planner.events.isEmpty else { return (planner.report, 0) }
            let told = self.account(
                planner.report, name: list.name, digest: list.digest, skipped: planner.skippedCount)
            try self.write(planner.events, ahead: [], told, at: moment, heads: projection.heads, &transaction) { done in
                steps?.writing(done, of: planner.events.count)
            }
            return (planner.report, planner.events.count)
        } isThere: { _, _ in
            // The next import of the same list tells.
            false
        }
        var whole = report
        whole.remark = checkpointAfterBulk(count)
        return whole
    }

    /// Makes cards of a list in a deck that is there, as one action: one commit, which ``undo(at:key:)`` takes back.
    ///
    /// - Parameters:
    ///   - text: comma or tab-separated values, or Anki's text form; front and back in the first two columns.
    ///   - name: what the list is called in errors.
    ///   - deck: all cards go there, whatever the list says.
    ///   - moment: the time of the action.
    /// - Throws: ``StoreError/badInput(path:place:why:)`` where the list isn't right or is too large for one action; nothing
    ///   is changed then.
    public func addCards(
        fromList text: [UInt8], named name: String, to deck: UniqueID, at moment: ZonedTime
    ) throws(StoreError) -> ImportReport {
        try check(moment)
        let list: ImportedList
        do throws(ImportError) { list = try ImportedList.read(text, path: name, name: name, stem: name) } catch { throw StoreError(error) }
        let (report, _) = try writing { (transaction, projection) throws(StoreError) -> (ImportReport, [EventID]) in
            guard projection.state.deck(deck)?.isLive ?? false else { throw .notFound(.deck, name: deck.description) }
            let planner = try inLog(self.plan(list, into: .deck(deck), at: moment, projection, transaction.reader))
            guard !planner.events.isEmpty else { return (planner.report, []) }
            let size = planner.events.reduce(0) { $0 + $1.payload.count + 128 }
            guard size < Commit.maximumSize - (1 << 16) else {
                throw .badInput(path: name, place: "", why: "is too much for one action: put it in a file, and import that")
            }
            var heads = projection.heads
            let origin = try inLog(self.ownOrigin(&transaction))
            let ids = try inLog(self.log.append(planner.events, origin: origin, heads: &heads, marking: self.mark, &transaction))
            return (planner.report, ids)
        } isThere: { written, heads in
            written.1.allSatisfy { heads[$0.origin].events >= $0.number }
        }
        return report
    }

    private func plan(
        _ list: ImportedList, into target: ListPlanner.Target, at moment: ZonedTime, _ projection: LiveProjection,
        _ transaction: borrowing ReadTransaction, _ steps: ListProgress? = nil
    ) throws(LogError) -> ListPlanner {
        var planner = ListPlanner(list, into: target, at: moment)
        try planner.plan(projection.state) { card throws(LogError) in
            try texts(of: card, transaction)
        } progress: { done in
            steps?.judging(done, of: list.rows.count)
        }
        return planner
    }

    /// What somebody means by the deck of an import: one that is there, or the title of a new one.
    private func target(_ deck: String?) throws(StoreError) -> ListPlanner.Target {
        guard let deck else { return .list }
        do throws(StoreError) { return .deck(try self.deck(named: deck)) } catch {
            guard case .notFound = error else { throw error }
            return .title(deck)
        }
    }
}

/// How far the import of a list is, told in thousandths: reading, judging and writing take about these parts of it.
private struct ListProgress {
    let report: (_ done: Int, _ total: Int) -> Void

    func reading(_ done: Int, of total: Int) { tell(done, total, from: 0, to: 200) }
    func judging(_ done: Int, of total: Int) { tell(done, total, from: 200, to: 700) }
    func writing(_ done: Int, of total: Int) { tell(done, total, from: 700, to: 1000) }

    private func tell(_ done: Int, _ total: Int, from start: Int, to end: Int) {
        report(start + (end - start) * min(done, total) / max(1, total), 1000)
    }
}
