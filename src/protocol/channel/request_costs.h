// What a request costs the host that executes it, apart from carrying it: its core works, and then hands it
// on.
#pragma once

#include <utility>

#include "protocol/channel/storage_call.h"
#include "protocol/process.h"

namespace headroom {

class RequestCosts final : public StorageServer {
 public:
  /// `many`: requests come many at a time, so that the core has yet to begin each. Both outlive this.
  RequestCosts(StorageServer& server, Process& process, bool many)
      : server_(server), process_(process), many_(many) {}
  void Execute(StorageCall call, Reply reply) override {
    auto done = [this, call = std::move(call), reply = std::move(reply)]() mutable {
      server_.Execute(std::move(call), std::move(reply));
    };
    const Time cost = process_.costs().OfRequest();
    if (many_) return process_.DoNew(CoreWork::operation, cost, std::move(done));
    process_.Do(CoreWork::operation, cost, std::move(done));
  }

 private:
  StorageServer& server_;
  Process& process_;
  const bool many_;
};

}  // namespace headroom
