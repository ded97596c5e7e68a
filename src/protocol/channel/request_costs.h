// The costs of a request at the host that executes it, without its transport: a core works, then passes it
// on.
#pragma once

#include <utility>

#include "protocol/channel/storage_call.h"
#include "protocol/process.h"

namespace headroom {

class RequestCosts final : public StorageServer {
 public:
  /// `begun`: the channel passes on a request when the core begins it. Otherwise the request has not begun,
  /// and waits with requests of the host's own programs. Both must outlive this object.
  RequestCosts(StorageServer& server, Process& process, bool begun)
      : server_(server), process_(process), begun_(begun) {}
  void Execute(StorageCall call, Reply reply) override {
    auto done = [this, call = std::move(call), reply = std::move(reply)]() mutable {
      server_.Execute(std::move(call), std::move(reply));
    };
    const Time cost = process_.costs().OfRequest();
    if (begun_) return process_.Do(CoreWork::operation, cost, std::move(done));
    process_.DoNew(CoreWork::operation, cost, std::move(done));
  }

 private:
  StorageServer& server_;
  Process& process_;
  const bool begun_;
};

}  // namespace headroom
