// What a request costs the host that executes it, apart from carrying it: its core works, and then hands it
// on.
#pragma once

#include <utility>

#include "protocol/channel/storage_call.h"
#include "protocol/process.h"

namespace headroom {

class RequestCosts final : public StorageServer {
 public:
  /// Both outlive this.
  RequestCosts(StorageServer& server, Process& process) : server_(server), process_(process) {}
  void Execute(StorageCall call, Reply reply) override {
    process_.Do(CoreWork::operation, process_.costs().OfRequest(),
                [this, call = std::move(call), reply = std::move(reply)]() mutable {
                  server_.Execute(std::move(call), std::move(reply));
                });
  }

 private:
  StorageServer& server_;
  Process& process_;
};

}  // namespace headroom
