import GoldenMessages
import ProtobufC
import StandardServiceMessages
import Testing

@testable import ProtobufSchema

@Suite struct SchemaTextTests {
    private static func schema(_ files: [FileDescriptor]) throws -> Schema {
        Schema(try files.flatMap(\.withAllDependencies).map { try SchemaFile(serializedBytes: $0.serializedBytes) })
    }

    @Test("A service, and one of its methods with its messages")
    func service() throws {
        let schema = try Self.schema([Grpc_Health_V1_Health.file])
        #expect(
            SchemaText.describing("grpc.health.v1.Health", in: schema) == """
                service Health {
                  rpc Check(HealthCheckRequest) returns (HealthCheckResponse);
                  rpc List(HealthListRequest) returns (HealthListResponse);
                  rpc Watch(HealthCheckRequest) returns (stream HealthCheckResponse);
                }

                """)
        let method = """
            rpc Watch(HealthCheckRequest) returns (stream HealthCheckResponse);

            message HealthCheckRequest {
              string service = 1;
            }

            message HealthCheckResponse {
              enum ServingStatus {
                UNKNOWN = 0;
                SERVING = 1;
                NOT_SERVING = 2;
                SERVICE_UNKNOWN = 3;
              }
              HealthCheckResponse.ServingStatus status = 1;
            }

            """
        #expect(SchemaText.describing("grpc.health.v1.Health.Watch", in: schema) == method)
        let message = SchemaText.describing("grpc.health.v1.HealthCheckResponse", in: schema)
        #expect(message == SchemaText.describing("grpc.health.v1.HealthCheckResponse.status", in: schema))
        #expect(
            SchemaText.describing("grpc.health.v1.HealthCheckResponse.ServingStatus", in: schema)
                == SchemaText.describing("grpc.health.v1.HealthCheckResponse.SERVING", in: schema))
        #expect(SchemaText.describing("grpc.health.v1", in: schema) == nil)
    }

    @Test("Maps, oneofs and names of other packages are written as people write them")
    func fields() throws {
        let schema = try Self.schema([Golden_V1_EverythingFile.descriptor])
        let text = try #require(SchemaText.describing("google.protobuf.Struct", in: schema))
        #expect(text == "message Struct {\n  map<string, Value> fields = 1;\n}\n")
        let value = try #require(SchemaText.describing("google.protobuf.Value", in: schema))
        #expect(value.contains("  oneof kind {\n    NullValue null_value = 1;\n    double number_value = 2;\n"))
        let everything = try #require(SchemaText.describing("golden.v1.Everything", in: schema))
        #expect(everything.contains("repeated int32 unpacked_int32 = 38 [packed = false];"))
        #expect(everything.contains("    option allow_alias = true;\n"))
        #expect(everything.contains("google.protobuf.Timestamp "))
    }

    @Test("What only proto2 and newer files have: labels, defaults, reserved numbers, extensions")
    func labels() throws {
        var file = SchemaFile(name: "a.proto", package: "a", syntax: "proto2", dependencies: [])
        func field(_ name: String, _ number: Int32, _ type: SchemaFieldType) -> SchemaField {
            SchemaField(name: name, fullName: "a.M." + name, number: number, type: type)
        }
        var message = SchemaMessage(name: "M", fullName: "a.M", fields: [field("one", 1, .sint64), field("two", 2, .string)])
        message.fields[0].label = .required
        message.fields[1].defaultValue = "x"
        message.fields[1].isDeprecated = true
        message.fields[1].chosenJSONName = "zwei"
        message.reservedRanges = [3...3, 5...536_870_911]
        message.reservedNames = ["three"]
        message.extensionRanges = [100...199]
        message.isDeprecated = true
        file.messages = [message]
        var more = SchemaField(name: "more", fullName: "a.more", number: 100, type: .message("b.Other"))
        more.extendee = "a.M"
        file.extensions = [more]
        let schema = Schema([file])
        #expect(
            SchemaText.describing("a.M", in: schema) == """
                message M {
                  option deprecated = true;
                  reserved 3, 5 to max;
                  reserved "three";
                  required sint64 one = 1;
                  optional string two = 2 [default = "x", json_name = "zwei", deprecated = true];
                  extensions 100 to 199;
                }

                """)
        #expect(SchemaText.describing("a.more", in: schema) == "extend M {\n  optional b.Other more = 100;\n}\n")
    }

    @Test("A field without a name in a message without a name is part of nothing that can be described")
    func nameless() throws {
        var file = SchemaFile(name: "a.proto", package: "", syntax: "proto3", dependencies: [])
        let field = SchemaField(name: "", fullName: "", number: 1, type: .int32)
        file.messages = [SchemaMessage(name: "M", fullName: "M", fields: [field])]
        #expect(SchemaText.describing("", in: Schema([file])) == nil)
    }

    @Test("A method that names itself as its message ends all the same")
    func circle() throws {
        var file = SchemaFile(name: "a.proto", package: "", syntax: "proto3", dependencies: [])
        file.services = [SchemaService(name: "S", fullName: "S", methods: [SchemaMethod(name: "M", request: "S.M", response: "S")])]
        #expect(SchemaText.describing("S.M", in: Schema([file])) == "rpc M(S.M) returns (S);\n")
    }
}
