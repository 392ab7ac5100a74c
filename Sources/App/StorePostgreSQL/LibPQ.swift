#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import PulseBoardDomain
import PulseBoardVocabulary

/// The functions of PostgreSQL's client library that the store calls.
///
/// It is loaded when the first store on PostgreSQL is opened. If it were linked, every server on SQLite would also load the libraries of TLS,
/// Kerberos and LDAP. Only this file touches C memory. The signatures are libpq's (PostgreSQL 15, chapter 34), unchanged since version 14.
final class LibPQ: Sendable {
    fileprivate let connectdbParams: @convention(c) @Sendable (
        UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?, CInt) -> OpaquePointer?
    fileprivate let finish: @convention(c) @Sendable (OpaquePointer?) -> Void
    fileprivate let status: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let errorMessage: @convention(c) @Sendable (OpaquePointer?) -> UnsafePointer<CChar>?
    fileprivate let socket: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let parameterStatus: @convention(c) @Sendable (OpaquePointer?, UnsafePointer<CChar>) -> UnsafePointer<CChar>?
    fileprivate let transactionStatus: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let database: @convention(c) @Sendable (OpaquePointer?) -> UnsafePointer<CChar>?
    fileprivate let host: @convention(c) @Sendable (OpaquePointer?) -> UnsafePointer<CChar>?
    fileprivate let setNonblocking: @convention(c) @Sendable (OpaquePointer?, CInt) -> CInt
    fileprivate let enterPipelineMode: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let pipelineSync: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let sendFlushRequest: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let flush: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let consumeInput: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let isBusy: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let sendPrepare: @convention(c) @Sendable (
        OpaquePointer?, UnsafePointer<CChar>, UnsafePointer<CChar>, CInt, UnsafePointer<UInt32>?) -> CInt
    fileprivate let sendQueryPrepared: @convention(c) @Sendable (
        OpaquePointer?, UnsafePointer<CChar>, CInt, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<CInt>?, UnsafePointer<CInt>?, CInt) -> CInt
    fileprivate let getResult: @convention(c) @Sendable (OpaquePointer?) -> OpaquePointer?
    fileprivate let resultStatus: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let resultErrorField: @convention(c) @Sendable (OpaquePointer?, CInt) -> UnsafePointer<CChar>?
    fileprivate let resultErrorMessage: @convention(c) @Sendable (OpaquePointer?) -> UnsafePointer<CChar>?
    fileprivate let commandTag: @convention(c) @Sendable (OpaquePointer?) -> UnsafePointer<CChar>?
    fileprivate let changedRows: @convention(c) @Sendable (OpaquePointer?) -> UnsafePointer<CChar>?
    fileprivate let rowCount: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let columnCount: @convention(c) @Sendable (OpaquePointer?) -> CInt
    fileprivate let type: @convention(c) @Sendable (OpaquePointer?, CInt) -> UInt32
    fileprivate let isNull: @convention(c) @Sendable (OpaquePointer?, CInt, CInt) -> CInt
    fileprivate let length: @convention(c) @Sendable (OpaquePointer?, CInt, CInt) -> CInt
    fileprivate let value: @convention(c) @Sendable (OpaquePointer?, CInt, CInt) -> UnsafePointer<CChar>?
    fileprivate let clear: @convention(c) @Sendable (OpaquePointer?) -> Void
    fileprivate let setNoticeProcessor: @convention(c) @Sendable (
        OpaquePointer?, (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void)?, UnsafeMutableRawPointer?) -> UnsafeRawPointer?
    fileprivate let parseConninfo: @convention(c) @Sendable (
        UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> UnsafeMutableRawPointer?
    fileprivate let freeConninfo: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void
    fileprivate let freeMemory: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void

    /// `PQconninfoOption`.
    fileprivate struct ConninfoOption {
        var keyword: UnsafePointer<CChar>?
        var environmentVariable: UnsafePointer<CChar>?
        var compiled: UnsafePointer<CChar>?
        var value: UnsafePointer<CChar>?
        var label: UnsafePointer<CChar>?
        var display: UnsafePointer<CChar>?
        var size: CInt
    }

    private static let name = "libpq.so.5"

    /// The library, or why it cannot be loaded. It is loaded once and never unloaded.
    static let shared: Result<LibPQ, PostgreSQLOpeningError> = Result { () throws(PostgreSQLOpeningError) in try LibPQ() }

    private init() throws(PostgreSQLOpeningError) {
        guard let library = dlopen(Self.name, RTLD_NOW | RTLD_LOCAL) else {
            throw .libraryMissing(detail: Phrase(untranslated: dlerror().map { String(cString: $0) } ?? Self.name))
        }
        func symbol<Function>(_ name: String) throws(PostgreSQLOpeningError) -> Function {
            // Pipelines exist since version 14.
            guard let address = dlsym(library, name) else {
                let library = Self.name
                throw .libraryMissing(
                    detail: Phrase("\(library) has no \(name): it is older than version 14", "\(library)에 \(name)이(가) 없습니다. 14보다 낮은 버전입니다"))
            }
            return unsafeBitCast(address, to: Function.self)
        }
        connectdbParams = try symbol("PQconnectdbParams")
        finish = try symbol("PQfinish")
        status = try symbol("PQstatus")
        errorMessage = try symbol("PQerrorMessage")
        socket = try symbol("PQsocket")
        parameterStatus = try symbol("PQparameterStatus")
        transactionStatus = try symbol("PQtransactionStatus")
        database = try symbol("PQdb")
        host = try symbol("PQhost")
        setNonblocking = try symbol("PQsetnonblocking")
        enterPipelineMode = try symbol("PQenterPipelineMode")
        pipelineSync = try symbol("PQpipelineSync")
        sendFlushRequest = try symbol("PQsendFlushRequest")
        flush = try symbol("PQflush")
        consumeInput = try symbol("PQconsumeInput")
        isBusy = try symbol("PQisBusy")
        sendPrepare = try symbol("PQsendPrepare")
        sendQueryPrepared = try symbol("PQsendQueryPrepared")
        getResult = try symbol("PQgetResult")
        resultStatus = try symbol("PQresultStatus")
        resultErrorField = try symbol("PQresultErrorField")
        resultErrorMessage = try symbol("PQresultErrorMessage")
        commandTag = try symbol("PQcmdStatus")
        changedRows = try symbol("PQcmdTuples")
        rowCount = try symbol("PQntuples")
        columnCount = try symbol("PQnfields")
        type = try symbol("PQftype")
        isNull = try symbol("PQgetisnull")
        length = try symbol("PQgetlength")
        value = try symbol("PQgetvalue")
        clear = try symbol("PQclear")
        setNoticeProcessor = try symbol("PQsetNoticeProcessor")
        parseConninfo = try symbol("PQconninfoParse")
        freeConninfo = try symbol("PQconninfoFree")
        freeMemory = try symbol("PQfreemem")
    }

    /// The settings in an address, without those from other sources.
    /// - Throws: `addressInvalid`. It does not contain libpq's message, which repeats parts of the address, such as a password with a wrong `%`.
    func settings(of address: String) throws(PostgreSQLOpeningError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = parseConninfo(address, &message) else {
            defer { freeMemory(message) }
            throw .addressInvalid(
                detail: Phrase(
                    "libpq cannot read it; its form is postgresql://USER@HOST:PORT/DATABASE?SETTING=VALUE, with %25 for % and %40 for @",
                    "libpq가 읽을 수 없습니다. postgresql://사용자@호스트:포트/데이터베이스?설정=값 꼴이어야 하며 %는 %25, @는 %40으로 적습니다"))
        }
        defer { freeConninfo(options) }
        var settings: [String: String] = [:]
        var option = options.assumingMemoryBound(to: ConninfoOption.self)
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.value { settings[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return settings
    }

    /// A message of the library, as one line.
    fileprivate static func line(_ text: UnsafePointer<CChar>?) -> String {
        guard let text else { return "no message" }
        return String(cString: text).split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: "; ")
    }
}

/// The values of a statement's parameters in binary form.
struct PQParameters {
    /// The PostgreSQL types that the store uses, by their numbers in its catalogue.
    enum Kind: UInt32 {
        /// Not specified: the statement decides.
        case unknown = 0
        case boolean = 16
        case bytes = 17
        case integer = 20
        case smallInteger = 21
        case shortInteger = 23
        case text = 25
        case listOfBytes = 1001

        /// A number below 16 for each kind, from its number in the catalogue; 0 for all others.
        static func code(_ type: UInt32) -> UInt64 {
            switch Self(rawValue: type) {
            case nil, .unknown: 0
            case .boolean: 1
            case .bytes: 2
            case .integer: 3
            case .smallInteger: 4
            case .shortInteger: 5
            case .text: 6
            case .listOfBytes: 7
            }
        }
    }

    private(set) var kinds: [UInt32] = []
    /// All values, one after another. The first byte is unused, so that the buffer is never empty: an empty buffer has no address.
    private var bytes: [UInt8] = [0]
    /// Where each value begins; -1 for NULL.
    private var places: [Int] = []
    private var lengths: [CInt] = []

    mutating func removeAll() {
        kinds.removeAll(keepingCapacity: true)
        bytes.removeSubrange(1...)
        places.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
    }

    mutating func append(_ value: Int64) { withUnsafeBytes(of: value.bigEndian) { append($0, .integer) } }
    mutating func append(_ bits: UUIDBits) { bits.withBytes { append($0, .bytes) } }
    mutating func append(_ value: [UInt8]) { append(value, .bytes) }
    mutating func append(_ text: String) { append(text.utf8, .text) }

    /// Appends a list of identifiers as a BYTEA array: the dimensions, whether it has NULLs, the type, the count, the first index, and each element
    /// after its length.
    mutating func append(_ users: [UserID]) {
        var list: [UInt8] = []
        func put(_ value: Int32, _ list: inout [UInt8]) { withUnsafeBytes(of: value.bigEndian) { list.append(contentsOf: $0) } }
        for value in [users.isEmpty ? 0 : 1, 0, Int32(Kind.bytes.rawValue)] { put(value, &list) }
        if !users.isEmpty { for value in [Int32(users.count), 1] { put(value, &list) } }
        for user in users {
            put(16, &list)
            list.append(contentsOf: user.bits.bytes)
        }
        append(list, .listOfBytes)
    }

    mutating func appendNull() {
        kinds.append(Kind.unknown.rawValue)
        places.append(-1)
        lengths.append(0)
    }

    private mutating func append(_ value: some Collection<UInt8>, _ kind: Kind) {
        kinds.append(kind.rawValue)
        places.append(bytes.count)
        lengths.append(CInt(value.count))
        bytes.append(contentsOf: value)
    }

    /// Lends the values in the form for libpq, all binary.
    fileprivate func withPointers(_ body: (CInt, [UnsafePointer<CChar>?], [CInt], [CInt]) -> CInt) -> CInt {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
            return body(CInt(kinds.count), places.map { $0 < 0 ? nil : start + $0 }, lengths, [CInt](repeating: 1, count: kinds.count))
        }
    }
}

/// One connection in pipeline mode. It belongs to one thread.
///
/// Sent statements wait in a buffer until it is flushed. Results come in the order of the statements.
final class PQConnection {
    private let library: LibPQ
    private let handle: OpaquePointer
    /// Whether the server has sent a warning since it was last taken.
    private let hasNotice: UnsafeMutablePointer<Bool>
    /// Whether the server has said nothing for longer than it may.
    private(set) var wasSilent = false

