// This process as a rank of a run under MPI. Only this room knows MPI.
//
// The program itself needs no MPI: a module beside it does (mpi_module.cc), and is loaded when ranks are
// asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/exchange.h"

namespace headroom {

/// The functions of the module.
struct MpiModule {
  Exchange* (*join)() = nullptr;
  void (*leave)() = nullptr;
  void (*abort)(int code) = nullptr;
};

class RankWorld {
 public:
  /// Whether mpirun or srun started this process, with others.
  static bool IsStarted();
  /// The number of tasks that srun started without a way to join each other. 0 unless srun started this very
  /// process: a script may give each task a run of its own.
  static int SeparateTasks();
  /// Joins the other ranks. Throws std::invalid_argument if this program was built without MPI. REQUIRES:
  /// called once, and no child process exists.
  RankWorld();
  /// Waits for the other ranks, and leaves. REQUIRES: all ranks do so.
  ~RankWorld();
  RankWorld(const RankWorld&) = delete;
  RankWorld& operator=(const RankWorld&) = delete;

  Exchange& exchange() { return *exchange_; }
  int rank() const { return exchange_->rank(); }
  int size() const { return exchange_->size(); }
  /// Ends all ranks at once.
  [[noreturn]] void Abort(int code);

 private:
  MpiModule module_;
  Exchange* exchange_;
};

/// The command, mpirun first, that starts `command` in so many ranks: on the machines of Slurm's allocation
/// if this process is in one, else on this machine. The command must be an absolute path with arguments.
/// Throws std::invalid_argument without mpirun or the module.
/// `shared`: a folder for their shared memory on this machine; empty for Open MPI's default.
std::vector<std::string> CommandForRanks(int ranks, const std::vector<std::string>& command,
                                         const std::string& shared = {});

/// Whether the ranks of that command share this machine.
bool IsOnOneMachine();

/// Reads the error output of that command.
class MpirunReports {
 public:
  /// Takes a piece of output. Returns the part that is not mpirun's own report.
  std::string Take(const std::string& piece);
  /// The rank that ended first, according to mpirun's report; −1 if none.
  int lost_rank() const { return lost_rank_; }
  /// Whether Open MPI lacked room for its files.
  bool lacks_room() const { return lacks_room_; }
  /// Whether a rank was ended by this signal, according to mpirun's report.
  bool EndedBy(int signal) const;
  /// All reports.
  const std::string& text() const { return text_; }

 private:
  std::string line_, text_;
  bool in_report_ = false, lacks_room_ = false;
  int lost_rank_ = -1;
};

}  // namespace headroom
