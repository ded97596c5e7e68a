// Finds the folders that come with the program: beside the sources in a build tree, under share/headroom when
// installed.
#pragma once

#include <filesystem>
#include <string>

namespace headroom {

/// The folder `name` ("scenarios", "python"). Throws std::invalid_argument if the folder is not found.
std::filesystem::path ShippedFolder(const std::string& name);

}  // namespace headroom
