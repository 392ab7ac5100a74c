// Written by protoc-gen-pulseboard-swift from golden/v1/wide.proto.
// Do not edit: change that file and generate again.

internal import GoldenMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// Submessages within submessages, many of each. In line, an empty Wide would take 16 KiB.
public struct GWWide: Message {
    /// `a`, field 1.
    public var a: GWWideMiddle? {
        get { aStorage_.first }
        set { aStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `a` out of line: in line it would take much memory also when it is not set.
    private var aStorage_: [GWWideMiddle] = []
    /// `b`, field 2.
    public var b: GWWideMiddle? {
        get { bStorage_.first }
        set { bStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `b` out of line: in line it would take much memory also when it is not set.
    private var bStorage_: [GWWideMiddle] = []
    /// `c`, field 3.
    public var c: GWWideMiddle? {
        get { cStorage_.first }
        set { cStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `c` out of line: in line it would take much memory also when it is not set.
    private var cStorage_: [GWWideMiddle] = []
    /// `d`, field 4.
    public var d: GWWideMiddle? {
        get { dStorage_.first }
        set { dStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `d` out of line: in line it would take much memory also when it is not set.
    private var dStorage_: [GWWideMiddle] = []
    /// `e`, field 5.
    public var e: GWWideMiddle? {
        get { eStorage_.first }
        set { eStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `e` out of line: in line it would take much memory also when it is not set.
    private var eStorage_: [GWWideMiddle] = []
    /// `f`, field 6.
    public var f: GWWideMiddle? {
        get { fStorage_.first }
        set { fStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `f` out of line: in line it would take much memory also when it is not set.
    private var fStorage_: [GWWideMiddle] = []
    /// `g`, field 7.
    public var g: GWWideMiddle? {
        get { gStorage_.first }
        set { gStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `g` out of line: in line it would take much memory also when it is not set.
    private var gStorage_: [GWWideMiddle] = []
    /// `h`, field 8.
    public var h: GWWideMiddle? {
        get { hStorage_.first }
        set { hStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `h` out of line: in line it would take much memory also when it is not set.
    private var hStorage_: [GWWideMiddle] = []
    /// `i`, field 9.
    public var i: GWWideMiddle? {
        get { iStorage_.first }
        set { iStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `i` out of line: in line it would take much memory also when it is not set.
    private var iStorage_: [GWWideMiddle] = []
    /// `j`, field 10.
    public var j: GWWideMiddle? {
        get { jStorage_.first }
        set { jStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `j` out of line: in line it would take much memory also when it is not set.
    private var jStorage_: [GWWideMiddle] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        a: GWWideMiddle? = nil,
        b: GWWideMiddle? = nil,
        c: GWWideMiddle? = nil,
        d: GWWideMiddle? = nil,
        e: GWWideMiddle? = nil,
        f: GWWideMiddle? = nil,
        g: GWWideMiddle? = nil,
        h: GWWideMiddle? = nil,
        i: GWWideMiddle? = nil,
        j: GWWideMiddle? = nil
    ) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.e = e
        self.f = f
        self.g = g
        self.h = h
        self.i = i
        self.j = j
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Wide.self,
        initializedBy: golden__v1__wide__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__Wide.self)
        self.a = MessageReader.message(message.pointee.a)
        self.b = MessageReader.message(message.pointee.b)
        self.c = MessageReader.message(message.pointee.c)
        self.d = MessageReader.message(message.pointee.d)
        self.e = MessageReader.message(message.pointee.e)
        self.f = MessageReader.message(message.pointee.f)
        self.g = MessageReader.message(message.pointee.g)
        self.h = MessageReader.message(message.pointee.h)
        self.i = MessageReader.message(message.pointee.i)
        self.j = MessageReader.message(message.pointee.j)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__Wide.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.a = try encoder.message(self.a, as: Golden__V1__WideMiddle.self, field: "a")
        message.pointee.b = try encoder.message(self.b, as: Golden__V1__WideMiddle.self, field: "b")
        message.pointee.c = try encoder.message(self.c, as: Golden__V1__WideMiddle.self, field: "c")
        message.pointee.d = try encoder.message(self.d, as: Golden__V1__WideMiddle.self, field: "d")
        message.pointee.e = try encoder.message(self.e, as: Golden__V1__WideMiddle.self, field: "e")
        message.pointee.f = try encoder.message(self.f, as: Golden__V1__WideMiddle.self, field: "f")
        message.pointee.g = try encoder.message(self.g, as: Golden__V1__WideMiddle.self, field: "g")
        message.pointee.h = try encoder.message(self.h, as: Golden__V1__WideMiddle.self, field: "h")
        message.pointee.i = try encoder.message(self.i, as: Golden__V1__WideMiddle.self, field: "i")
        message.pointee.j = try encoder.message(self.j, as: Golden__V1__WideMiddle.self, field: "j")
    }
}

/// `golden.v1.WideMiddle`.
public struct GWWideMiddle: Message {
    /// `a`, field 1.
    public var a: GWWideLeaf? {
        get { aStorage_.first }
        set { aStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `a` out of line: in line it would take much memory also when it is not set.
    private var aStorage_: [GWWideLeaf] = []
    /// `b`, field 2.
    public var b: GWWideLeaf? {
        get { bStorage_.first }
        set { bStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `b` out of line: in line it would take much memory also when it is not set.
    private var bStorage_: [GWWideLeaf] = []
    /// `c`, field 3.
    public var c: GWWideLeaf? {
        get { cStorage_.first }
        set { cStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `c` out of line: in line it would take much memory also when it is not set.
    private var cStorage_: [GWWideLeaf] = []
    /// `d`, field 4.
    public var d: GWWideLeaf? {
        get { dStorage_.first }
        set { dStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `d` out of line: in line it would take much memory also when it is not set.
    private var dStorage_: [GWWideLeaf] = []
    /// `e`, field 5.
    public var e: GWWideLeaf? {
        get { eStorage_.first }
        set { eStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `e` out of line: in line it would take much memory also when it is not set.
    private var eStorage_: [GWWideLeaf] = []
    /// `f`, field 6.
    public var f: GWWideLeaf? {
        get { fStorage_.first }
        set { fStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `f` out of line: in line it would take much memory also when it is not set.
    private var fStorage_: [GWWideLeaf] = []
    /// `g`, field 7.
    public var g: GWWideLeaf? {
        get { gStorage_.first }
        set { gStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `g` out of line: in line it would take much memory also when it is not set.
    private var gStorage_: [GWWideLeaf] = []
    /// `h`, field 8.
    public var h: GWWideLeaf? {
        get { hStorage_.first }
        set { hStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `h` out of line: in line it would take much memory also when it is not set.
    private var hStorage_: [GWWideLeaf] = []
    /// `i`, field 9.
    public var i: GWWideLeaf? {
        get { iStorage_.first }
        set { iStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `i` out of line: in line it would take much memory also when it is not set.
    private var iStorage_: [GWWideLeaf] = []
    /// One of two, of which only the large one is out of line.
    public var last: OneOf_Last?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        a: GWWideLeaf? = nil,
        b: GWWideLeaf? = nil,
        c: GWWideLeaf? = nil,
        d: GWWideLeaf? = nil,
        e: GWWideLeaf? = nil,
        f: GWWideLeaf? = nil,
        g: GWWideLeaf? = nil,
        h: GWWideLeaf? = nil,
        i: GWWideLeaf? = nil,
        last: OneOf_Last? = nil
    ) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.e = e
        self.f = f
        self.g = g
        self.h = h
        self.i = i
        self.last = last
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__WideMiddle.self,
        initializedBy: golden__v1__wide_middle__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__WideMiddle.self)
        self.a = MessageReader.message(message.pointee.a)
        self.b = MessageReader.message(message.pointee.b)
        self.c = MessageReader.message(message.pointee.c)
        self.d = MessageReader.message(message.pointee.d)
        self.e = MessageReader.message(message.pointee.e)
        self.f = MessageReader.message(message.pointee.f)
        self.g = MessageReader.message(message.pointee.g)
        self.h = MessageReader.message(message.pointee.h)
        self.i = MessageReader.message(message.pointee.i)
        switch message.pointee.last_case.rawValue {
        case 10: self.last = MessageReader.message(message.pointee.j).map { .j($0) }
        case 11: self.last = .number(message.pointee.number)
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__WideMiddle.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.a = try encoder.message(self.a, as: Golden__V1__WideLeaf.self, field: "a")
        message.pointee.b = try encoder.message(self.b, as: Golden__V1__WideLeaf.self, field: "b")
        message.pointee.c = try encoder.message(self.c, as: Golden__V1__WideLeaf.self, field: "c")
        message.pointee.d = try encoder.message(self.d, as: Golden__V1__WideLeaf.self, field: "d")
        message.pointee.e = try encoder.message(self.e, as: Golden__V1__WideLeaf.self, field: "e")
        message.pointee.f = try encoder.message(self.f, as: Golden__V1__WideLeaf.self, field: "f")
        message.pointee.g = try encoder.message(self.g, as: Golden__V1__WideLeaf.self, field: "g")
        message.pointee.h = try encoder.message(self.h, as: Golden__V1__WideLeaf.self, field: "h")
        message.pointee.i = try encoder.message(self.i, as: Golden__V1__WideLeaf.self, field: "i")
        switch self.last {
        case .j(let value)?:
            message.pointee.last_case = .init(rawValue: 10)
            message.pointee.j = try encoder.message(value, as: Golden__V1__WideLeaf.self, field: "j")
        case .number(let value)?:
            message.pointee.last_case = .init(rawValue: 11)
            message.pointee.number = value
        case nil: break
        }
    }

    /// What ``last`` can be.
    public enum OneOf_Last: Hashable, Sendable {
        /// `j`, field 10.
        case j(GWWideLeaf)
        /// `number`, field 11.
        case number(Int32)
    }
}

/// In line in its messages, while there is room.
public struct GWWideLeaf: Message {
    /// `a`, field 1.
    public var a: String = ""
    /// `b`, field 2.
    public var b: String = ""
    /// `c`, field 3.
    public var c: String = ""
    /// `d`, field 4.
    public var d: String = ""
    /// `e`, field 5.
    public var e: String = ""
    /// `f`, field 6.
    public var f: String = ""
    /// `g`, field 7.
    public var g: String = ""
    /// `h`, field 8.
    public var h: String = ""
    /// `i`, field 9.
    public var i: String = ""
    /// `j`, field 10.
    public var j: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        a: String = "",
        b: String = "",
        c: String = "",
        d: String = "",
        e: String = "",
        f: String = "",
        g: String = "",
        h: String = "",
        i: String = "",
        j: String = ""
    ) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.e = e
        self.f = f
        self.g = g
        self.h = h
        self.i = i
        self.j = j
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__WideLeaf.self,
        initializedBy: golden__v1__wide_leaf__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__WideLeaf.self)
        self.a = MessageReader.string(message.pointee.a)
        self.b = MessageReader.string(message.pointee.b)
        self.c = MessageReader.string(message.pointee.c)
        self.d = MessageReader.string(message.pointee.d)
        self.e = MessageReader.string(message.pointee.e)
        self.f = MessageReader.string(message.pointee.f)
        self.g = MessageReader.string(message.pointee.g)
        self.h = MessageReader.string(message.pointee.h)
        self.i = MessageReader.string(message.pointee.i)
        self.j = MessageReader.string(message.pointee.j)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__WideLeaf.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.a.isEmpty {
            message.pointee.a = try encoder.string(self.a, field: "a")
        }
        if !self.b.isEmpty {
            message.pointee.b = try encoder.string(self.b, field: "b")
        }
        if !self.c.isEmpty {
            message.pointee.c = try encoder.string(self.c, field: "c")
        }
        if !self.d.isEmpty {
            message.pointee.d = try encoder.string(self.d, field: "d")
        }
        if !self.e.isEmpty {
            message.pointee.e = try encoder.string(self.e, field: "e")
        }
        if !self.f.isEmpty {
            message.pointee.f = try encoder.string(self.f, field: "f")
        }
        if !self.g.isEmpty {
            message.pointee.g = try encoder.string(self.g, field: "g")
        }
        if !self.h.isEmpty {
            message.pointee.h = try encoder.string(self.h, field: "h")
        }
        if !self.i.isEmpty {
            message.pointee.i = try encoder.string(self.i, field: "i")
        }
        if !self.j.isEmpty {
            message.pointee.j = try encoder.string(self.j, field: "j")
        }
    }
}

/// `golden.v1.Wides`.
public struct GWWides: Message {
    /// `wides`, field 1.
    public var wides: [GWWide] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(wides: [GWWide] = []) {
        self.wides = wides
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Wides.self,
        initializedBy: golden__v1__wides__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__Wides.self)
        self.wides = MessageReader.messages(message.pointee.n_wides, message.pointee.wides)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__Wides.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_wides, message.pointee.wides) = try encoder.messages(
            self.wides, as: Golden__V1__Wide.self, field: "wides")
    }
}

/// `golden/v1/wide.proto` in protobuf's own terms, for server reflection.
public enum GWWideFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "golden/v1/wide.proto",
        dependencies: [],
        serialized: """
            \n\u{14}golden/v1/wide.proto\u{12}\tgolden.v1\"\u{f8}\u{2}\n\u{4}Wide\u{12}#\n\u{1}a\u{18}\u{1} \
            \u{1}(\u{b}2\u{15}.golden.v1.WideMiddleR\u{1}a\u{12}#\n\u{1}b\u{18}\u{2} \u{1}(\u{b}2\u{15}.golden.\
            v1.WideMiddleR\u{1}b\u{12}#\n\u{1}c\u{18}\u{3} \u{1}(\u{b}2\u{15}.golden.v1.WideMiddleR\u{1}c\u{12}\
            #\n\u{1}d\u{18}\u{4} \u{1}(\u{b}2\u{15}.golden.v1.WideMiddleR\u{1}d\u{12}#\n\u{1}e\u{18}\u{5} \u{1}\
            (\u{b}2\u{15}.golden.v1.WideMiddleR\u{1}e\u{12}#\n\u{1}f\u{18}\u{6} \u{1}(\u{b}2\u{15}.golden.v1.Wi\
            deMiddleR\u{1}f\u{12}#\n\u{1}g\u{18}\u{7} \u{1}(\u{b}2\u{15}.golden.v1.WideMiddleR\u{1}g\u{12}#\n\
            \u{1}h\u{18}\u{8} \u{1}(\u{b}2\u{15}.golden.v1.WideMiddleR\u{1}h\u{12}#\n\u{1}i\u{18}\t \u{1}(\u{b}\
            2\u{15}.golden.v1.WideMiddleR\u{1}i\u{12}#\n\u{1}j\u{18}\n \u{1}(\u{b}2\u{15}.golden.v1.WideMiddleR\
            \u{1}j\"\u{8e}\u{3}\n\nWideMiddle\u{12}!\n\u{1}a\u{18}\u{1} \u{1}(\u{b}2\u{13}.golden.v1.WideLeafR\
            \u{1}a\u{12}!\n\u{1}b\u{18}\u{2} \u{1}(\u{b}2\u{13}.golden.v1.WideLeafR\u{1}b\u{12}!\n\u{1}c\u{18}\
            \u{3} \u{1}(\u{b}2\u{13}.golden.v1.WideLeafR\u{1}c\u{12}!\n\u{1}d\u{18}\u{4} \u{1}(\u{b}2\u{13}.gol\
            den.v1.WideLeafR\u{1}d\u{12}!\n\u{1}e\u{18}\u{5} \u{1}(\u{b}2\u{13}.golden.v1.WideLeafR\u{1}e\u{12}\
            !\n\u{1}f\u{18}\u{6} \u{1}(\u{b}2\u{13}.golden.v1.WideLeafR\u{1}f\u{12}!\n\u{1}g\u{18}\u{7} \u{1}(\
            \u{b}2\u{13}.golden.v1.WideLeafR\u{1}g\u{12}!\n\u{1}h\u{18}\u{8} \u{1}(\u{b}2\u{13}.golden.v1.WideL\
            eafR\u{1}h\u{12}!\n\u{1}i\u{18}\t \u{1}(\u{b}2\u{13}.golden.v1.WideLeafR\u{1}i\u{12}#\n\u{1}j\u{18}\
            \n \u{1}(\u{b}2\u{13}.golden.v1.WideLeafH\0R\u{1}j\u{12}\u{18}\n\u{6}number\u{18}\u{b} \u{1}(\u{5}H\
            \0R\u{6}numberB\u{6}\n\u{4}last\"\u{96}\u{1}\n\u{8}WideLeaf\u{12}\u{c}\n\u{1}a\u{18}\u{1} \u{1}(\tR\
            \u{1}a\u{12}\u{c}\n\u{1}b\u{18}\u{2} \u{1}(\tR\u{1}b\u{12}\u{c}\n\u{1}c\u{18}\u{3} \u{1}(\tR\u{1}c\
            \u{12}\u{c}\n\u{1}d\u{18}\u{4} \u{1}(\tR\u{1}d\u{12}\u{c}\n\u{1}e\u{18}\u{5} \u{1}(\tR\u{1}e\u{12}\
            \u{c}\n\u{1}f\u{18}\u{6} \u{1}(\tR\u{1}f\u{12}\u{c}\n\u{1}g\u{18}\u{7} \u{1}(\tR\u{1}g\u{12}\u{c}\n\
            \u{1}h\u{18}\u{8} \u{1}(\tR\u{1}h\u{12}\u{c}\n\u{1}i\u{18}\t \u{1}(\tR\u{1}i\u{12}\u{c}\n\u{1}j\
            \u{18}\n \u{1}(\tR\u{1}j\".\n\u{5}Wides\u{12}%\n\u{5}wides\u{18}\u{1} \u{3}(\u{b}2\u{f}.golden.v1.W\
            ideR\u{5}widesB\u{5}\u{ba}\u{2}\u{2}GWb\u{6}proto3
            """)
}
