// Notices an mpirun that waits forever, and ends it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace headroom {

/// Watches mpirun's children: the ranks, or on several machines the programs that start Open MPI there. If
/// ranks end in MPI_Init because Open MPI has no room for its files, Open MPI 4.1 neither ends nor reacts to
/// SIGTERM.
class MpirunWatch {
 public:
  /// REQUIRES: `mpirun` is a child of this process.
  explicit MpirunWatch(pid_t mpirun) : mpirun_(mpirun) {}
  /// Whether mpirun has not noticed for seconds that a child is dead, or has started none. To be called at
  /// short intervals.
  bool Hangs();
  /// Whether mpirun has started something.
  bool HasChildren() const;
  /// Ends mpirun and its children at once, and removes mpirun's temporary files. Call waitpid afterwards.
  void Kill() const;

 private:
  pid_t mpirun_;
  std::chrono::steady_clock::time_point next_look_{};
  int looks_without_ = 0;  ///< successive looks that found a dead child, or none
  bool had_children_ = false;
};

/// A folder in /dev/shm for the shared memory of ranks, which ranks that are killed would leave there. Also
/// removes folders of launchers that were killed.
class SharedFolder {
 public:
  SharedFolder();
  ~SharedFolder();
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  /// Empty if there is no /dev/shm.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// From now on, processes whose parents end before them become children of this process.
void AdoptOrphans();
/// Waits until all children of this process have ended. Kills them if they take more than some seconds.
void AwaitChildren();

/// The folder in which Open MPI makes its temporary files.
const char* FolderOfMpi();

}  // namespace headroom
