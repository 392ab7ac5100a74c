// Runs gRPC's interoperability cases with gRPC for C++ against a server of grpc.testing.TestService:
//
//   interop_client SOCKET CASE…
//
// Exits with 0 if every case passed.
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "grpc/testing/interop.grpc.pb.h"

namespace {

using namespace grpc::testing;
using grpc::ClientContext;
using grpc::Status;
using grpc::StatusCode;
using Stub = TestService::Stub;

const std::vector<int> kRequestSizes{27182, 8, 1828, 45904};
const std::vector<int> kResponseSizes{31415, 9, 2653, 58979};
const std::string kInitialKey = "x-grpc-test-echo-initial";
const std::string kTrailingKey = "x-grpc-test-echo-trailing-bin";
const std::string kSpecialText = "\t\ntest with whitespace\r\nand Unicode BMP \u263A and non-BMP \U0001F608\t\n";

void Check(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << what << std::endl;
  std::exit(1);
}

void CheckStatus(const Status& status, StatusCode code, const std::string& text = "") {
  Check(status.error_code() == code, "status " + std::to_string(status.error_code()) + " " + status.error_message());
  if (!text.empty()) Check(status.error_message() == text, "status text " + status.error_message());
}

// A deadline for every call, so that a server that does not answer fails the case.
std::unique_ptr<ClientContext> Context() {
  auto context = std::make_unique<ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
  return context;
}

SimpleRequest Large() {
  SimpleRequest request;
  request.set_response_size(314159);
  request.mutable_payload()->set_body(std::string(271828, '\0'));
  return request;
}

void CheckPayload(const Payload& payload, size_t size) { Check(payload.body() == std::string(size, '\0'), "payload"); }

StreamingOutputCallRequest Asking(int response_size, int payload_size = 0) {
  StreamingOutputCallRequest request;
  request.add_response_parameters()->set_size(response_size);
  request.mutable_payload()->set_body(std::string(payload_size, '\0'));
  return request;
}

void EmptyUnary(Stub& stub) {
  Empty response;
  CheckStatus(stub.EmptyCall(Context().get(), Empty(), &response), StatusCode::OK);
}

void Unary(Stub& stub, const SimpleRequest& request, grpc_compression_algorithm algorithm, StatusCode code) {
  auto context = Context();
  context->set_compression_algorithm(algorithm);
  SimpleResponse response;
  CheckStatus(stub.UnaryCall(context.get(), request, &response), code);
  if (code == StatusCode::OK) CheckPayload(response.payload(), 314159);
}

void LargeUnary(Stub& stub) { Unary(stub, Large(), GRPC_COMPRESS_NONE, StatusCode::OK); }

void ClientCompressedUnary(Stub& stub) {
  auto request = Large();
  request.mutable_expect_compressed()->set_value(true);
  Unary(stub, request, GRPC_COMPRESS_NONE, StatusCode::INVALID_ARGUMENT);
  Unary(stub, request, GRPC_COMPRESS_GZIP, StatusCode::OK);
  Unary(stub, request, GRPC_COMPRESS_DEFLATE, StatusCode::OK);
  request.mutable_expect_compressed()->set_value(false);
  Unary(stub, request, GRPC_COMPRESS_NONE, StatusCode::OK);
}

void ServerCompressedUnary(Stub& stub) {
  for (bool value : {true, false}) {
    auto request = Large();
    request.mutable_response_compressed()->set_value(value);
    Unary(stub, request, GRPC_COMPRESS_NONE, StatusCode::OK);
  }
}

void ClientStreaming(Stub& stub) {
  auto context = Context();
  StreamingInputCallResponse response;
  auto writer = stub.StreamingInputCall(context.get(), &response);
  for (int size : kRequestSizes) {
    StreamingInputCallRequest request;
    request.mutable_payload()->set_body(std::string(size, '\0'));
    Check(writer->Write(request), "a write failed");
  }
  writer->WritesDone();
  CheckStatus(writer->Finish(), StatusCode::OK);
  Check(response.aggregated_payload_size() == 74922, "sum");
}

void ClientCompressedStreaming(Stub& stub) {
  auto context = Context();
  context->set_compression_algorithm(GRPC_COMPRESS_GZIP);
  StreamingInputCallResponse response;
  auto writer = stub.StreamingInputCall(context.get(), &response);
  StreamingInputCallRequest request;
  request.mutable_expect_compressed()->set_value(true);
  request.mutable_payload()->set_body(std::string(27182, '\0'));
  Check(writer->Write(request), "a write failed");
  grpc::WriteOptions plain;
  plain.set_no_compression();
  request.mutable_expect_compressed()->set_value(false);
  request.mutable_payload()->set_body(std::string(45904, '\0'));
  Check(writer->Write(request, plain), "a write failed");
  writer->WritesDone();
  CheckStatus(writer->Finish(), StatusCode::OK);
  Check(response.aggregated_payload_size() == 73086, "sum");
}

void Responses(Stub& stub, const StreamingOutputCallRequest& request, const std::vector<int>& sizes) {
  auto context = Context();
  auto reader = stub.StreamingOutputCall(context.get(), request);
  StreamingOutputCallResponse response;
  for (int size : sizes) {
    Check(reader->Read(&response), "a response is missing");
    CheckPayload(response.payload(), size);
  }
  Check(!reader->Read(&response), "one response too many");
  CheckStatus(reader->Finish(), StatusCode::OK);
}

void ServerStreaming(Stub& stub) {
  StreamingOutputCallRequest request;
  for (int size : kResponseSizes) request.add_response_parameters()->set_size(size);
  Responses(stub, request, kResponseSizes);
}

void ServerCompressedStreaming(Stub& stub) {
  StreamingOutputCallRequest request = Asking(31415);
  request.mutable_response_parameters(0)->mutable_compressed()->set_value(true);
  request.add_response_parameters()->set_size(92653);
  request.mutable_response_parameters(1)->mutable_compressed()->set_value(false);
  Responses(stub, request, {31415, 92653});
}

void PingPong(Stub& stub) {
  auto context = Context();
  auto stream = stub.FullDuplexCall(context.get());
  StreamingOutputCallResponse response;
  for (size_t index = 0; index < kRequestSizes.size(); index++) {
    Check(stream->Write(Asking(kResponseSizes[index], kRequestSizes[index])), "a write failed");
    Check(stream->Read(&response), "a response is missing");
    CheckPayload(response.payload(), kResponseSizes[index]);
  }
  stream->WritesDone();
  Check(!stream->Read(&response), "one response too many");
  CheckStatus(stream->Finish(), StatusCode::OK);
}

void EmptyStream(Stub& stub) {
  auto context = Context();
  auto stream = stub.FullDuplexCall(context.get());
  stream->WritesDone();
  StreamingOutputCallResponse response;
  Check(!stream->Read(&response), "one response too many");
  CheckStatus(stream->Finish(), StatusCode::OK);
}

void CheckEchoes(const ClientContext& context) {
  auto initial = context.GetServerInitialMetadata().find(kInitialKey);
  Check(initial != context.GetServerInitialMetadata().end() && initial->second == "test_initial_metadata_value", "initial metadata");
  auto trailing = context.GetServerTrailingMetadata().find(kTrailingKey);
  Check(trailing != context.GetServerTrailingMetadata().end() && trailing->second == "\xab\xab\xab", "trailing metadata");
}

void CustomMetadata(Stub& stub) {
  auto context = Context();
  context->AddMetadata(kInitialKey, "test_initial_metadata_value");
  context->AddMetadata(kTrailingKey, "\xab\xab\xab");
  SimpleResponse response;
  CheckStatus(stub.UnaryCall(context.get(), Large(), &response), StatusCode::OK);
  CheckEchoes(*context);
}

void CheckEchoedStatus(Stub& stub, const std::string& text) {
  EchoStatus status;
  status.set_code(StatusCode::UNKNOWN);
  status.set_message(text);
  SimpleRequest request;
  *request.mutable_response_status() = status;
  SimpleResponse response;
  CheckStatus(stub.UnaryCall(Context().get(), request, &response), StatusCode::UNKNOWN, text);
  StreamingOutputCallRequest streamed;
  *streamed.mutable_response_status() = status;
  auto context = Context();
  auto stream = stub.FullDuplexCall(context.get());
  Check(stream->Write(streamed), "a write failed");
  stream->WritesDone();
  StreamingOutputCallResponse none;
  Check(!stream->Read(&none), "one response too many");
  CheckStatus(stream->Finish(), StatusCode::UNKNOWN, text);
}

void UnimplementedMethod(Stub& stub) {
  Empty response;
  CheckStatus(stub.UnimplementedCall(Context().get(), Empty(), &response), StatusCode::UNIMPLEMENTED);
}

void CancelAfterBegin(Stub& stub) {
  auto context = Context();
  StreamingInputCallResponse response;
  auto writer = stub.StreamingInputCall(context.get(), &response);
  context->TryCancel();
  CheckStatus(writer->Finish(), StatusCode::CANCELLED);
}

void CancelAfterFirstResponse(Stub& stub) {
  auto context = Context();
  auto stream = stub.FullDuplexCall(context.get());
  Check(stream->Write(Asking(31415, 27182)), "a write failed");
  StreamingOutputCallResponse response;
  Check(stream->Read(&response), "a response is missing");
  context->TryCancel();
  CheckStatus(stream->Finish(), StatusCode::CANCELLED);
}

void TimeoutOnSleepingServer(Stub& stub) {
  ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(1));
  auto stream = stub.FullDuplexCall(&context);
  auto request = Asking(31415, 27182);
  request.mutable_response_parameters(0)->set_interval_us(1000000);
  stream->Write(request);
  CheckStatus(stream->Finish(), StatusCode::DEADLINE_EXCEEDED);
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::cerr << "usage: interop_client SOCKET CASE..." << std::endl;
    return 64;
  }
  auto channel = grpc::CreateChannel(std::string("unix:") + words[1], grpc::InsecureChannelCredentials());
  auto stub = TestService::NewStub(channel);
  auto elsewhere = UnimplementedService::NewStub(channel);
  const std::map<std::string, std::function<void(Stub&)>> cases{
      {"empty_unary", EmptyUnary},
      {"large_unary", LargeUnary},
      {"client_compressed_unary", ClientCompressedUnary},
      {"server_compressed_unary", ServerCompressedUnary},
      {"client_streaming", ClientStreaming},
      {"client_compressed_streaming", ClientCompressedStreaming},
      {"server_streaming", ServerStreaming},
      {"server_compressed_streaming", ServerCompressedStreaming},
      {"ping_pong", PingPong},
      {"empty_stream", EmptyStream},
      {"custom_metadata", CustomMetadata},
      {"status_code_and_message", [](Stub& stub) { CheckEchoedStatus(stub, "test status message"); }},
      {"special_status_message", [](Stub& stub) { CheckEchoedStatus(stub, kSpecialText); }},
      {"unimplemented_method", UnimplementedMethod},
      {"unimplemented_service",
       [&](Stub&) {
         Empty response;
         CheckStatus(elsewhere->UnimplementedCall(Context().get(), Empty(), &response), StatusCode::UNIMPLEMENTED);
       }},
      {"cancel_after_begin", CancelAfterBegin},
      {"cancel_after_first_response", CancelAfterFirstResponse},
      {"timeout_on_sleeping_server", TimeoutOnSleepingServer},
  };
  for (int index = 2; index < count; index++) {
    auto found = cases.find(words[index]);
    Check(found != cases.end(), std::string("there is no case ") + words[index]);
    found->second(*stub);
    std::cout << words[index] << ": ok" << std::endl;
  }
}
