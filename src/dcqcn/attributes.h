// The parameters of a table as attributes of an ns-3 object. Rates are bit/s, sizes bytes, priorities a mask.
#pragma once

#include <ns3/boolean.h>
#include <ns3/double.h>
#include <ns3/enum.h>
#include <ns3/nstime.h>
#include <ns3/type-id.h>
#include <ns3/uinteger.h>

#include <cctype>
#include <span>
#include <string>

#include "dcqcn/parameter_table.h"

namespace headroom {

/// Converts a kind of parameter to an attribute value and back; returns false for a value of another kind.
template <class P>
struct AsAttribute {
  const Parameter<P>& parameter;

  ns3::Ptr<ns3::AttributeValue> Of(const P& p) const {
    return std::visit([&](const auto& kind) { return Of(kind, p); }, parameter.kind);
  }
  bool Store(const ns3::AttributeValue& value, P& p) const {
    return std::visit([&](const auto& kind) { return Store(kind, value, p); }, parameter.kind);
  }
  ns3::Ptr<const ns3::AttributeChecker> Checker() const {
    return std::visit([](const auto& kind) { return CheckerOf(kind); }, parameter.kind);
  }

 private:
  using Value = ns3::Ptr<ns3::AttributeValue>;
  using Check = ns3::Ptr<const ns3::AttributeChecker>;
  /// ns-3 sets its time resolution, used for conversion, only after attributes are registered.
  static ns3::Time ToNs3(Time t) { return ns3::PicoSeconds(static_cast<uint64_t>(t.v)); }
  static Value Whole(uint64_t v) { return ns3::Create<ns3::UintegerValue>(v); }

  static Value Of(const TimeParameter<P>& k, const P& p) {
    return ns3::Create<ns3::TimeValue>(ToNs3(p.*k.field));
  }
  static Value Of(const RateParameter<P>& k, const P& p) {
    return Whole(static_cast<uint64_t>((p.*k.field).v));
  }
  static Value Of(const BytesParameter<P>& k, const P& p) {
    return Whole(static_cast<uint64_t>((p.*k.field).v));
  }
  static Value Of(const CountParameter<P>& k, const P& p) { return Whole(static_cast<uint64_t>(p.*k.field)); }
  static Value Of(const FractionParameter<P>& k, const P& p) {
    return ns3::Create<ns3::DoubleValue>(p.*k.field);
  }
  static Value Of(const FlagParameter<P>& k, const P& p) {
    return ns3::Create<ns3::BooleanValue>(p.*k.field);
  }
  static Value Of(const PrioritiesParameter<P>& k, const P& p) { return Whole((p.*k.field).mask); }
  static Value Of(const ChoiceParameter<P>& k, const P& p) { return ns3::Create<ns3::EnumValue>(k.get(p)); }

  template <class V, class F>
  static bool From(const ns3::AttributeValue& value, const F& store) {
    const auto* const v = dynamic_cast<const V*>(&value);
    if (v != nullptr) store(v->Get());
    return v != nullptr;
  }
  using Uint = ns3::UintegerValue;
  static bool Store(const TimeParameter<P>& k, const ns3::AttributeValue& value, P& p) {
    return From<ns3::TimeValue>(value, [&](ns3::Time t) { p.*k.field = Time(t.GetTimeStep()); });
  }
  static bool Store(const RateParameter<P>& k, const ns3::AttributeValue& value, P& p) {
    return From<Uint>(value, [&](uint64_t v) { p.*k.field = Rate(static_cast<int64_t>(v)); });
  }
  static bool Store(const BytesParameter<P>& k, const ns3::AttributeValue& value, P& p) {
    return From<Uint>(value, [&](uint64_t v) { p.*k.field = Bytes(static_cast<int64_t>(v)); });
  }
  static bool Store(const CountParameter<P>& k, const ns3::AttributeValue& value, P& p) {
    return From<Uint>(value, [&](uint64_t v) { p.*k.field = static_cast<int>(v); });
  }
  static bool Store(const FractionParameter<P>& k, const ns3::AttributeValue& value, P& p) {
    return From<ns3::DoubleValue>(value, [&](double v) { p.*k.field = v; });
  }
  static bool Store(const FlagParameter<P>& k, const ns3::AttributeValue& value, P& p) {
    return From<ns3::BooleanValue>(value, [&](bool v) { p.*k.field = v; });
  }
  static bool Store(const PrioritiesParameter<P>& k, const ns3::AttributeValue& value, P& p) {
    return From<Uint>(value, [&](uint64_t v) { (p.*k.field).mask = static_cast<uint8_t>(v); });
  }
  static bool Store(const ChoiceParameter<P>& k, const ns3::AttributeValue& value, P& p) {
    return From<ns3::EnumValue>(value, [&](int v) { k.set(p, v); });
  }

