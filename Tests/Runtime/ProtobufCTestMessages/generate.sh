#!/bin/sh
# Rewrites what is generated from the .proto files of this directory: the C here, the Swift in ../ProtobufCTests/Generated.
# Run from the package's directory after `swift build --product protoc-gen-pulseboard-swift`.
set -eu
messages=Tests/Runtime/ProtobufCTestMessages
swift=Tests/Runtime/ProtobufCTests/Generated
plugin=${SWIFT_BIN:-.build/debug}/protoc-gen-pulseboard-swift
mkdir -p "$swift"
protoc -I "$messages" --plugin=protoc-gen-pulseboard-c="$plugin" \
  --pulseboard-c_out=Language=C,CModule=ProtobufCTestMessages:"$messages" test_messages.proto test_required.proto test_well_known.proto
# proto2 has no Swift wrapper: its test speaks to the descriptor.
protoc -I "$messages" --plugin=protoc-gen-pulseboard-swift="$plugin" \
  --pulseboard-swift_out="$swift" \
  --pulseboard-swift_opt=CModule=ProtobufCTestMessages,Visibility=internal,Import=ProtobufWellKnownTypes \
  test_messages.proto test_well_known.proto
