public import EventCoding
internal import EventLog
internal import FileSystem
internal import LMDB
internal import StudyModel

/// What a salvage carried over, and what it couldn't.
public struct SalvageReport: Sendable {
    /// Numbers of one origin whose events are lost.
    public struct Gap: Hashable, Sendable {
        /// Whose events they are.
        public let origin: OriginID
        /// The lost numbers.
        public let numbers: ClosedRange<UInt64>
    }

    /// Events that couldn't keep their identity, since a gap cuts them off from the beginning of their origin.
    public struct Rescue: Hashable, Sendable {
        /// The origin that they were of.
        public let from: OriginID
        /// The origin that they are of in the new store.
        public let origin: OriginID
        /// How many they are.
        public let events: Int
    }

    /// The new store's folder.
    public let path: String
    /// Events that were carried over.
    public let events: Int
    /// Of these, events that kept origin, number and digest.
    public let keptEvents: Int
    /// Of these, events whose texts the file still held although they had been erased: they were left out.
    public let erasedEvents: Int
    /// Events that are known to have been there and are lost; at least so many.
    public let lost: Int
    /// Commits of which nothing at all was found, where the file says how many it had.
    public let missingCommits: Int
    /// Why more may be lost than ``lost`` says, which nobody can know; `nil` where it is proved that nothing else is: both meta pages
    /// are sound and bear each other out, the newest tree of commits is whole, and every commit in it is intact.
    public let doubt: String?
    /// Where the events are carried that couldn't keep their identity.
    public let rescues: [Rescue]
    /// What is lost, as far as the numbers around it tell.
    public let gaps: [Gap]
    /// What a deep verification of the new store found: what was wrong in the old one already and was kept, and which packs and
    /// dictionaries aren't carried over.
    public let findings: [VerifyReport.Finding]
    /// Digest of the new store's state.
    public let digest: SHA256Digest

    /// The packs and dictionaries that the log names and whose content isn't carried over; installing their files again brings it.
    public var missingContent: [String] { findings.filter(\.isAboutContent).map(\.place) }

    /// Whether it is proved that nothing was lost of the log.
    public var isProved: Bool { lost == 0 && doubt == nil }
}

extension StudyStore {
    /// Makes a new store at `target` of every intact event of a damaged one, which is only ever read, and by plain reads.
    ///
    /// Commits whose digests chain from the first one of their origin on go over as they are. What a gap cuts off goes over
    /// event by event, under an origin of its own; what is about such an event finds it there. See
    /// `docs/decisions/0019-salvage.md`.
    ///
    /// - Parameters:
    ///   - damaged: a store's folder, or a data file.
    ///   - target: nothing may have that name.
    ///   - helpers: stores, backups or data files that may hold what is lost here. Of each origin of the damaged store, what they
    ///     hold fills the gaps, so that the chain is whole again.
    ///   - configuration: the new store's.
    ///   - progress: gets the number of bytes or commits that were done.
    /// - Throws: ``StoreError/noStore(path:)``, ``StoreError/damaged(path:place:why:)`` where there is nothing to be found,
    ///   ``StoreError/storeExists(path:)``, ``StoreError/inUse(path:)`` where a write to it goes on and doesn't end.
    /// - Complexity: O(size of the files).
    public static func salvage(
        from damaged: String, to target: String, with helpers: [String] = [], configuration: Configuration = Configuration(),
        progress: (Int) -> Void = { _ in }
    ) throws(StoreError) -> SalvageReport {
        let target = trimmed(target)
        guard try !onDisk(target, StoreFolder.exists(target)) else { throw .storeExists(path: target) }
        var files: [RawFile] = []
        // Whoever writes to them waits until all is read: what moves meanwhile would look lost.
        for path in [damaged] + helpers { files.append(try rawFile(path)) }
        let survey = SalvageSurvey(files, progress: progress)
        guard !survey.isEmpty else {
            throw .damaged(path: damaged, place: "data.mdb", why: "no intact event was found in it")
        }
        let work = try inFiles(target) { () throws(FileError) in
            try WorkFolder.make(Self.salvages, in: Files.folder(of: target))
        }
        defer { work.remove() }
        let made = try inFiles(target, work.makeFolder(StoreFolder.made))
        let result = try write(survey, of: files, to: made, configuration, progress)
        do throws(LogError) {
            try carryContent(from: files[0], into: try CommitLog.open(path: made, companions: Self.companionDatabases))
        } catch {
            throw StoreError(error, path: made)
        }
        let digest = try finish(made, configuration)
        let verification = try verify(at: made, level: .deep)
        try putInPlace(work, as: target)
        return SalvageReport(
            path: target, events: result.events, keptEvents: result.keptEvents, erasedEvents: result.erasedEvents, lost: result.lost,
            missingCommits: result.missingCommits, doubt: result.doubt,
            rescues: result.rescues.map { SalvageReport.Rescue(from: $0.from, origin: $0.origin, events: $0.events) },
            gaps: result.gaps.map { SalvageReport.Gap(origin: $0.origin, numbers: $0.numbers) }, findings: verification.findings,
            digest: digest)
    }

    private static func rawFile(_ path: String) throws(StoreError) -> RawFile {
        do throws(StoreFileError) { return try RawFile(path, holdingOffWriters: true) } catch {
            switch error {
            case .busy: throw .inUse(path: path)
            case .notAStore, .notARegularFile: throw .noStore(path: path)
            default: throw .storage(path: path, operation: "read", why: "\(error)")
            }
        }
    }

    private static func write(
        _ survey: SalvageSurvey, of files: [RawFile], to path: String, _ configuration: Configuration, _ progress: (Int) -> Void
    ) throws(StoreError) -> SalvageResult {
        do throws(LogError) {
            let log = try CommitLog.create(path: path, origin: newOrigin(configuration), companions: Self.companionDatabases)
            let result = try log.takeSalvage(survey, rules: references, random: configuration.randomness, progress: progress)
            for file in files { try log.takeHeldAside(from: file) }
            return result
        } catch { throw StoreError(error, path: path) }
    }

    private static func finish(_ path: String, _ configuration: Configuration) throws(StoreError) -> SHA256Digest {
        let store = try open(at: path, configuration: configuration)
        let digest = try store.digest()
        try store.checkpoint()
        return digest
    }

    /// Which events are about others, and how they are made to be about copies of those.
    private static let references = ReferenceRules(
        target: { header, payload in
            switch try? StudyEvent.decode(type: header.type, version: header.version, payload: payload) {
            case .actionVoided(let event): event.target
            case .answerCorrected(let event): event.target
            case .eventHeld(let event): event.target
            case .eventReleased(let event): event.target
            default: nil
            }
        },
        retargeted: { header, payload, target in
            guard var event = try? StudyEvent.decode(type: header.type, version: header.version, payload: payload) else { return nil }
            switch event {
            case .actionVoided(var voided):
                voided.target = target
                event = .actionVoided(voided)
            case .answerCorrected(var corrected):
                corrected.target = target
                event = .answerCorrected(corrected)
            case .eventHeld(var held):
                held.target = target
                event = .eventHeld(held)
            case .eventReleased(var released):
                released.target = target
                event = .eventReleased(released)
            default: return nil
            }
            return event.encodedPayload(version: header.version)
        },
        effect: { header, payload in
            if header.type.isErasure { return .erases }
            return switch try? StudyEvent.decode(header, payload: payload) {
            case .eventHeld(let event): .holds(event.target)
            case .eventReleased(let event): .releases(event.target)
            default: nil
            }
        }, texts: textRules)
}
