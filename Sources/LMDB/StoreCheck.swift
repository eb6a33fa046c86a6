/// The check of a data file before it is mapped.
package enum StoreCheck {
    static func check(dataPath: String, writerFile: borrowing OwnedFile) throws(StoreFault) {
    }
}
