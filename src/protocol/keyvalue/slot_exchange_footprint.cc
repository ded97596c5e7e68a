// Part of slot_exchange.h: the memory of this process that a slot exchange uses.
#include "nic/verbs/verbs_footprint.h"
#include "protocol/keyvalue/slot_exchange_parts.h"

namespace headroom {

/// Every process of a client has a window of slots at every process of a server, with buffers at both ends.
Forecast SlotExchange::FootprintOf(const SlotExchangeParameters& p, Forecast asked) {
  const double clients = static_cast<double>(p.clients.size()) * p.client_processes;
  const double servers = static_cast<double>(p.servers.size()) * p.processes;
  const double lanes = clients * servers, slots = lanes * p.window;
  if (lanes <= 0) return {};
  const bool sent = p.request.method.verb == Operation::send;
  const bool answers_sent = p.reply.method.verb == Operation::send;
  const bool datagrams =
      p.request.method.transport == Transport::ud || p.reply.method.transport == Transport::ud;
  const double answer = std::max(1u, p.longest_answer);
  constexpr double kGrh = Verbs::kGrhBytes;

  double fixed = servers * sizeof(Server) + clients * sizeof(Client);
  // Memory of each slot: at the server the request, its answer and its bookkeeping; at the client both again.
  double each = (sent ? kRequestSlot + kGrh : double{kRequestSlot}) + answer + 3 * sizeof(uint32_t) +
                sizeof(Origin) + sizeof(uint64_t) + sizeof(ServerProcess::Times) + 1;
  each +=
      kRequestSlot + sizeof(Client::Slot) + (answers_sent ? 2 * (answer + kGrh + sizeof(uint32_t)) : answer);
  fixed += slots * each;
  fixed += lanes * (sizeof(Client::ToServer) + 2 * sizeof(void*) + sizeof(uint16_t));

  // A connection for writes serves all processes of a server.
  const double posted = 1.0 * p.window * p.processes;
  const auto pair = [&](double pairs, double receives) {
    constexpr double kHandle = sizeof(SendQueue);
    return pairs *
           Forecast{kHandle + QueuePairBytes(1, receives), kHandle + QueuePairBytes(posted, 2 * receives)};
  };
  const double window = p.window;
  Forecast all = Exactly(fixed);
  if (datagrams) {  // at clients for every process of a server, at servers for all clients
    all += pair(lanes, answers_sent ? window : 0);
    all += pair(servers, p.request.method.transport == Transport::ud ? slots / servers : 1);
  }
  if (p.request.method.transport == Transport::ud) {
    constexpr double kKnown = 40;  // an entry that finds a client by its queue pair's number
    all += Exactly(lanes * kKnown);
  } else {
    const bool shared = !sent && p.reply.method.transport == Transport::ud;
    const double connected = shared ? clients * static_cast<double>(p.servers.size()) : lanes;
    all += pair(connected, sent ? window : 0) + pair(connected, answers_sent && !shared ? window : 0);
  }
  if (p.reply.method.transport != Transport::ud && p.reply.method.transport != p.request.method.transport)
    all += pair(lanes, 0) + pair(lanes, answers_sent ? window : 0);
  // Calls that have begun: all open ones if an open loop is too fast.
  const Forecast calls = Min(asked, Forecast{slots, asked.worst});
  all += GrownBytes(calls, sizeof(Call) + sizeof(Client::Deadline) + sizeof(uint32_t));
  all += {(clients + servers) * CompletionQueueBytes(2),
          clients * CompletionQueueBytes(slots / clients) + servers * CompletionQueueBytes(slots / servers)};
  return all;
}

}  // namespace headroom
