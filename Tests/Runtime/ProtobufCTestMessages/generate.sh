#!/bin/sh
# Rewrites what is generated from the .proto files of this directory: the C here, the Swift in ../ProtobufCTests/Generated.
# Run from the package's directory after `swift build --product protoc-gen-pulseboard-swift`.
set -eu
messages=Tests/Runtime/ProtobufCTestMessages
swift=Tests/Runtime/ProtobufCTests/Generated
mkdir -p "$swift"
cd "$messages"
protoc-c --c_out=. test_*.proto
mv ./*.pb-c.h include/
cd - >/dev/null
for proto in "$messages"/test_*.proto; do
  # proto2 has no Swift wrapper: its test speaks to the descriptor.
  case "$proto" in *test_required.proto) continue ;; esac
  protoc -I "$messages" --plugin="${SWIFT_BIN:-.build/debug}/protoc-gen-pulseboard-swift" \
    --pulseboard-swift_out="$swift" \
    --pulseboard-swift_opt=CModule=ProtobufCTestMessages,Visibility=internal,Import=ProtobufWellKnownTypes \
    "$(basename "$proto")"
done
