#include "ranks/mpirun_watch.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "files/process_state.h"
#include "files/staged_directory.h"
#include "ranks/rank_world.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

using std::chrono::seconds;

constexpr seconds kBetweenLooks{1};
constexpr int kLooksOfHang = 5;    // mpirun notices the end of a child within milliseconds
constexpr int kLooksOfStart = 60;  // mpirun starts its ranks within a second on an idle machine

/// The children of a process, also the dead ones for which it has not waited.
std::vector<pid_t> ChildrenOf(pid_t process) {
  std::vector<pid_t> children;
  std::error_code ignored;
  for (const auto& thread : fs::directory_iterator(fmt::format("/proc/{}/task", process), ignored)) {
    std::ifstream file(thread.path() / "children");
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
  return children;
}

/// Old kernels do not list children.
bool ListsChildren() {
  static const bool lists = fs::exists("/proc/thread-self/children");
  return lists;
}

}  // namespace

SharedFolder::SharedFolder() {
  const fs::path path = PartialBeside("/dev/shm/headroom");
  std::error_code error;
  fs::remove_all(path, error);
  if (fs::create_directory(path, error) && !error) path_ = path.string();
}

SharedFolder::~SharedFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void AdoptOrphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

void AwaitChildren() {
  constexpr auto kLook = std::chrono::milliseconds(10);
  constexpr int kLooks = 500;  // then they are killed
  for (int looks = 0;; ++looks) {
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0 && errno == ECHILD) return;
    if (looks == kLooks)
      for (const pid_t child : ChildrenOf(getpid())) kill(child, SIGKILL);
    if (looks >= 2 * kLooks) return;
    std::this_thread::sleep_for(kLook);
  }
}

const char* FolderOfMpi() {
  for (const char* variable : {"TMPDIR", "TEMP", "TMP"}) {
    if (const char* folder = std::getenv(variable)) return folder;
  }
  return "/tmp";
}

bool MpirunWatch::Hangs() {
  // Looks are counted, not seconds: both processes may have been stopped for a while.
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_ || !ListsChildren()) return false;
  next_look_ = now + kBetweenLooks;
  const std::vector<pid_t> children = ChildrenOf(mpirun_);
  had_children_ = had_children_ || !children.empty();
  bool waits = children.empty();
  // Programs that start Open MPI on other machines may end before the ranks.
  if (waits && had_children_ && !IsOnOneMachine()) waits = false;
  for (const pid_t child : children) waits = waits || IsZombie(child);
  looks_without_ = waits ? looks_without_ + 1 : 0;
  return looks_without_ >= (had_children_ ? kLooksOfHang : kLooksOfStart);
}

bool MpirunWatch::HasChildren() const { return !ListsChildren() || !ChildrenOf(mpirun_).empty(); }

void MpirunWatch::Kill() const {
  const std::vector<pid_t> children = ChildrenOf(mpirun_);
  kill(mpirun_, SIGKILL);
  // srun passes SIGTERM on to other machines.
  for (const pid_t child : children) kill(child, IsOnOneMachine() ? SIGKILL : SIGTERM);
  std::error_code ignored;
  for (const auto& folder : fs::directory_iterator(FolderOfMpi(), ignored)) {
    const std::string name = folder.path().filename();
    if (name.starts_with("ompi.") && name.ends_with(fmt::format(".{}", getuid())))
      fs::remove_all(folder.path() / fmt::format("pid.{}", mpirun_), ignored);
  }
}

}  // namespace headroom
