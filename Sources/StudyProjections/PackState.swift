package import EventCoding
package import StudyModel

/// A pack as the fold of its own timeline leaves it.
package struct PackState: TimelineEntity, Hashable, Sendable {
    package let id: UniqueID
    package var name = ""
    package var digest = SHA256Digest.zero
    package var words: UInt64 = 0
    package var questions: UInt64 = 0
    package var types: UInt64 = 0
    package var isInstalled = false
    /// When its present version was installed.
    package var installedAt = ZonedTime(wallMilliseconds: 0, zoneMinutes: 0)
    /// The last of its test types that was selected; `nil` where none ever was.
    package var selectedType: String?
    /// Where in the order that was: of all packs' choices the last one holds.
    package var selectedOrder = FoldOrder.beginning
    package var order = FoldOrder.beginning

    package init(id: UniqueID) { self.id = id }

    /// Stands for no pack: what is offered over all packs is selected under it.
    package static let everyPack = UniqueID(high: 0x656E_6772_616D_8000, low: 0x8000_0000_0000_0001)

    mutating func take(_ event: StudyEvent, _ header: EventHeader, at position: EventPosition) {
        switch event {
        case .packInstalled(let installed):
            name = installed.name
            digest = installed.digest
            words = installed.words
            questions = installed.questions
            types = installed.types
            isInstalled = true
            installedAt = header.moment
        case .packRemoved: isInstalled = false
        case .testTypeSelected(let selected):
            selectedType = selected.testType
            selectedOrder = header.foldOrder
        default: break
        }
    }

    /// A pack that is gone still holds the choice that was made in it.
    var isCompared: Bool { isInstalled || selectedType != nil }
}

extension PackState: DescribedRow {
    var isVisible: Bool { isInstalled }

    mutating func describe<Coder: FieldCoder & ~Escapable>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name)
        try coder.digest("digest", &digest)
        try coder.unsigned("words", &words)
        try coder.unsigned("questions", &questions)
        try coder.unsigned("test types", &types)
        try coder.moment("installed at", &installedAt)
        // Of all packs' choices a digest has only the last one.
        guard Coder.isComplete else { return }
        try coder.flag("installed", &isInstalled)
        var isSelected = selectedType != nil
        try coder.flag("selected", &isSelected)
        if isSelected {
            var type = selectedType ?? ""
            try coder.text("selected test type", &type)
            selectedType = type
        }
        try coder.order("selected by", &selectedOrder)
        try coder.order("last event", &order)
    }
}

extension StudyState {
    /// The packs that are installed, in no order.
    package var installedPacks: [PackState] { packs.rows.filter(\.isInstalled) }

    /// All packs of which anything was ever said, in no order.
    package var knownPacks: [PackState] { packs.rows }

    /// The pack of that identity, installed or not, if anything was ever said of it.
    package func pack(_ id: UniqueID) -> PackState? { packs.row(of: id) }

    /// The test type that was selected last, and its pack (``PackState/everyPack`` for one that is offered over all packs).
    package var selectedTestType: (pack: UniqueID, type: String)? {
        packs.rows.filter { $0.selectedType != nil }.max { $0.selectedOrder < $1.selectedOrder }
            .flatMap { pack in pack.selectedType.map { (pack.id, $0) } }
    }
}