    /// Connects. It waits for the network, at most `connect_timeout` for each host.
    /// - Parameters:
    ///   - defaults: settings that the address may change.
    ///   - replacements: settings in place of those of the address.
    init(
        _ library: LibPQ, _ address: String, defaults: KeyValuePairs<String, String>, replacements: [(key: String, value: String)] = []
    ) throws(PostgreSQLFailure) {
        self.library = library
        let keywords = defaults.map(\.key) + ["dbname"] + replacements.map(\.key)
        let values = defaults.map(\.value) + [address] + replacements.map(\.value)
        let made = Self.withStrings(keywords) { keywords in
            Self.withStrings(values) { values in library.connectdbParams(keywords, values, 1) }
        }
        guard let made else { throw .lost(detail: "libpq has no memory") }
        guard library.status(made) == 0 else {
            defer { library.finish(made) }
            throw .lost(detail: LibPQ.line(library.errorMessage(made)))
        }
        handle = made
        hasNotice = .allocate(capacity: 1)
        hasNotice.initialize(to: false)
        _ = library.setNoticeProcessor(
            made, { flag, _ in flag?.assumingMemoryBound(to: Bool.self).pointee = true }, UnsafeMutableRawPointer(hasNotice))
        guard library.setNonblocking(made, 1) == 0, library.enterPipelineMode(made) == 1 else { throw lost() }
    }

