// Reading of arguments that commands share.
#pragma once

#include <boost/program_options.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace headroom {

/// Reads `arguments` with the options of `named`; arguments without a name go to the option "input". Throws
/// boost::program_options::error. With --help, prints `usage` and the options and returns false.
bool ReadOptions(const Arguments& arguments, boost::program_options::options_description named,
                 const std::string& usage, boost::program_options::variables_map& values);

/// The values of the option "input"; empty if there are none.
std::vector<std::string> Inputs(const boost::program_options::variables_map& values);

/// Throws if fewer than `least` or more than `most` inputs are given.
void RequireInputs(const boost::program_options::variables_map& values, size_t least, size_t most,
                   const std::string& what);

/// The JSON in the file that `--points` names; -: of the standard input. Throws std::invalid_argument.
nlohmann::ordered_json ReadPoints(const std::string& name);

/// The number of runs at the same time: the number of cores.
int DefaultJobs();

}  // namespace headroom
