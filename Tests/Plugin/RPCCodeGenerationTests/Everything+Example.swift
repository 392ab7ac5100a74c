import GoldenMessages
import ProtobufC
import ProtobufWellKnownTypes

extension Golden_V1_Everything {
    /// The message of `Golden/everything.txtpb`: every field set, numbers at their limits.
    static func example() throws -> Self {
        var message = Self()
        message.setSingularFields()
        message.setRepeatedFields()
        message.setMaps()
        try message.setWellKnownTypes()
        message.choice = .chosenInner(Inner(moods: [.self_]))
        message.presentNumber = .number(0)
        return message
    }

    private mutating func setSingularFields() {
        (aInt32, aInt64) = (.min, .min)
        (aUint32, aUint64) = (.max, .max)
        (aSint32, aSint64) = (.min, .min)
        (aFixed32, aFixed64) = (.max, .max)
        (aSfixed32, aSfixed64) = (.min, .min)
        (aFloat, aDouble) = (.greatestFiniteMagnitude, .greatestFiniteMagnitude)
        aBool = true
        aString = "한글 👍 é"
        aBytes = [0, 1, 255]
        mood = .low
        inner = Inner(innermost: .init(text: "deep"), moods: [.good, .mood2nd, .unspecified])
        place = .there
    }

    private mutating func setRepeatedFields() {
        (manyInt32, manyInt64) = ([.max, 0, -1], [.max, 0, -1])
        (manyUint32, manyUint64) = ([.max, 0, 1], [.max, 0, 1])
        (manySint32, manySint64) = ([.max, 0, -1], [.max, 0, -1])
        (manyFixed32, manyFixed64) = ([.max, 0, 1], [.max, 0, 1])
        (manySfixed32, manySfixed64) = ([.max, 0, -1], [.max, 0, -1])
        manyFloat = [.leastNormalMagnitude, 0, -0.5, .infinity]
        manyDouble = [.leastNormalMagnitude, 0, -0.5, -.infinity]
        manyBool = [true, false, true]
        manyString = ["", "a", "나"]
        manyBytes = [[], [0], [255, 254]]
        manyMood = [.high, .low, .self_]
        manyInner = [Inner(), Inner(innermost: .init()), Inner(moods: [.default])]
        unpackedInt32 = [1, 0, -1]
    }

    private mutating func setMaps() {
        stringByString = ["": "", "b": "B", "가": "나"]
        innerByInt32 = [-1: Inner(innermost: .init(text: "minus")), 1: Inner()]
        moodByBool = [false: .good, true: .unspecified]
        bytesByUint64 = [0: [], .max: [0]]
        doubleBySint64 = [.min: -1.5, 2: 0]
        boolByString = ["no": false, "yes": true]
        timeByString = ["epoch": Google_Protobuf_Timestamp()]
    }

    private mutating func setWellKnownTypes() throws {
        time = Google_Protobuf_Timestamp(microsecondsSinceEpoch: 1_700_000_000_123_456)
        duration = Google_Protobuf_Duration(.milliseconds(-3_500))
        fieldMask = Google_Protobuf_FieldMask(paths: ["username", "display_name"])
        any = try Google_Protobuf_Any(packing: Golden_V1_Branch(tree: Golden_V1_Tree(label: "x")))
        stringValue = Google_Protobuf_StringValue()
        int64Value = Google_Protobuf_Int64Value(value: -9_007_199_254_740_993)
        boolValue = Google_Protobuf_BoolValue(value: true)
        bytesValue = Google_Protobuf_BytesValue(value: [255])
        let list = Google_Protobuf_ListValue(values: [.init(kind: .numberValue(1.5)), .init(kind: .nullValue(.nullValue))])
        `struct` = Google_Protobuf_Struct(fields: [
            "list": .init(kind: .listValue(list)), "text": .init(kind: .stringValue("")),
        ])
        value = Google_Protobuf_Value(kind: .boolValue(false))
        listValue = Google_Protobuf_ListValue(values: [.init(kind: .structValue(.init()))])
        manyTime = [
            Google_Protobuf_Timestamp(seconds: -62_135_596_800),
            Google_Protobuf_Timestamp(seconds: 253_402_300_799, nanos: 999_999_999),
        ]
    }
}
