// A trace source that takes only one pointer while it has no listener: ns-3's TracedCallback, made at the
// first connection.
#pragma once

#include <ns3/traced-callback.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace headroom {

/// Has the connecting interface of ns3::TracedCallback, so that ns3::MakeTraceSourceAccessor accepts it.
template <class... Args>
class OptionalTrace {
 public:
  bool Connected() const { return trace_ != nullptr; }
  void operator()(Args... args) const {
    if (trace_) (*trace_)(args...);
  }

  void ConnectWithoutContext(const ns3::CallbackBase& callback) { Trace().ConnectWithoutContext(callback); }
  void Connect(const ns3::CallbackBase& callback, std::string path) { Trace().Connect(callback, path); }
  void DisconnectWithoutContext(const ns3::CallbackBase& callback) {
    if (trace_) trace_->DisconnectWithoutContext(callback);
  }
  void Disconnect(const ns3::CallbackBase& callback, std::string path) {
    if (trace_) trace_->Disconnect(callback, path);
  }

 private:
  ns3::TracedCallback<Args...>& Trace() {
    if (!trace_) trace_ = std::make_unique<ns3::TracedCallback<Args...>>();
    return *trace_;
  }
  std::unique_ptr<ns3::TracedCallback<Args...>> trace_;
};

/// The same with a flag for its first connection.
template <class... Args>
class FlaggedTrace : public OptionalTrace<Args...> {
  using Base = OptionalTrace<Args...>;

 public:
  /// From the first connection on this bit is set in `flags`, which its owner reads anyway.
  void SetFlag(uint8_t* flags, uint8_t bit) {
    flags_ = flags, bit_ = bit;
    if (this->Connected()) Raise();
  }
  void ConnectWithoutContext(const ns3::CallbackBase& callback) {
    Base::ConnectWithoutContext(callback);
    Raise();
  }
  void Connect(const ns3::CallbackBase& callback, std::string path) {
    Base::Connect(callback, std::move(path));
    Raise();
  }

 private:
  void Raise() {
    if (flags_ != nullptr) *flags_ |= bit_;
  }
  uint8_t* flags_ = nullptr;
  uint8_t bit_ = 0;
};

}  // namespace headroom
