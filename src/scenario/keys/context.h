// The context for reading and writing keys, in addition to the text and the object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/topology/topology.h"
#include "net/traffic_class.h"
#include "scenario/yaml/reader.h"
#include "sim/shared_list.h"

namespace headroom {
class AnyService;
class NodeNames;
class ReferencedFiles;
struct NicParameters;
struct ServiceEntry;
struct Variation;
}  // namespace headroom

namespace headroom::keys {

/// The destination of errors, and the sections that values may refer to; each is null until it has been read.
struct Reading {
  Errors& errors;
  const TrafficClasses* classes = nullptr;
  const Topology* topology = nullptr;
  const NodeNames* names = nullptr;
  const SharedList<NicParameters>* nics = nullptr;
  const std::vector<ServiceEntry>* services = nullptr;  ///< services of types that register themselves
  int64_t mtu = 1024;
  const Node* document = nullptr;
  const std::vector<Variation>* vary = nullptr;
  std::string key{};  ///< the name of the key that has the value

  Reading WithErrors(Errors& other) const {
    return {other, classes, topology, names, nics, services, mtu, document, vary, key};
  }
};

/// The sections that values refer to, and the position in the text. Without classes, a value is written as
/// for its default.
struct Writing {
  const TrafficClasses* classes = nullptr;
  const Topology* topology = nullptr;
  ReferencedFiles* files = nullptr;
  const std::vector<AnyService>* services = nullptr;  ///< the same
  size_t indent = 0;                                  ///< indentation of the line with the key
  size_t column = 0;                                  ///< column at which the value begins
};

}  // namespace headroom::keys
