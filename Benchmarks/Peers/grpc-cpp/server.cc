// A gRPC server of the C++ library's asynchronous kind: one completion queue, one thread.
//
//   grpc-cpp-server SOCKET
#include "bench.grpc.pb.h"
#include <cstdio>
#include <grpcpp/grpcpp.h>
#include <memory>
#include <string>

namespace {

// How many calls may be under way: each waits in the queue for a call to arrive. Above the 256 of the benchmark's heaviest load.
constexpr int kPlaces = 300;

// One place for a call: waits for it, answers it, waits for the next one.
class Place {
public:
    Place(bench::Bench::AsyncService *service, grpc::ServerCompletionQueue *queue) : service_(service), queue_(queue) { wait(); }

    // What the completion queue reports for this place: a call has arrived (`ok`), or its answer was sent.
    void proceed(bool ok) {
        if (!is_answering_ && ok) {
            is_answering_ = true;
            response_.set_data(request_.data());
            responder_->Finish(response_, grpc::Status::OK, this);
        } else if (is_answering_) {
            wait();
        }
    }

private:
    void wait() {
        is_answering_ = false;
        // Both serve one call only.
        responder_.reset();
        context_ = std::make_unique<grpc::ServerContext>();
        responder_ = std::make_unique<grpc::ServerAsyncResponseWriter<bench::Payload>>(context_.get());
        request_.Clear();
        service_->RequestEcho(context_.get(), &request_, responder_.get(), queue_, queue_, this);
    }

    bench::Bench::AsyncService *service_;
    grpc::ServerCompletionQueue *queue_;
    std::unique_ptr<grpc::ServerContext> context_;
    std::unique_ptr<grpc::ServerAsyncResponseWriter<bench::Payload>> responder_;
    bench::Payload request_, response_;
    bool is_answering_ = false;
};

}  // namespace

int main(int count, char **arguments) {
    if (count != 2) {
        std::fprintf(stderr, "grpc-cpp-server SOCKET\n");
        return 64;
    }
    bench::Bench::AsyncService service;
    grpc::ServerBuilder builder;
    builder.AddListeningPort(std::string("unix:") + arguments[1], grpc::InsecureServerCredentials());
    builder.RegisterService(&service);
    std::unique_ptr<grpc::ServerCompletionQueue> queue = builder.AddCompletionQueue();
    std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
    if (!server) return 69;
    std::vector<std::unique_ptr<Place>> places;
    for (int i = 0; i < kPlaces; i++) places.push_back(std::make_unique<Place>(&service, queue.get()));
    void *place;
    for (bool ok; queue->Next(&place, &ok);) static_cast<Place *>(place)->proceed(ok);
    return 0;
}
