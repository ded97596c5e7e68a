#include "cli/report_errors.h"

#include <fmt/format.h>

#include <boost/program_options/errors.hpp>
#include <new>
#include <stdexcept>

#include "cli/run_request.h"
#include "report/staged_directory.h"
#include "scenario/error.h"
#include "switch/sonic/changes.h"
#include "switch/sonic/read.h"

namespace headroom {

int ReportingErrors(const std::function<int()>& f, const std::string& command) {
  try {
    return f();
  } catch (const ScenarioError& e) {
    fmt::print(stderr, "{}\n", e.what());
  } catch (const SonicSyntaxError& e) {
    fmt::print(stderr, "{}\n", e.what());
  } catch (const SonicRefusal& e) {
    fmt::print(stderr, "SONiC would refuse this: {}\n", e.what());
  } catch (const ResultError& e) {
    fmt::print(stderr, "headroom: {}\n", e.what());
  } catch (const boost::program_options::error& e) {
    fmt::print(stderr, "headroom: {}; see headroom {}--help\n", e.what(),
               command.empty() ? "" : command + ' ');
  } catch (const std::invalid_argument& e) {
    fmt::print(stderr, "headroom: {}\n", e.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "headroom: out of memory; `headroom check` estimates what a scenario takes\n");
  } catch (const std::exception& e) {
    // A broken invariant is ours, not the user's.
    fmt::print(stderr, "headroom: internal error: {}\n", e.what());
    return kFailed;
  }
  return kBadInput;
}

}  // namespace headroom
