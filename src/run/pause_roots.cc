// Pauses that wait for each other (strongly connected components of the graph, after Tarjan) are resolved
// together, iteratively; each other pause is resolved from the pauses that it depends on.
#include "run/pause_roots.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace headroom {

namespace {

using Shares = std::map<PauseRoot, double>;

class Resolver {
 public:
  explicit Resolver(const std::vector<PauseParts>& pauses)
      : pauses_(pauses), of_(pauses.size()), order_(pauses.size(), 0), low_(pauses.size(), 0) {}

  std::vector<std::vector<RootShare>> Resolve() {
    for (uint32_t i = 0; i < pauses_.size(); ++i) {
      if (order_[i] == 0) Visit(i);
    }
    return std::move(of_);
  }

 private:
  struct Step {
    uint32_t pause;
    size_t next = 0;  ///< index in its `beyond`
  };
  static constexpr uint32_t kDone = UINT32_MAX;

  /// Tarjan's algorithm, without recursion, because chains of pauses are long. Components are produced after
  /// those that they depend on.
  void Visit(uint32_t root) {
    std::vector<Step> path = {Enter(root)};
    while (!path.empty()) {
      Step& step = path.back();
      const auto& beyond = pauses_[step.pause].beyond;
      if (step.next < beyond.size()) {
        const uint32_t to = beyond[step.next++].pause;
        if (order_[to] == 0) {
          path.push_back(Enter(to));
        } else if (order_[to] != kDone) {
          low_[step.pause] = std::min(low_[step.pause], order_[to]);
        }
        continue;
      }
      const uint32_t done = step.pause;
      path.pop_back();
      if (!path.empty()) low_[path.back().pause] = std::min(low_[path.back().pause], low_[done]);
      if (low_[done] == order_[done]) Component(done);
    }
  }

  Step Enter(uint32_t pause) {
    order_[pause] = low_[pause] = ++entered_;
    stack_.push_back(pause);
    return {pause};
  }

  void Component(uint32_t first) {
    const auto begin = std::find(stack_.rbegin(), stack_.rend(), first).base() - 1;
    std::vector<uint32_t> members(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    std::sort(members.begin(), members.end());
    Solve(members);
    for (const uint32_t m : members) order_[m] = kDone;
  }

  static double Total(const PauseParts& p) {
    double sum = 0;
    for (const RootShare& r : p.roots) sum += r.share;
    for (const auto& b : p.beyond) sum += b.weight;
    return sum;
  }

  struct Inner {
    size_t to;
    double share;
  };

  void Solve(const std::vector<uint32_t>& members) {
    const size_t n = members.size();
    std::vector<Shares> direct(n);
    std::vector<std::vector<Inner>> inner(n);
    for (size_t i = 0; i < n; ++i) {
      const PauseParts& p = pauses_[members[i]];
      const double total = Total(p);
      if (total <= 0) continue;
      for (const RootShare& r : p.roots) direct[i][r.root] += r.share / total;
      for (const auto& b : p.beyond) {
        const auto at = std::lower_bound(members.begin(), members.end(), b.pause);
        if (at != members.end() && *at == b.pause) {
          inner[i].push_back({static_cast<size_t>(at - members.begin()), b.weight / total});
        } else {
          for (const RootShare& r : of_[b.pause]) direct[i][r.root] += r.share * (b.weight / total);
        }
      }
    }
    const bool circular = n > 1 || !inner[0].empty();
    if (circular) Circulate(members, inner, direct);
    for (size_t i = 0; i < n; ++i) of_[members[i]] = Sorted(direct[i]);
  }

  /// Computes each member's total from its direct shares and the shares through other members.
  void Circulate(const std::vector<uint32_t>& members, const std::vector<std::vector<Inner>>& inner,
                 std::vector<Shares>& shares) {
    std::vector<PauseRoot> roots;
    for (const Shares& s : shares) {
      for (const auto& [root, unused] : s) roots.push_back(root);
    }
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    const size_t n = members.size(), width = roots.size();
    std::vector<double> direct(n * width, 0);
    for (size_t i = 0; i < n; ++i) {
      for (const auto& [root, share] : shares[i])
        direct[i * width + (std::lower_bound(roots.begin(), roots.end(), root) - roots.begin())] = share;
    }
    std::vector<double> now = direct, next;
    for (int step = 1; step < kLongestPath && width > 0; ++step) {
      next = direct;
      for (size_t i = 0; i < n; ++i) {
        for (const Inner& to : inner[i]) {
          for (size_t r = 0; r < width; ++r) next[i * width + r] += to.share * now[to.to * width + r];
        }
      }
      now.swap(next);
      double missing = 0;
      for (size_t i = 0; i < n; ++i) missing = std::max(missing, 1 - SumOf(&now[i * width], width));
      if (missing < 1e-9) break;
    }
    const PauseRoot cycle = CycleOf(members);
    for (size_t i = 0; i < n; ++i) {
      shares[i].clear();
      for (size_t r = 0; r < width; ++r) {
        if (now[i * width + r] > 0) shares[i][roots[r]] += now[i * width + r];
      }
      const double missing = 1 - SumOf(now.data() + i * width, width);
      if (missing > 1e-9) AddCycle(members, members[i], cycle, missing, shares[i]);
    }
  }

  static double SumOf(const double* from, size_t count) { return std::accumulate(from, from + count, 0.0); }

  bool Within(const std::vector<uint32_t>& members, uint32_t pause) const {
    return std::binary_search(members.begin(), members.end(), pause);
  }

  /// The first queue of a cycle names it.
  PauseRoot CycleOf(const std::vector<uint32_t>& members) const {
    PauseRoot first;
    bool found = false;
    for (const uint32_t m : members) {
      for (const auto& b : pauses_[m].beyond) {
        if (!Within(members, b.pause)) continue;
        PauseRoot queue = b.queue;
        queue.kind = PauseRoot::Kind::cycle;
        queue.tag = 0;
        if (!found || queue < first) first = queue;
        found = true;
      }
    }
    return first;
  }

  void AddCycle(const std::vector<uint32_t>& members, uint32_t pause, PauseRoot cycle, double share,
                Shares& shares) const {
    double inside = 0;
    for (const auto& b : pauses_[pause].beyond) inside += Within(members, b.pause) ? b.weight : 0;
    for (const auto& b : pauses_[pause].beyond) {
      if (!Within(members, b.pause)) continue;
      cycle.tag = b.queue.tag;
      shares[cycle] += share * (b.weight / inside);
    }
  }

  static std::vector<RootShare> Sorted(const Shares& shares) {
    std::vector<RootShare> sorted;
    double sum = 0, rest = 0;
    for (const auto& [root, share] : shares) sum += share;
    for (const auto& [root, share] : shares) {
      if (root.kind == PauseRoot::Kind::rest || share / sum < kSmallestShare) {
        rest += share / sum;
      } else {
        sorted.push_back({root, share / sum});
      }
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const RootShare& a, const RootShare& b) { return a.share > b.share; });
    if (rest > 0) {
      PauseRoot root;
      root.kind = PauseRoot::Kind::rest;
      sorted.push_back({root, rest});
    }
    return sorted;
  }

  const std::vector<PauseParts>& pauses_;
  std::vector<std::vector<RootShare>> of_;
  std::vector<uint32_t> order_, low_;  ///< 0: not visited
  std::vector<uint32_t> stack_;
  uint32_t entered_ = 0;
};

}  // namespace

std::vector<std::vector<RootShare>> ResolveRoots(const std::vector<PauseParts>& pauses) {
  return Resolver(pauses).Resolve();
}

}  // namespace headroom
