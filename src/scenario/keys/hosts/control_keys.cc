#include "scenario/keys/hosts/control_keys.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace headroom::keys {

namespace {

using Choice = NicParameters::CongestionControl;

/// Controls that are built into the NIC, listed before registered ones.
const std::vector<std::string> kOfNic = {"dcqcn", "none"};

std::vector<ControlType>& Registered() {
  static std::vector<ControlType> types;
  return types;
}

std::vector<std::string> Names() {
  std::vector<std::string> names = kOfNic;
  for (const ControlType& type : ControlTypes()) names.push_back(type.keys().section().type);
  return names;
}

/// `node`: the name of the control. `mapping`: null if only a name is given.
void ReadControl(const Node& node, const Node* mapping, NicParameters& nic, Reading& reading) {
  const size_t number = ParseChoice(node, Names());
  nic.control = nullptr;
  nic.congestion_control = number == 1 ? Choice::none : Choice::dcqcn;
  if (number < kOfNic.size()) {
    if (mapping == nullptr) return;
    throw ScenarioError(
        node.where, "\"" + node.text + "\" takes no keys in this mapping",
        "congestion_control: " + node.text + (number == 0 ? "; DCQCN's keys belong under dcqcn" : ""));
  }
  // If its keys are wrong, there is no control; the error ends the reading later.
  nic.control = ControlTypes()[number - kOfNic.size()].read(mapping, reading);
  nic.congestion_control = Choice::other;
}

}  // namespace

KindOf<WindowStep> WindowSteps(Bytes least) {
  const KindOf<Bytes> sizes = Sizes(least);
  const KindOf<Rate> rates = Rates();
  return {{"size or rate", sizes.shape.bounds + "; " + rates.shape.bounds,
           fmt::format(R"({{"anyOf": [{}, {}]}})", sizes.shape.schema, rates.shape.schema)},
          [sizes, rates](const Node& node, WindowStep& step, Reading& reading) {
            const bool is_rate = node.IsScalar() && node.text.ends_with("bps");
            step = {};
            is_rate ? rates.read(node, step.rate, reading) : sizes.read(node, step.size, reading);
          },
          [sizes, rates](const WindowStep& step, const Writing& writing) {
            return step.rate.v > 0 ? rates.write(step.rate, writing) : sizes.write(step.size, writing);
          }};
}

KindOf<std::optional<Time>> BaseTrips() {
  return OrWord("network", std::optional(Time()), Maybe(Times(Nanoseconds(1), Seconds(1))));
}

RegisteredControl::RegisteredControl(const ControlType& type) { Registered().push_back(type); }

const std::vector<ControlType>& ControlTypes() {
  static std::vector<ControlType> types;
  if (types.size() == Registered().size()) return types;
  std::vector<ControlType> sorted = Registered();
  std::ranges::stable_sort(sorted, {}, &ControlType::place);
  std::set<std::string> names(kOfNic.begin(), kOfNic.end());
  for (const ControlType& type : sorted) {
    const std::string& name = type.keys().section().type;
    if (!names.insert(name).second)
      throw std::invalid_argument("two congestion controls have the name \"" + name + "\"");
  }
  types = std::move(sorted);
  return types;
}

KindOf<NicParameters> Controls() {
  Shape shape = ShapeOfChoice(Names());
  shape.kind = "choice or mapping";
  shape.bounds += ", or a mapping with its type";
  std::string schemas = shape.schema;
  for (const ControlType& type : ControlTypes()) {
    const Shape inside = type.keys().shape();
    schemas += ", " + inside.schema;
    shape.inside.insert(shape.inside.end(), inside.inside.begin(), inside.inside.end());
  }
  shape.schema = fmt::format(R"({{"oneOf": [{}]}})", schemas);
  return {shape,
          [](const Node& node, NicParameters& nic, Reading& reading) {
            if (node.IsScalar()) return ReadControl(node, nullptr, nic, reading);
            const Node* const type = node.Find("type");
            if (type == nullptr)
              throw ScenarioError(node.where, "missing key \"type\"",
                                  "allowed: " + ShapeOfChoice(Names()).bounds);
            ReadControl(*type, &node, nic, reading);
          },
          [](const NicParameters& nic, const Writing& writing) {
            if (nic.congestion_control != Choice::other)
              return kOfNic[nic.congestion_control == Choice::none];
            const auto type = std::ranges::find_if(ControlTypes(), [&](const ControlType& t) {
              return t.keys().section().type == nic.control->name();
            });
            return type->write(*nic.control, writing);
          }};
}

}  // namespace headroom::keys
