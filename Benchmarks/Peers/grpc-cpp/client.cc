// A load generator with the gRPC client of the C++ library: a closed loop. It checks each answer and prints one line of JSON.
//
//   grpc-cpp-client SOCKET CONNECTIONS IN_FLIGHT BYTES SECONDS WARM_UP SERVER_PID
//   grpc-cpp-client idle SOCKET CONNECTIONS SERVER_PID
#include "bench.grpc.pb.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <grpcpp/grpcpp.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Stub = std::unique_ptr<bench::Bench::Stub>;

[[noreturn]] void fail(const std::string &why) {
    std::fprintf(stderr, "grpc-cpp-client: %s\n", why.c_str());
    std::_Exit(1);
}

double cpu_seconds(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

double cpu_seconds_of(pid_t process) {
    clockid_t clock;
    return clock_getcpuclockid(process, &clock) ? 0 : cpu_seconds(clock);
}

long resident_kib(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("VmRSS:", 0) == 0) return std::atol(line.c_str() + 6);
    return 0;
}

// A channel with its own connection: gRPC shares a connection between channels with equal arguments.
Stub connect(const std::string &path, int number) {
    grpc::ChannelArguments arguments;
    arguments.SetInt("benchmark.number", number);
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return bench::Bench::NewStub(grpc::CreateCustomChannel("unix:" + path, grpc::InsecureChannelCredentials(), arguments));
}

void check(const grpc::Status &status, const bench::Payload &request, const bench::Payload &response) {
    if (!status.ok()) fail(status.error_message());
    if (response.data() != request.data()) fail("the echo differs from the call");
}

void call_once(bench::Bench::Stub &stub, const bench::Payload &request) {
    grpc::ClientContext context;
    bench::Payload response;
    check(stub.Echo(&context, request, &response), request, response);
}

std::string payload(size_t count) {
    std::string bytes(count, 'a');
    for (size_t i = 0; i < count; i++) bytes[i] = char('a' + (i * 7 + i / 251) % 26);
    return bytes;
}

struct Call {
    bench::Bench::Stub *stub;
    std::unique_ptr<grpc::ClientContext> context;
    std::unique_ptr<grpc::ClientAsyncResponseReader<bench::Payload>> reader;
    bench::Payload response;
    grpc::Status status;
    Clock::time_point sent;

    void start(const bench::Payload &request, grpc::CompletionQueue &queue) {
        reader.reset();
        context = std::make_unique<grpc::ClientContext>();
        response.Clear();
        sent = Clock::now();
        reader = stub->AsyncEcho(context.get(), request, &queue);
        reader->Finish(&response, &status, this);
    }
};

class Load {
public:
    Load(char **words)
        : path_(words[0]), connections_(std::atoi(words[1])), in_flight_(std::atoi(words[2])), bytes_(size_t(std::atol(words[3]))),
          seconds_(std::atof(words[4])), warm_up_(std::atof(words[5])), server_(std::atoi(words[6])) {
        request_.set_data(payload(bytes_));
        for (int i = 0; i < connections_; i++) stubs_.push_back(connect(path_, i));
        for (Stub &stub : stubs_) call_once(*stub, request_);
    }

    void run() {
        warm_until_ = Clock::now() + std::chrono::nanoseconds(int64_t(warm_up_ * 1e9));
        if (connections_ == 1 && in_flight_ == 1) one_at_a_time();
        else many_at_a_time();
        report();
    }

private:
    // Whether the measured time is over. Also records its beginning.
    bool is_over(Clock::time_point time) {
        if (!is_measuring_ && time >= warm_until_) {
            is_measuring_ = true;
            began_ = time;
            server_cpu_ = cpu_seconds_of(server_);
            own_cpu_ = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
        }
        return is_measuring_ && std::chrono::duration<double>(time - began_).count() >= seconds_;
    }

