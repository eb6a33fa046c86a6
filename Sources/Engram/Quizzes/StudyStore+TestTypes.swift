internal import ContentStore
internal import EventCoding
internal import EventLog
internal import LMDB
public import StudyModel
internal import StudyProjections

/// A kind of test with the questions that it picks from.
struct OfferedTestType {
    /// The pack that its selection is recorded under.
    let pack: UniqueID
    /// Its identity there.
    let name: String
    let questions: [(id: UniqueID, item: UniqueID)]
    let view: TestTypeView
}

extension StudyStore {
    /// The kinds of test: all questions, those of favourites and of mistakes, and those that the packs offer, by pack.
    ///
    /// - Complexity: O(questions of the packs).
    public func testTypes() throws(StoreError) -> [TestTypeView] {
        try reading { (transaction, projection) throws(LogError) in try offered(projection.state, transaction).map(\.view) }
    }

    /// Selects the kind of test that `name` names: its identity, its pack's name and its identity with a slash between, or its
    /// title. Exactly one is selected at a time. Selecting what is selected already writes nothing.
    ///
    /// - Throws: ``StoreError/notFound(_:name:)``, ``StoreError/ambiguous(_:name:candidates:)``.
    @discardableResult
    public func selectTestType(_ name: String, at moment: ZonedTime) throws(StoreError) -> TestTypeView {
        try perform(at: moment) { (projection, transaction: inout WriteTransaction) throws(StoreError) in
            let offered = try inLog(self.offered(projection.state, transaction.reader))
            return Self.selection(of: try Self.testType(named: name, of: offered, projection.state), projection.state)
        }
        guard let selected = try testTypes().first(where: \.isSelected) else { throw .notFound(.testType, name: name) }
        return selected
    }

    /// The event that selects a kind of test; none where it is selected already.
    static func selection(of type: OfferedTestType, _ state: StudyState) -> [PlannedEvent] {
        if let selected = state.selectedTestType, selected.pack == type.pack, selected.type == type.name { return [] }
        return [PlannedEvent(event: .testTypeSelected(TestTypeSelected(testType: type.name)), subject: type.pack)]
    }

    /// The kind of test that `name` names.
    static func testType(named name: String, of offered: [OfferedTestType], _ state: StudyState) throws(StoreError) -> OfferedTestType {
        func qualified(_ type: OfferedTestType) -> String { "\(state.pack(type.pack)?.name ?? "")/\(type.name)" }
        let ways: [(OfferedTestType) -> Bool] = [
            { $0.view.id == name }, { $0.view.pack != nil && qualified($0) == name }, { $0.name == name }, { $0.view.title == name },
        ]
        for way in ways {
            let found = offered.filter(way)
            guard found.count <= 1 else { throw .ambiguous(.testType, name: name, candidates: found.map(\.view.id).sorted()) }
            if let only = found.first { return only }
        }
        throw .notFound(.testType, name: name)
    }

    /// Everything that is offered, in the order of a list.
    func offered(_ state: StudyState, _ transaction: borrowing ReadTransaction) throws(LogError) -> [OfferedTestType] {
        var packs: [(pack: PackState, record: PackRecord)] = []
        for pack in state.installedPacks.sorted(by: { ($0.name, $0.id) < ($1.name, $1.id) }) {
            let record = try inPackStore { shelf throws(LMDBError) in try shelf.pack(pack.id, transaction) }
            if let record { packs.append((pack, record)) }
        }
        let all = packs.flatMap(\.record.questions)
        func picked(_ isListed: (ItemState) -> Bool) -> [(id: UniqueID, item: UniqueID)] {
            let listed = Set(state.listedItems.filter(isListed).map(\.id))
            return listed.isEmpty ? [] : all.filter { listed.contains($0.item) || listed.contains($0.id) }
        }
        let favourites = picked(\.isFavourite)
        let mistakes = picked(\.isMistake)
        let selected = state.selectedTestType
        func own(
            _ name: String, _ title: String, _ explanation: String, _ questions: [(id: UniqueID, item: UniqueID)], _ disabledReason: String
        ) -> OfferedTestType {
            OfferedTestType(
                pack: PackState.everyPack, name: name, questions: questions,
                view: TestTypeView(
                    id: name, title: title, explanation: explanation, pack: nil, questions: questions.count,
                    disabledReason: questions.isEmpty ? disabledReason : nil,
                    isSelected: selected.map { $0.pack == PackState.everyPack && $0.type == name } ?? false))
        }
        var result = [
            own("all", "All questions", "Every question of every pack", all, "no pack with questions is installed"),
            own("favourites", "Favourites", "Questions about your favourites", favourites, "no favourite has a question"),
            own("mistakes", "Mistakes", "Questions about your mistakes", mistakes, "there are no mistakes"),
        ]
        var counts: [String: Int] = ["all": 1, "favourites": 1, "mistakes": 1]
        for type in packs.flatMap(\.record.types) { counts[type.id, default: 0] += 1 }
        for (pack, record) in packs {
            for type in record.types {
                let isSelected = selected.map { $0.pack == pack.id && $0.type == type.id } ?? false
                let view = TestTypeView(
                    id: counts[type.id] == 1 ? type.id : "\(pack.name)/\(type.id)", title: type.title, explanation: type.explanation,
                    pack: pack.id, questions: type.questions.count,
                    disabledReason: type.refusal.map { "its condition was refused: \($0)" }
                        ?? (type.questions.isEmpty ? "no question fits its condition" : nil),
                    isSelected: isSelected)
                // Only places within the list were let in.
                result.append(
                    OfferedTestType(pack: pack.id, name: type.id, questions: type.questions.map { record.questions[$0] }, view: view))
            }
        }
        return result
    }
}
