#include "protocol/service.h"

#include <map>
#include <stdexcept>

namespace headroom {

namespace {

/// Types register themselves before main begins, in any order.
std::map<std::string, ServiceType::Make>& Types() {
  static std::map<std::string, ServiceType::Make> types;
  return types;
}

}  // namespace

ServiceType::ServiceType(const std::string& name, Make make) {
  if (!Types().emplace(name, make).second)
    throw std::logic_error("a second type of services is called " + name);
}

std::unique_ptr<Service> MakeService(const ServiceParameters& parameters, const ServiceGround& ground) {
  return Types().at(parameters.type)(parameters, ground);
}

}  // namespace headroom
