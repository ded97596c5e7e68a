// Context of reading and writing keys, beside the text and the object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/topology/topology.h"
#include "net/traffic_class.h"
#include "scenario/yaml/reader.h"

namespace headroom {
class NodeNames;
class ReferencedFiles;
struct NicParameters;
struct ConnectionEntry;
struct ConnectionParameters;
struct KeyValueEntry;
struct KeyValueParameters;
struct OwnServiceEntry;
struct OwnServiceParameters;
struct StorageEntry;
struct StorageParameters;
struct Variation;
}  // namespace headroom

namespace headroom::keys {

/// Where errors go, and what values may refer to: null until that has been read.
struct Reading {
  Errors& errors;
  const TrafficClasses* classes = nullptr;
  const Topology* topology = nullptr;
  const NodeNames* names = nullptr;
  const std::vector<NicParameters>* nics = nullptr;
  const std::vector<StorageEntry>* services = nullptr;         ///< of storage
  const std::vector<KeyValueEntry>* key_values = nullptr;      ///< services of keys
  const std::vector<ConnectionEntry>* connections = nullptr;   ///< services of connections
  const std::vector<OwnServiceEntry>* own_services = nullptr;  ///< of types that programs register
  int64_t mtu = 1024;
  const Node* document = nullptr;
  const std::vector<Variation>* vary = nullptr;
  std::string key{};  ///< the name under which the value stands

  Reading WithErrors(Errors& other) const {
    return {other,       classes,      topology, names,    nics, services, key_values,
            connections, own_services, mtu,      document, vary, key};
  }
};

/// What is written into, and where in it. Without classes a value is written for its default.
struct Writing {
  const TrafficClasses* classes = nullptr;
  const Topology* topology = nullptr;
  ReferencedFiles* files = nullptr;
  const std::vector<StorageParameters>* services = nullptr;         ///< null: there are none
  const std::vector<KeyValueParameters>* key_values = nullptr;      ///< the same
  const std::vector<ConnectionParameters>* connections = nullptr;   ///< the same
  const std::vector<OwnServiceParameters>* own_services = nullptr;  ///< the same
  size_t indent = 0;                                                ///< of the line that holds the key
  size_t column = 0;                                                ///< where the value begins in it
};

}  // namespace headroom::keys