    void one_at_a_time() {
        for (Clock::time_point time = Clock::now(); !is_over(time);) {
            call_once(*stubs_[0], request_);
            Clock::time_point answered = Clock::now();
            if (is_measuring_) latencies_.push_back(std::chrono::duration<double, std::micro>(answered - time).count());
            time = answered;
        }
    }

    void many_at_a_time() {
        for (Stub &stub : stubs_) {
            for (int i = 0; i < in_flight_; i++) {
                calls_.push_back(std::make_unique<Call>());
                calls_.back()->stub = stub.get();
                calls_.back()->start(request_, queue_);
            }
        }
        void *tag;
        for (bool ok; queue_.Next(&tag, &ok);) {
            Call *call = static_cast<Call *>(tag);
            Clock::time_point answered = Clock::now();
            check(call->status, request_, call->response);
            if (is_measuring_) latencies_.push_back(std::chrono::duration<double, std::micro>(answered - call->sent).count());
            if (is_over(answered)) return;
            call->start(request_, queue_);
        }
    }

    double percentile(double share) const {
        return latencies_.empty() ? 0 : latencies_[std::min(latencies_.size() - 1, size_t(share * double(latencies_.size())))];
    }

    void report() {
        double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
        double server_cpu = cpu_seconds_of(server_) - server_cpu_, own_cpu = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - own_cpu_;
        std::sort(latencies_.begin(), latencies_.end());
        double calls = std::max<double>(1, double(latencies_.size()));
        std::printf(
            "{\"connections\":%d,\"in_flight\":%d,\"bytes\":%zu,\"calls\":%.0f,\"seconds\":%.3f,\"calls_per_second\":%.0f,"
            "\"p50_us\":%.2f,\"p99_us\":%.2f,\"client_cpu_us\":%.3f,\"server_cpu_us\":%.3f,\"server_cpus\":%.2f,\"resident_kib\":%ld}\n",
            connections_, in_flight_, bytes_, calls, seconds, calls / seconds, percentile(0.5), percentile(0.99),
            own_cpu * 1e6 / calls, server_cpu * 1e6 / calls, server_cpu / seconds, resident_kib(server_));
    }

    std::string path_;
    int connections_, in_flight_;
    size_t bytes_;
    double seconds_, warm_up_;
    pid_t server_;
    bench::Payload request_;
    std::vector<Stub> stubs_;
    grpc::CompletionQueue queue_;
    std::vector<std::unique_ptr<Call>> calls_;
    Clock::time_point warm_until_, began_;
    bool is_measuring_ = false;
    double server_cpu_ = 0, own_cpu_ = 0;
    std::vector<double> latencies_;  // microseconds
};

void measure_idle(const std::string &path, int connections, pid_t server) {
    bench::Payload request;
    request.set_data(payload(64));
    long before = resident_kib(server), with_one = before;
    std::vector<Stub> stubs;
    for (int i = 0; i < connections; i++) {
        stubs.push_back(connect(path, i));
        call_once(*stubs.back(), request);
        // The memory that the very first call touches (mostly program pages) does not count for a connection.
        if (i == 0) with_one = resident_kib(server);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    long with = resident_kib(server);
    std::printf(
        "{\"idle\":%d,\"before_kib\":%ld,\"resident_kib\":%ld,\"kib_per_connection\":%.3f}\n", connections, before, with,
        double(with - with_one) / (connections - 1));
}

}  // namespace

int main(int count, char **arguments) {
    if (count == 5 && !std::strcmp(arguments[1], "idle")) {
        measure_idle(arguments[2], std::atoi(arguments[3]), std::atoi(arguments[4]));
    } else if (count == 8) {
        Load(arguments + 1).run();
    } else {
        std::fprintf(stderr, "grpc-cpp-client [idle] …: see the top of client.cc\n");
        return 64;
    }
    std::fflush(stdout);
    // Calls are still under way: the process ends without waiting for their answers.
    std::_Exit(0);
}
