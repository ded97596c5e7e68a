// A deque that allocates nothing before its first element. libstdc++'s takes 576 bytes of the heap while it
// is empty, and a network of 100,000 hosts has a million queues that stay empty.
#pragma once

#include <algorithm>
#include <boost/container/deque.hpp>

namespace headroom {

template <class T>
using Deque = boost::container::deque<T>;

/// Removes all items for which the predicate holds.
template <class T, class Predicate>
void EraseIf(Deque<T>& items, Predicate predicate) {
  items.erase(std::remove_if(items.begin(), items.end(), predicate), items.end());
}

}  // namespace headroom
