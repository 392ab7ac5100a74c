/// Reads chosen columns of a CSV file whose first record names its columns, in any order, among others or alone.
struct CSVColumns {
    private var reader: CSVReader
    private let names: [String]
    private let indices: [Int]

    /// - Throws: ``CSVError`` when the file has no header with all of `names`.
    init(_ bytes: [UInt8], names: [String]) throws(CSVError) {
        reader = CSVReader(bytes)
        self.names = names
        let header = try reader.next()
        var indices: [Int] = []
        for name in names {
            guard let index = header?.fields.firstIndex(of: name) else {
                throw CSVError(line: header?.line ?? 1, problem: .missingHeader(expected: names))
            }
            indices.append(index)
        }
        self.indices = indices
    }

    /// The chosen fields of the next record in the order of the names, none of them empty; nil at the end.
    mutating func next() throws(CSVError) -> CSVReader.Record? {
        guard let record = try reader.next() else { return nil }
        var chosen = CSVReader.Record(line: record.line, fields: [])
        for (index, name) in zip(indices, names) {
            guard index < record.fields.count else { throw CSVError(line: record.line, problem: .missingField(name: name)) }
            guard !record.fields[index].isEmpty else { throw CSVError(line: record.line, problem: .emptyField(name: name)) }
            chosen.fields.append(record.fields[index])
        }
        return chosen
    }
}
