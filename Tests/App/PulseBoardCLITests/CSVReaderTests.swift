import Testing

@testable import PulseBoardCLI

@Suite struct CSVReaderTests {
    private func records(_ text: String) throws(CSVError) -> [CSVReader.Record] {
        var reader = CSVReader(Array(text.utf8))
        var records: [CSVReader.Record] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private func problem(_ text: String) -> CSVError? {
        do throws(CSVError) {
            _ = try records(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "Fields and line ends",
        arguments: [
            ("", []),
            ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
            ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
            ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
            ("a,,\n", [["a", "", ""]]),
            ("\n\na\n\r\nb\n\n", [["a"], ["b"]]),
            ("\u{FEFF}id\n1\n", [["id"], ["1"]]),
            ("\"a,b\",\"c\"\"d\",\"\"\n", [["a,b", "c\"d", ""]]),
            ("\"two\r\nlines\",x\r\n", [["two\r\nlines", "x"]]),
            ("한글,\"김, 하늘\"\n", [["한글", "김, 하늘"]]),
            ("a\rb,c\n", [["a\rb", "c"]]),
        ] as [(String, [[String]])])
    func reads(_ text: String, _ fields: [[String]]) throws {
        #expect(try records(text).map(\.fields) == fields)
    }

    @Test("Line numbers count the lines of the file, those inside quotes and empty ones too")
    func lines() throws {
        #expect(try records("a\n\n\"x\ny\nz\"\r\nb\n").map(\.line) == [1, 3, 6])
    }

    @Test("Errors name their line")
    func errors() {
        #expect(problem("a\nb,\"open\nc\n") == CSVError(line: 2, problem: .unclosedQuote))
        #expect(problem("a\nb\"c\n") == CSVError(line: 2, problem: .strayQuote))
        #expect(problem("a\n\"b\"c\n") == CSVError(line: 2, problem: .strayQuote))
        #expect(problem("\"a\nb\" x\n") == CSVError(line: 2, problem: .strayQuote))
        var reader = CSVReader([0x61, 0x0A, 0xC3, 0x28, 0x0A])
        #expect(throws: CSVError(line: 2, problem: .notUTF8)) {
            _ = try reader.next()
            _ = try reader.next()
        }
    }

    @Test("Columns are found by name, in any order, among others")
    func columns() throws {
        var columns = try CSVColumns(Array("x,name,id\n9,Ann,1\n".utf8), names: ["id", "name"])
        #expect(try columns.next() == CSVReader.Record(line: 2, fields: ["1", "Ann"]))
        #expect(try columns.next() == nil)
    }

    @Test("Missing columns, missing and empty fields are errors")
    func columnErrors() {
        #expect(throws: CSVError(line: 1, problem: .missingHeader(expected: ["id", "name"]))) {
            try CSVColumns(Array("id,nom\n".utf8), names: ["id", "name"])
        }
        #expect(throws: CSVError(line: 1, problem: .missingHeader(expected: ["id"]))) { try CSVColumns([], names: ["id"]) }
        #expect(throws: CSVError(line: 3, problem: .missingField(name: "name"))) {
            var columns = try CSVColumns(Array("id,name\n1,a\n2\n".utf8), names: ["id", "name"])
            while try columns.next() != nil {}
        }
        #expect(throws: CSVError(line: 2, problem: .emptyField(name: "id"))) {
            var columns = try CSVColumns(Array("id,name\n,a\n".utf8), names: ["id", "name"])
            while try columns.next() != nil {}
        }
    }
}

@Suite struct LoadPlanTests {
    private func plan(_ users: String, _ follows: String, oneWay: Bool = false) throws(CSVError) -> LoadPlan {
        try LoadPlan(
            users: LoadFile(name: "users.csv", bytes: Array(users.utf8)),
            follows: LoadFile(name: "edges.csv", bytes: Array(follows.utf8)), accountPrefix: "load", isOneWay: oneWay)
    }

    private let users = "id,name\n10,ann\n20,bob\n30,cleo\n"

    @Test("A row is a mutual follow unless said otherwise; repeated rows count once")
    func directions() throws {
        let rows = "id_1,id_2\n30,10\n10,20\n20,10\n10,20\n"
        #expect(try plan(users, rows).follows.map { [$0.follower, $0.followee] } == [[0, 1], [0, 2], [1, 0], [2, 0]])
        #expect(try plan(users, rows, oneWay: true).follows.map { [$0.follower, $0.followee] } == [[0, 1], [1, 0], [2, 0]])
    }

    @Test("The account is the login, or its digest when no account name can hold the login")
    func accounts() {
        #expect(LoadPlan.accountName(prefix: "load", login: "Ann-Lee") == "load:Ann-Lee")
        #expect(LoadPlan.accountName(prefix: "load", login: "하늘") == "load:하늘")
        // The digest is that of `printf 'a b' | sha256sum`.
        #expect(LoadPlan.accountName(prefix: "load", login: "a b") == "load:sha256=c8687a08aa5d6ed2044328fa6a697ab8")
        // Also a login that looks like another's digest.
        for login in [String(repeating: "x", count: 60), "sha256=c8687a08aa5d6ed2044328fa6a697ab8"] {
            let name = LoadPlan.accountName(prefix: "load", login: login)
            #expect(name.hasPrefix("load:sha256=") && name != "load:" + login && name.utf8.count == 44)
        }
    }

    @Test("Mistakes name the file and the line, before any call is made")
    func mistakes() {
        func problem(_ users: String, _ follows: String) -> CSVError? {
            do throws(CSVError) {
                _ = try plan(users, follows)
                return nil
            } catch {
                return error
            }
        }
        #expect(
            problem("id,name\n1,a\n1,b\n", "id_1,id_2\n")
                == CSVError(file: "users.csv", line: 3, problem: .repeatedValue(name: "id", value: "1", firstLine: 2)))
        #expect(
            problem("id,name\n1,a\n2,a\n", "id_1,id_2\n")
                == CSVError(file: "users.csv", line: 3, problem: .repeatedValue(name: "name", value: "a", firstLine: 2)))
        #expect(
            problem(users, "id_1,id_2\n10,20\n10,99\n")
                == CSVError(file: "edges.csv", line: 3, problem: .unknownID(name: "id_2", value: "99")))
    }
}
