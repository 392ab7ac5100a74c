@testable import ProtobufC

typealias Scalars = Pulseboard_Test_Scalars
typealias Lists = Pulseboard_Test_Lists
typealias Node = Pulseboard_Test_Node
typealias WellKnown = Pulseboard_Test_WellKnown

/// Messages that use every field, with values at the limits of their types.
enum SampleMessages {
    static let highScalars = Scalars(
        int32Value: .max, int64Value: .max, uint32Value: .max, uint64Value: .max, sint32Value: .max, sint64Value: .max,
        fixed32Value: .max, fixed64Value: .max, sfixed32Value: .max, sfixed64Value: .max,
        floatValue: .greatestFiniteMagnitude, doubleValue: .greatestFiniteMagnitude, boolValue: true,
        stringValue: "안녕 \u{10FFFF} \u{1}", bytesValue: [0, 255, 0], moodValue: .sad)

    static let lowScalars = Scalars(
        int32Value: .min, int64Value: .min, uint32Value: 1, uint64Value: 1, sint32Value: .min, sint64Value: .min,
        fixed32Value: 1, fixed64Value: 1, sfixed32Value: .min, sfixed64Value: .min,
        floatValue: .leastNonzeroMagnitude, doubleValue: .leastNonzeroMagnitude, boolValue: true,
        stringValue: "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}", bytesValue: [0], moodValue: .negative)

    static let lists = Lists(
        int32s: [.min, -1, 0, 1, .max], int64s: [.min, -1, 0, 1, .max], uint32s: [0, .max], uint64s: [0, .max],
        sint32s: [.min, 0, .max], sint64s: [.min, 0, .max], fixed32s: [0, .max], fixed64s: [0, .max],
        sfixed32s: [.min, 0, .max], sfixed64s: [.min, 0, .max], floats: [0, -1.5, .infinity],
        doubles: [0, 0.1, -.infinity], bools: [true, false, true], strings: ["", "a", "하나"], blobs: [[], [0, 1]],
        moods: [.unspecified, .negative, .unrecognized(77), .unrecognized(.min)], unpacked: [-1, 0, 300])

    static let tree = Node(
        name: "root", left: Node(name: "left", choice: .text("")),
        children: [
            Node(choice: .number(0)), Node(choice: .blob([])), Node(choice: .branch(Node(name: "leaf"))),
            Node(choice: .mood(.happy)), Node(choice: .flag(false)), Node(choice: .ratio(-0.5)),
        ],
        choice: .branch(Node()), counts: ["": 0, "b": -1, "a": 1], nodesByID: [.min: Node(name: "low"), .max: Node()],
        names: [true: "yes", false: ""], lastField: -7)
}

extension Message {
    /// The message after its own encode and decode.
    func throughTheWire() throws -> Self { try Self(serializedBytes: serializedBytes()) }
}
