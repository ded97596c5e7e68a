#include "cli/report_errors.h"

#include <fmt/format.h>

#include <boost/program_options/errors.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>
#include <system_error>

#include "cli/run_request.h"
#include "files/staged_directory.h"
#include "report/text/text_table.h"
#include "scenario/yaml/error.h"
#include "sonic/edit/changes.h"
#include "sonic/tables/read.h"

namespace headroom {

namespace {

std::string OutputProblem(int error) {
  return std::string("standard output cannot be written") +
         (error != 0 ? std::string(": ") + std::strerror(error) : "");
}

int Told(const std::function<int()>& f, const std::string& command) {
  try {
    return f();
  } catch (const ScenarioError& e) {
    fmt::print(stderr, "{}\n", Visible(e.what()));
  } catch (const SonicSyntaxError& e) {
    fmt::print(stderr, "{}\n", Visible(e.what()));
  } catch (const SonicRefusal& e) {
    fmt::print(stderr, "SONiC would refuse this: {}\n", Visible(e.what()));
  } catch (const ResultError& e) {
    fmt::print(stderr, "headroom: {}\n", Visible(e.what()));
  } catch (const boost::program_options::error& e) {
    fmt::print(stderr, "headroom: {}; see headroom {}--help\n", Visible(e.what()),
               command.empty() ? "" : command + ' ');
  } catch (const std::invalid_argument& e) {
    fmt::print(stderr, "headroom: {}\n", Visible(e.what()));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "headroom: out of memory; `headroom check` estimates the memory of a scenario\n");
  } catch (const std::ios_base::failure&) {
    fmt::print(stderr, "headroom: {}\n", OutputProblem(errno));  // only std::cout throws this exception
  } catch (const std::filesystem::filesystem_error& e) {
    fmt::print(stderr, "headroom: {}: {}\n", Visible(e.path1().string()), e.code().message());
  } catch (const std::system_error& e) {
    fmt::print(stderr, "headroom: {}\n",
               std::ferror(stdout) != 0 ? OutputProblem(e.code().value()) : Visible(e.what()));
  } catch (const std::exception& e) {
    // A broken invariant is a fault of the program, not of the user.
    fmt::print(stderr, "headroom: internal error: {}\n", Visible(e.what()));
    return kFailed;
  }
  return kBadInput;
}

}  // namespace

void FlushOutput() {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw ResultError(OutputProblem(errno));
}

int ReportingErrors(const std::function<int()>& f, const std::string& command) {
  std::cout.exceptions(std::ios::badbit);  // fails immediately, while errno holds the reason
  try {
    return Told(f, command);
  } catch (const std::system_error&) {
    return kBadInput;  // not even the message can be written
  }
}

}  // namespace headroom