    deinit {
        library.finish(handle)
        hasNotice.deallocate()
    }

    private static func withStrings<R>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R) -> R {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies.map { $0.map { UnsafePointer($0) } } + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
    }

    /// Whether the server has sent a warning since the last call.
    func takeNotice() -> Bool {
        defer { hasNotice.pointee = false }
        return hasNotice.pointee
    }

    /// A value that the server reports, such as `server_version`.
    func parameter(_ name: String) -> String? { library.parameterStatus(handle, name).map { String(cString: $0) } }
    /// The database's name.
    var database: String { library.database(handle).map { String(cString: $0) } ?? "" }
    /// The name of the host, or the folder of its socket.
    var host: String { library.host(handle).map { String(cString: $0) } ?? "" }
    /// Whether a transaction is open, according to the results taken so far.
    var isInTransaction: Bool { [2, 3].contains(library.transactionStatus(handle)) }

    // MARK: Sending

    func sendPrepare(_ name: String, _ sql: String, kinds: [UInt32]) throws(PostgreSQLFailure) {
        try check(library.sendPrepare(handle, name, sql, CInt(kinds.count), kinds))
    }

    func sendExecute(_ name: String, _ parameters: PQParameters) throws(PostgreSQLFailure) {
        try check(
            parameters.withPointers { count, values, lengths, formats in
                library.sendQueryPrepared(handle, name, count, values, lengths, formats, 1)
            })
    }

