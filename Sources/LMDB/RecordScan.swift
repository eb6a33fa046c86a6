/// The records of one named database of a file that nobody vouches for, as far as they can be read: those of the newest snapshot.
package struct RecordScan: Sendable {
    package private(set) var records: [(key: [UInt8], value: [UInt8])] = []

    /// Follows the newest meta page that leads to the database `name`, passing over what can't be read.
    package init(of name: String, in file: RawFile) {
        for meta in TreeScan.metas(of: file) {
            var reader = TreeReader(file, pageSize: Int(meta.pageSize))
            guard let record = reader.record(named: Array(name.utf8), under: meta.main) else { continue }
            records = reader.records(of: record)
            return
        }
    }
}

extension TreeReader {
    /// Keys and values of a database, wherever the values lie.
    fileprivate mutating func records(of record: TreeRecord) -> [(key: [UInt8], value: [UInt8])] {
        var found: [(key: [UInt8], value: [UInt8])] = []
        let (file, pageSize) = (file, pageSize)
        walk(record) { page, node, _ in
            let key = page.slice(node.keyOffset, node.keySize).array
            guard node.flags == PageFormat.bigDataFlag else {
                return found.append((key, page.slice(node.valueOffset, node.valueSize).array))
            }
            let run = page.uint64(node.valueOffset)
            guard run >= 2, run < UInt64(file.length / pageSize) else { return }
            let value = file.bytes(at: Int(run) * pageSize + PageFormat.headerSize, count: node.valueSize)
            if value.count == node.valueSize { found.append((key, value)) }
        }
        return found
    }
}
