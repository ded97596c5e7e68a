// The history of one service: the operations on its disks, and the contents of its extents.
#pragma once

#include "history/append_log.h"
#include "history/history.h"

namespace headroom {

struct ServiceHistory {
  History operations;
  AppendLog appends;
  bool extents = false;  ///< the service appends writes to extents

  HistoryJudgement Judge(const HistoryNames& names) const {
    HistoryJudgement all = operations.Judge(names);
    if (extents) all += appends.Judge(operations, names);
    return all;
  }
};

}  // namespace headroom