    /// Ends a part of the pipeline. After a failure, the server accepts statements again from here.
    func sendSync() throws(PostgreSQLFailure) { try check(library.pipelineSync(handle)) }

    /// Asks the server to send its pending results.
    func sendFlushRequest() throws(PostgreSQLFailure) { try check(library.sendFlushRequest(handle)) }

    private func check(_ result: CInt) throws(PostgreSQLFailure) {
        guard result == 1 else { throw lost() }
    }

    // MARK: Receiving

    /// The next result; `nil` after the result of each statement.
    /// - Parameter silence: how long to wait for any bytes from the server.
    func next(silence: Duration) throws(PostgreSQLFailure) -> PQResult? {
        var end = ContinuousClock.now + silence
        while true {
            let unsent = library.flush(handle)
            guard unsent >= 0 else { throw lost() }
            guard library.isBusy(handle) == 1 else { break }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else {
                wasSilent = true
                throw .lost(detail: "the server has said nothing for \(silence)")
            }
            var entry = pollfd(fd: library.socket(handle), events: Int16(POLLIN) | (unsent == 1 ? Int16(POLLOUT) : 0), revents: 0)
            let ready = poll(&entry, 1, CInt(left / .milliseconds(1)) + 1)
            guard ready > 0, entry.revents & ~Int16(POLLOUT) != 0 else { continue }
            guard library.consumeInput(handle) == 1 else { throw lost() }
            // A large result may take longer than that to come.
            end = ContinuousClock.now + silence
        }
        return library.getResult(handle).map { PQResult(library, $0) }
    }

