#include "switch/buffer/policy/buffer_policy.h"

#include "switch/buffer/policy/policies.h"

namespace headroom {

using Type = BufferPolicyParameters::Type;

const char* NameOf(Type type) {
  switch (type) {
    case Type::dynamic:
      return "dynamic";
    case Type::fixed:
      return "static";
    case Type::complete_sharing:
      return "complete_sharing";
    case Type::abm:
      return "abm";
    case Type::reverie:
      break;
  }
  return "reverie";
}

std::unique_ptr<BufferPolicy> MakeBufferPolicy(const BufferPolicyParameters& parameters) {
  switch (parameters.type) {
    case Type::dynamic:
    case Type::fixed:
      break;
    case Type::complete_sharing:
      return MakeCompleteSharing();
    case Type::abm:
      return MakeAbm(parameters);
    case Type::reverie:
      return MakeReverie(parameters);
  }
  return nullptr;
}

}  // namespace headroom
