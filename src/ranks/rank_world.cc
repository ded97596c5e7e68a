#include "ranks/rank_world.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>

namespace headroom {

namespace fs = std::filesystem;

namespace {

int Number(const char* variable) {
  const char* text = std::getenv(variable);
  int number = 0;
  if (text != nullptr) std::from_chars(text, text + std::char_traits<char>::length(text), number);
  return number;
}

/// The module's place: beside the program in a build folder, in lib/headroom of an installation.
fs::path ModulePath() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& path :
       {folder / "headroom_mpi.so", folder.parent_path() / "lib" / "headroom" / "headroom_mpi.so"}) {
    if (fs::exists(path)) return path;
  }
  throw std::invalid_argument(
      "--ranks needs MPI, and this program was built without it; allowed: --ranks 1; to have more, install "
      "openmpi-bin and libopenmpi-dev, and build the target headroom_mpi, or start ./headroom");
}

fs::path Mpirun() {
  const char* path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "" : path;
  for (size_t at = 0; at < folders.size();) {
    const size_t end = std::min(folders.find(':', at), folders.size());
    const fs::path folder = folders.substr(at, end - at);
    if (folder.is_absolute() && access((folder / "mpirun").c_str(), X_OK) == 0) return folder / "mpirun";
    at = end + 1;
  }
  throw std::invalid_argument(
      "--ranks needs mpirun, and no folder of PATH has it; allowed: --ranks 1; to "
      "have more, install openmpi-bin");
}

template <class F>
void Find(void* module, const char* name, F*& function) {
  function = reinterpret_cast<F*>(dlsym(module, name));
  if (function == nullptr) throw std::invalid_argument(fmt::format("headroom_mpi.so has no {}", name));
}

/// Whether Open MPI wrote the line about an end that the program reports in its own words.
bool IsOfOpenMpi(const std::string& line) {
  for (const char* part :
       {"] PMIX ERROR: ", "] OPAL ERROR: ", "] ORTE_ERROR_LOG: ", "] Local abort before MPI_INIT"})
    if (line.find(part) != std::string::npos) return true;
  return line.starts_with("*** ");
}

}  // namespace

bool RankWorld::IsStarted() {
  if (Number("OMPI_COMM_WORLD_SIZE") > 1 || Number("PMI_SIZE") > 1) return true;
  return std::getenv("PMIX_RANK") != nullptr && Number("SLURM_NTASKS") > 1;
}
int RankWorld::SeparateTasks() {
  for (const char* joined : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(joined) != nullptr) return 0;
  }
  const int tasks = Number("SLURM_STEP_NUM_TASKS");
  return tasks > 1 && Number("SLURM_TASK_PID") == getpid() ? tasks : 0;
}

RankWorld::RankWorld() {
  // Parts of MPI that are loaded later search their functions in the whole process.
  void* module = dlopen(ModulePath().c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (module == nullptr) throw std::invalid_argument(fmt::format("--ranks: {}", dlerror()));
  Find(module, "HeadroomJoinRanks", module_.join);
  Find(module, "HeadroomLeaveRanks", module_.leave);
  Find(module, "HeadroomAbortRanks", module_.abort);
  exchange_ = module_.join();
}

RankWorld::~RankWorld() { module_.leave(); }

void RankWorld::Abort(int code) {
  module_.abort(code);
  std::abort();  // not reached: the module has ended this process
}

bool IsOnOneMachine() { return Number("SLURM_JOB_NUM_NODES") <= 1; }

std::vector<std::string> CommandForRanks(int ranks, const std::vector<std::string>& command,
                                         const std::string& shared) {
  ModulePath();
  // Root and machines with fewer cores are accepted.
  std::vector<std::string> all = {Mpirun(), "-n", std::to_string(ranks)};
  for (const char* option : {"--allow-run-as-root", "--oversubscribe"}) all.emplace_back(option);
  all.insert(all.end(), {"--bind-to", "none"});
  const auto set = [&all](const char* name, const std::string& value) {
    all.insert(all.end(), {"--mca", name, value});
  };
  set("btl_vader_single_copy_mechanism", "none");  // containers refuse the calls of the others
  if (!IsOnOneMachine()) {
    all.insert(all.end(), command.begin(), command.end());
    return all;
  }
  // Ranks on one machine use shared memory.
  set("pml", "ob1");
  set("btl", "vader,self");
  if (!shared.empty()) set("btl_vader_backing_directory", shared);
  const unsigned cores = std::thread::hardware_concurrency();
  if (cores > 0 && static_cast<unsigned>(ranks) > cores) set("mpi_yield_when_idle", "1");
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

bool MpirunReports::EndedBy(int signal) const {
  return text_.find(fmt::format("exited on signal {} ", signal)) != std::string::npos;
}

std::string MpirunReports::Take(const std::string& piece) {
  std::string rest;
  for (const char c : piece) {
    line_ += c;
    if (c != '\n') continue;
    if (line_.find("OUT-OF-RESOURCE") != std::string::npos) lacks_room_ = true;
    const bool border = line_.starts_with("--------------------------------------------------");
    if (border || in_report_) {
      text_ += line_;
      // "process rank 1 with PID", "Process name: [[5,1],1]", "invoked on rank 1"
      for (const char* before : {"process rank ", "invoked on rank ", "Process name: [["}) {
        size_t at = line_.find(before);
        if (at == std::string::npos || lost_rank_ >= 0) continue;
        at += std::char_traits<char>::length(before);
        if (line_[at - 1] == '[') at = line_.find("],", at) + 2;
        std::from_chars(line_.data() + at, line_.data() + line_.size(), lost_rank_);
      }
    } else if (IsOfOpenMpi(line_)) {
      text_ += line_;
    } else if (!line_.starts_with("mpirun: Forwarding signal")) {
      rest += line_;
    }
    if (border) in_report_ = !in_report_;
    line_.clear();
  }
  return rest;
}

}  // namespace headroom
