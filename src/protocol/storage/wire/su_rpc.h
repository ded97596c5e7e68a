// Calls over sU-RDMA: a request and its response, each a Write of a socket, matched by the call's number. The
// stream delivers each once, whole and in order, so a call is executed once.
#pragma once

#include <functional>
#include <map>

#include "protocol/storage/wire/su_socket.h"

namespace headroom {

/// Bytes of a call, or of its answer, without data. Ours.
inline constexpr uint32_t kCallBytes = 32;

/// A complete request or response.
struct SuCall {
  uint64_t number = 0;
  uint64_t length = 0;
  bool failed = false;         ///< for an answer: none arrived, because the connection has ended
  std::vector<uint8_t> bytes;  ///< empty if data are only counted
  SuSaid said{};
  /// For an answer: T1 of the request's first work request, T2 to T4 over its completed chunks, T5 and T6 of
  /// the last completion of the answer.
  OperationTimes times{};
};

/// One end; each may call the other.
class SuRpc final : public SuUser {
 public:
  /// Executes a request; Respond answers it, now or later.
  using Server = std::function<void(const SuCall&)>;
  using Answer = std::function<void(const SuCall&)>;

  /// Both must be called before anything arrives.
  void SetSocket(SuSocket& socket) { socket_ = &socket; }
  void SetServer(Server server) { server_ = std::move(server); }
  void SetOnAttached(std::function<void()> on_attached) { on_attached_ = std::move(on_attached); }

  /// `answer` is called with the response, `posted` once when the first bytes of the request leave. Returns
  /// the call's number.
  uint64_t Call(uint64_t length, Answer answer, std::vector<uint8_t> bytes = {}, const SuSaid& said = {},
                std::function<void()> posted = {});
  void Respond(uint64_t number, uint64_t length, std::vector<uint8_t> bytes = {}, const SuSaid& said = {});

  size_t open() const { return open_.size(); }
  uint64_t corrupt() const { return corrupt_; }

  bool OnData(const SuData& data) override;
  void OnCorrupt(uint64_t, uint32_t) override { ++corrupt_; }
  void OnChunk(uint64_t tag, const OperationTimes& times) override;
  void OnAttached() override {
    if (on_attached_) on_attached_();
  }
  void OnEnded(bool) override;
  bool IsNew(uint64_t tag) const override;

 private:
  struct OpenCall {
    Answer answer;
    std::function<void()> posted;
    OperationTimes times{};
  };
  SuSocket* socket_ = nullptr;
  Server server_;
  std::function<void()> on_attached_;
  std::map<uint64_t, OpenCall> open_;
  SuCall coming_;
  uint64_t calls_ = 0, corrupt_ = 0;
};

}  // namespace headroom
