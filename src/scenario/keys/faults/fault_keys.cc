#include "scenario/keys/faults/fault_keys.h"

#include <string>
#include <variant>

#include "scenario/keys/faults/fault_types.h"

namespace headroom::keys {

namespace {

/// One object of each type, in the order of messages.
const std::vector<Fault>& FaultTypes() {
  static const std::vector<Fault> types{MarkFault{},        LossFault{},         PauseStormFault{},
                                        PortBlockedFault{}, SlowReceiverFault{}, LinkDownFault{},
                                        LinkSpeedFault{},   MacsecFault{},       CorruptFault{},
                                        NicRestartFault{},  WarmRestartFault{},  ExtentNodeDownFault{}};
  return types;
}

const Keys& KeysOfFault(const Fault& fault) {
  return *std::visit([](const auto& f) -> const Keys* { return &KeysFor(f); }, fault);
}

Fault ReadFault(const Node& node, Reading& reading) {
  const Node* type = node.Find("type");
  if (!type || type->IsNull()) {
    MapReader map(node, reading.errors);
    map.Need({"type"});
    if (type) map.Read("type", [](const Node&) {});
    map.FinishMissing();
    return MarkFault{};
  }
  std::vector<std::string> names;
  for (const Fault& fault : FaultTypes()) names.push_back(KeysOfFault(fault).section().type);
  if (!node.IsMap()) MapReader(node, reading.errors);
  Fault fault = FaultTypes()[ParseChoice(*type, names)];
  std::visit([&](auto& f) { KeysFor(f).Read(node, &f, reading); }, fault);
  return fault;
}

}  // namespace

KindOf<std::vector<Fault>> Faults() {
  Shape shape{"list", "", R"({"type": "array", "items": {"$ref": "#/definitions/fault"}})", {}, "*"};
  for (const Fault& fault : FaultTypes()) shape.inside.push_back(&KeysOfFault(fault));
  return {shape,
          [](const Node& list, std::vector<Fault>& faults, Reading& reading) {
            for (const Node& node : ParseList(list))
              reading.errors.Guard([&] { faults.push_back(ReadFault(node, reading)); });
          },
          [](const std::vector<Fault>& faults, const Writing& writing) {
            std::string text;
            for (const Fault& fault : faults)
              text +=
                  "\n  - " + std::visit([&](const auto& f) { return KeysFor(f).Write(&f, writing); }, fault);
            return text;
          }};
}

}  // namespace headroom::keys
