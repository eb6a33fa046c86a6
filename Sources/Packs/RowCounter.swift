/// Counts the rows that are read, and tells now and then how far that is.
final class RowCounter {
    /// All rows that there are to read.
    var total = 0
    private var done = 0
    private let tell: ((_ done: Int, _ total: Int) -> Void)?

    init(_ tell: ((_ done: Int, _ total: Int) -> Void)?) { self.tell = tell }

    func count() {
        done += 1
        if done & 1023 == 0 { tell?(done, total) }
    }
}
