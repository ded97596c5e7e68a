#include "protocol/perftest/perf_latency.h"

#include <ns3/simulator.h>

namespace headroom {

LatencyLoop::LatencyLoop(Nic& from, Nic& to, const PerfTest& test, PerfTimes& times)
    : test_(test), times_(times), connection_(from, to, test) {
  for (PerfEnd* end : {&connection_.client(), &connection_.server()}) {
    end->send_cq->SetHandler([this, end] { OnSent(*end); });
    end->send_cq->RequestNotify();
    if (test.verb == PerfVerb::send) {
      end->recv_cq->SetHandler([this, end] { OnReceived(*end); });
      end->recv_cq->RequestNotify();
      for (int i = 0; i < test.rx_depth; ++i) connection_.PostReceive(*end, 0);
    }
  }
  if (test.verb != PerfVerb::write) return;
  connection_.client().verbs->WatchMr(connection_.client().memory,
                                      [this](const MemoryWatch::Written&) { Ping(); });
  connection_.server().verbs->WatchMr(connection_.server().memory,
                                      [this](const MemoryWatch::Written&) { Pong(); });
}

void LatencyLoop::Post(PerfEnd& end) { end.verbs->PostSend(end.qps[0], connection_.Request(end, 0, true)); }

/// Sends the next message, or ends the test: the last message has arrived, which ends the previous round.
void LatencyLoop::Ping() {
  times_.posted.push_back(EventQueue::Get().now());
  if (times_.posted.size() == static_cast<size_t>(test_.iterations)) return ns3::Simulator::Stop();
  Post(connection_.client());
}

void LatencyLoop::OnSent(PerfEnd& end) {
  for (Wc wc; end.send_cq->Poll(wc);) {
    if (wc.status != WcStatus::success) {
      times_.failure = WcStatusName(wc.status);
      return ns3::Simulator::Stop();
    }
    if (test_.verb == PerfVerb::read) Ping();
  }
  end.send_cq->RequestNotify();
}

void LatencyLoop::OnReceived(PerfEnd& end) {
  for (Wc wc; end.recv_cq->Poll(wc);) {
    if (wc.status != WcStatus::success) return;
    connection_.PostReceive(end, 0);
    &end == &connection_.client() ? Ping() : Pong();
  }
  end.recv_cq->RequestNotify();
}

}  // namespace headroom