    private func lost() -> PostgreSQLFailure { .lost(detail: LibPQ.line(library.errorMessage(handle))) }
}

/// The result of one statement.
final class PQResult {
    enum Status { case command, rows, sync, aborted, failed }

    private let library: LibPQ
    private let handle: OpaquePointer
    let rowCount: Int
    /// The kinds of the columns, four bits for each. There are more values than columns, so they are looked up once.
    private let kinds: UInt64
    private static let keptKinds: CInt = 16

    fileprivate init(_ library: LibPQ, _ handle: OpaquePointer) {
        self.library = library
        self.handle = handle
        rowCount = Int(library.rowCount(handle))
        var kinds: UInt64 = 0
        if rowCount > 0 {
            for column in 0..<min(library.columnCount(handle), Self.keptKinds) {
                kinds |= PQParameters.Kind.code(library.type(handle, column)) << (4 * UInt64(column))
            }
        }
        self.kinds = kinds
    }

    deinit { library.clear(handle) }

    var status: Status {
        switch library.resultStatus(handle) {
        case 1: .command
        case 2: .rows
        case 10: .sync
        case 11: .aborted
        default: .failed
        }
    }

    /// The command tag, such as `INSERT 0 1`.
    var tag: String { library.commandTag(handle).map { String(cString: $0) } ?? "" }
    /// How many rows the statement changed.
    var changes: Int { library.changedRows(handle).flatMap { Int(String(cString: $0)) } ?? 0 }
    /// Why the statement failed.
    var failure: PostgreSQLFailure {
        // PG_DIAG_SQLSTATE
        let state = library.resultErrorField(handle, CInt(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
        return PostgreSQLFailure(state: state, message: LibPQ.line(library.resultErrorMessage(handle)))
    }

    // MARK: Columns of a row; `nil` when it does not hold what is asked for.

    func isNull(_ row: Int, _ column: CInt) -> Bool { library.isNull(handle, CInt(row), column) == 1 }

    func integer(_ row: Int, _ column: CInt) -> Int64? {
        guard let bytes = bytes(row, column, of: Self.integers), let first = bytes.first else { return nil }
        // Big-endian, with the sign in the first bit. A Boolean has one byte.
        return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }

    func text(_ row: Int, _ column: CInt) -> String? {
        bytes(row, column, of: Self.texts).flatMap { String(column: $0.assumingMemoryBound(to: UInt8.self).span) }
    }

    func bits(_ row: Int, _ column: CInt) -> UUIDBits? { bytes(row, column, of: Self.byteStrings).flatMap { UUIDBits(bytes: $0) } }

    func blob(_ row: Int, _ column: CInt) -> [UInt8]? { bytes(row, column, of: Self.byteStrings).map { [UInt8]($0) } }

    // Sets of kinds, one bit for each.
    private static let integers = set(.integer, .smallInteger, .shortInteger, .boolean)
    private static let texts = set(.text)
    private static let byteStrings = set(.bytes)

    private static func set(_ kinds: PQParameters.Kind...) -> UInt16 {
        kinds.reduce(0) { $0 | 1 << UInt16(PQParameters.Kind.code($1.rawValue)) }
    }

    /// Memory of the library. It is valid as long as the result.
    private func bytes(_ row: Int, _ column: CInt, of set: UInt16) -> UnsafeRawBufferPointer? {
        let kind = column < Self.keptKinds ? kinds >> (4 * UInt64(column)) & 15 : PQParameters.Kind.code(library.type(handle, column))
        guard set >> UInt16(kind) & 1 == 1 else { return nil }
        let count = Int(library.length(handle, CInt(row), column))
        // NULL has no length either.
        guard count > 0 || !isNull(row, column) else { return nil }
        return UnsafeRawBufferPointer(start: library.value(handle, CInt(row), column), count: count)
    }
}
