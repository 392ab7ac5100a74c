// Written by protoc-gen-pulseboard-swift from golden/v1/places.proto.
// Do not edit: change that file and generate again.

internal import GoldenMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// Where something is.
public enum Golden_V1_Place: ProtobufEnum {
    /// `PLACE_UNSPECIFIED`, number 0.
    case unspecified
    /// `PLACE_HERE`, number 1.
    case here
    /// Not here.
    case there
    /// A number that this schema does not name, sent by a newer peer.
    case unrecognized(Int32)

    /// The value of number 0.
    public init() { self = .unspecified }

    /// The value of that number, or ``unrecognized(_:)``.
    public init(rawValue: Int32) {
        self = switch rawValue {
        case 0: .unspecified
        case 1: .here
        case 2: .there
        default: .unrecognized(rawValue)
        }
    }

    /// The number.
    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .here: 1
        case .there: 2
        case .unrecognized(let number): number
        }
    }
}

/// `golden/v1/places.proto` in protobuf's own terms, for server reflection.
public enum Golden_V1_PlacesFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "golden/v1/places.proto",
        dependencies: [],
        serialized: """
            \n\u{16}golden/v1/places.proto\u{12}\tgolden.v1*?\n\u{5}Place\u{12}\u{15}\n\u{11}PLACE_UNSPECIFIED\
            \u{10}\0\u{12}\u{e}\n\nPLACE_HERE\u{10}\u{1}\u{12}\u{f}\n\u{b}PLACE_THERE\u{10}\u{2}b\u{6}proto3
            """)
}