  static Check CheckerOf(const TimeParameter<P>& k) {
    return ns3::MakeTimeChecker(ToNs3(k.least), ToNs3(k.most));
  }
  static Check CheckerOf(const RateParameter<P>& k) {
    return ns3::MakeUintegerChecker<uint64_t>(static_cast<uint64_t>(k.least.v));
  }
  static Check CheckerOf(const BytesParameter<P>& k) {
    return ns3::MakeUintegerChecker<uint64_t>(static_cast<uint64_t>(k.least.v));
  }
  static Check CheckerOf(const CountParameter<P>& k) {
    return ns3::MakeUintegerChecker<uint32_t>(static_cast<uint32_t>(k.least), static_cast<uint32_t>(k.most));
  }
  static Check CheckerOf(const FractionParameter<P>&) { return ns3::MakeDoubleChecker<double>(0, 1); }
  static Check CheckerOf(const FlagParameter<P>&) { return ns3::MakeBooleanChecker(); }
  static Check CheckerOf(const PrioritiesParameter<P>&) { return ns3::MakeUintegerChecker<uint8_t>(); }
  static Check CheckerOf(const ChoiceParameter<P>& k) {
    const auto checker = ns3::Create<ns3::EnumChecker>();
    for (size_t i = 0; i < k.names.size(); ++i)
      i == 0 ? checker->AddDefault(0, k.names[i]) : checker->Add(static_cast<int>(i), k.names[i]);
    return checker;
  }
};

/// Reads and writes a parameter of an object that has the entire table.
template <class Object, class P>
class ParameterAccessor final : public ns3::AttributeAccessor {
 public:
  using Getter = const P& (Object::*)() const;
  using Setter = void (Object::*)(const P&);
  ParameterAccessor(const Parameter<P>& parameter, Getter get, Setter set)
      : as_{parameter}, get_(get), set_(set) {}

  bool Set(ns3::ObjectBase* base, const ns3::AttributeValue& value) const override {
    auto* const object = dynamic_cast<Object*>(base);
    if (object == nullptr) return false;
    P p = (object->*get_)();
    if (!as_.Store(value, p)) return false;
    (object->*set_)(p);
    return true;
  }
  bool Get(const ns3::ObjectBase* base, ns3::AttributeValue& out) const override {
    const auto* const object = dynamic_cast<const Object*>(base);
    if (object == nullptr) return false;
    return as_.Checker()->Copy(*as_.Of((object->*get_)()), out);
  }
  bool HasGetter() const override { return true; }
  bool HasSetter() const override { return true; }

 private:
  AsAttribute<P> as_;
  Getter get_;
  Setter set_;
};

/// Adds to `tid` an attribute for each parameter of the table. The table must outlive the program's objects.
template <class Object, class P, size_t N>
ns3::TypeId WithAttributes(ns3::TypeId tid, const std::array<Parameter<P>, N>& table,
                           typename ParameterAccessor<Object, P>::Getter get,
                           typename ParameterAccessor<Object, P>::Setter set) {
  for (const Parameter<P>& parameter : table) {
    const AsAttribute<P> as{parameter};
    std::string help = parameter.help;
    help[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(help[0])));
    tid = tid.AddAttribute(parameter.attribute, help + ".", *as.Of(P{}),
                           ns3::Create<ParameterAccessor<Object, P>>(parameter, get, set), as.Checker());
  }
  return tid;
}

}  // namespace headroom
