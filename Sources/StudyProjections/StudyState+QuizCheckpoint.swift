internal import EventCoding
internal import StudyModel

/// The part of a checkpoint that holds packs, tests and their answers.
extension StudyState {
    func writePackRows(to writer: inout ByteWriter) {
        writer.writeVariable(UInt64(packs.count))
        for pack in packs.rows {
            writer.write(pack.id)
            writer.writeText(pack.name)
            writer.write(pack.digest)
            for count in [pack.words, pack.questions, pack.types] { writer.writeVariable(count) }
            writer.write(UInt8((pack.isInstalled ? 1 : 0) | (pack.selectedType != nil ? 2 : 0)))
            writer.write(pack.installedAt)
            writer.writeText(pack.selectedType ?? "")
            writer.write(pack.selectedOrder)
            writer.write(pack.order)
        }
    }

    @_lifetime(reader: copy reader)
    mutating func readPacks(from reader: inout ByteReader) throws(ByteFault) {
        var rows: [PackState] = []
        for _ in 0..<(try reader.readCount()) {
            var pack = PackState(id: try reader.readUniqueID())
            pack.name = try reader.readText(limit: 1 << 20)
            pack.digest = try reader.readDigest()
            pack.words = try reader.readVariable()
            pack.questions = try reader.readVariable()
            pack.types = try reader.readVariable()
            let flags = try reader.readUInt8()
            pack.isInstalled = flags & 1 != 0
            pack.installedAt = try reader.readMoment()
            let selected = try reader.readText(limit: 1 << 20)
            pack.selectedType = flags & 2 != 0 ? selected : nil
            pack.selectedOrder = try reader.readFoldOrder()
            pack.order = try reader.readFoldOrder()
            rows.append(pack)
        }
        packs = EntityTable(rows)
    }

    func writeQuizRows(to writer: inout ByteWriter) {
        writer.writeVariable(UInt64(quizzes.count))
        for quiz in quizzes.rows {
            writer.write(quiz.id)
            writer.write(
                UInt8((quiz.isStarted ? 1 : 0) | (quiz.pack != nil ? 2 : 0) | (quiz.end != nil ? 4 : 0))
                    | (quiz.end?.isAbandoned ?? false ? 8 : 0))
            writer.write(quiz.pack ?? .none)
            writer.writeText(quiz.testType)
            writer.writeVariable(quiz.seed)
            writer.writeVariable(UInt64(quiz.questionCount))
            writer.write(quiz.startedAt)
            writer.write(quiz.startOrder)
            writer.write(quiz.questionsAt.rawValue)
            if let end = quiz.end {
                writer.writeVariable(end.right)
                writer.writeVariable(end.total)
                writer.write(end.at)
            }
            writer.write(quiz.order)
        }
    }

    @_lifetime(reader: copy reader)
    mutating func readQuizzes(from reader: inout ByteReader) throws(ByteFault) {
        var rows: [QuizState] = []
        for _ in 0..<(try reader.readCount()) {
            var quiz = QuizState(id: try reader.readUniqueID())
            let flags = try reader.readUInt8()
            quiz.isStarted = flags & 1 != 0
            let pack = try reader.readUniqueID()
            quiz.pack = flags & 2 != 0 ? pack : nil
            quiz.testType = try reader.readText(limit: 1 << 20)
            quiz.seed = try reader.readVariable()
            quiz.questionCount = Int(clamping: try reader.readVariable())
            quiz.startedAt = try reader.readMoment()
            quiz.startOrder = try reader.readFoldOrder()
            quiz.questionsAt = EventPosition(rawValue: try reader.readUInt64())
            if flags & 4 != 0 {
                let right = try reader.readVariable()
                let total = try reader.readVariable()
                quiz.end = QuizState.End(right: right, total: total, isAbandoned: flags & 8 != 0, at: try reader.readMoment())
            }
            quiz.order = try reader.readFoldOrder()
            rows.append(quiz)
        }
        quizzes = EntityTable(rows)
    }

    func writeAnswerRows(to writer: inout ByteWriter) {
        let quizzes = answers.quizzes
        writer.writeVariable(UInt64(quizzes.count))
        for quiz in quizzes {
            let all = answers.all(of: quiz)
            writer.write(quiz)
            writer.writeVariable(UInt64(all.count))
            for answer in all {
                writer.write(answer.order)
                writer.write(answer.question)
                writer.writeVariable(UInt64(answer.chosen))
                writer.write(UInt8(answer.isRight ? 1 : 0))
                writer.writeVariable(answer.tookMilliseconds.map { UInt64(clamping: $0) + 1 } ?? 0)
                writer.write(answer.at)
            }
        }
    }

    @_lifetime(reader: copy reader)
    mutating func readAnswers(from reader: inout ByteReader) throws(ByteFault) {
        answers = QuizAnswers()
        for _ in 0..<(try reader.readCount()) {
            let quiz = try reader.readUniqueID()
            for _ in 0..<(try reader.readCount()) {
                let order = try reader.readFoldOrder()
                let question = try reader.readUniqueID()
                let chosen = Int(clamping: try reader.readVariable())
                let isRight = try reader.readUInt8() == 1
                let took = try reader.readVariable()
                answers.add(
                    QuizAnswer(
                        order: order, question: question, chosen: chosen, isRight: isRight,
                        tookMilliseconds: took == 0 ? nil : Int64(clamping: took - 1), at: try reader.readMoment()),
                    to: quiz)
            }
        }
    }
}
