// The parameters of a service that are common to all types.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "net/topology/topology.h"
#include "sim/footprint.h"
#include "sim/own_values.h"

namespace headroom {

/// Each kind of service has its own parameters, which derive from this class.
struct ServiceParameters {
  bool operator==(const ServiceParameters&) const = default;
};

struct OwnServiceParameters;
struct ServiceLoad;

/// Receives the queue pairs on which one host sends data to another: their number, in any order, and the UDP
/// source port of these data.
using UsePort = std::function<void(NodeId from, NodeId to, uint32_t number, uint16_t source_port)>;

/// A service type's parameters other than its hosts, and facts about itself that are needed before a run.
class ServiceSettings {
 public:
  virtual ~ServiceSettings() = default;
  virtual std::unique_ptr<ServiceSettings> Clone() const = 0;
  /// Whether both have the same type and values.
  virtual bool Equals(const ServiceSettings& other) const = 0;

  /// The class of its TCP, if it uses TCP.
  virtual std::optional<uint8_t> TcpClass(const OwnServiceParameters&) const { return std::nullopt; }
  /// Whether it uses queue pairs with acknowledgements.
  virtual bool OnQueuePairs() const { return true; }
  /// Calls `use` for all queue pairs whose source ports are known before a run.
  virtual void ForEachPort(const OwnServiceParameters&, const Topology&, const UsePort& /*use*/) const {}
  /// The service's share of this process's memory, for its load and this many operations open at the same
  /// time.
  virtual Forecast Footprint(const OwnServiceParameters&, const ServiceLoad&,
                             const Forecast& /*open*/) const {
    return {};
  }
};

/// Settings of a type, for example class BrpcSettings final : public SettingsOf<BrpcSettings,
/// BrpcParameters>. REQUIRES: P has an operator==.
template <class P>
struct SettingsData {
  P p;
};
template <class Self, class P>
class SettingsOf : public ServiceSettings, public SettingsData<P> {
 public:
  std::unique_ptr<ServiceSettings> Clone() const override {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
  bool Equals(const ServiceSettings& other) const override {
    const auto* same = dynamic_cast<const Self*>(&other);
    return same != nullptr && same->p == this->p;
  }
};

/// The settings of a service, of any type, as a value.
class AnySettings {
 public:
  AnySettings() = default;
  template <std::derived_from<ServiceSettings> Type>
  AnySettings(std::unique_ptr<Type> from) : held_(std::move(from)) {}  // NOLINT: as pointers convert
  AnySettings(const AnySettings& o) : held_(o.held_ ? o.held_->Clone() : nullptr) {}
  AnySettings(AnySettings&&) = default;
  AnySettings& operator=(AnySettings o) {
    held_ = std::move(o.held_);
    return *this;
  }
  const ServiceSettings* operator->() const { return held_.get(); }
  explicit operator bool() const { return held_ != nullptr; }

  /// Their values, for the code that made them. REQUIRES: they have this type.
  template <class P>
  P& As() {
    return dynamic_cast<SettingsData<P>&>(*held_).p;
  }
  template <class P>
  const P& As() const {
    return dynamic_cast<const SettingsData<P>&>(*held_).p;
  }

  friend bool operator==(const AnySettings& a, const AnySettings& b) {
    return a.held_ && b.held_ ? a.held_->Equals(*b.held_) : a.held_ == b.held_;
  }

 private:
  std::unique_ptr<ServiceSettings> held_;
};

/// For a type that registers itself (scenario/keys/services/own_services.h): an application's, or one of
/// another program.
struct OwnServiceParameters : ServiceParameters {
  std::string name, type;
  std::vector<NodeId> servers, clients;  ///< a host may be in both
  uint8_t priority = 0;
  OwnValues own;         ///< values of another program's keys; a key reads its value (OwnKey)
  AnySettings settings;  ///< settings of the type's own class; empty if it has only keys of that kind
  bool operator==(const OwnServiceParameters&) const = default;
};

}  // namespace headroom
