#include "protocol/perftest/perf_bandwidth.h"

#include <ns3/simulator.h>

#include <algorithm>

namespace headroom {

BandwidthLoop::BandwidthLoop(Nic& from, Nic& to, const PerfTest& test, PerfTimes& times)
    : test_(test), times_(times), connection_(from, to, test), progress_(connection_.client().qps.size()) {
  times_.completed.assign(progress_.size() * static_cast<size_t>(test.iterations), kNever);
  PerfEnd& client = connection_.client();
  client.send_cq->SetHandler([this] { OnSent(); });
  client.send_cq->RequestNotify();
  if (test.verb != PerfVerb::send) return;
  PerfEnd& server = connection_.server();
  server.recv_cq->SetHandler([this] { OnReceived(); });
  server.recv_cq->RequestNotify();
  for (size_t qp = 0; qp < server.qps.size(); ++qp) {
    for (int i = 0; i < test.rx_depth; ++i) connection_.PostReceive(server, qp);
  }
}

void BandwidthLoop::Post() {
  const PerfEnd& client = connection_.client();
  for (size_t qp = 0; qp < progress_.size(); ++qp) {
    Progress& p = progress_[qp];
    while (p.posted < test_.iterations && p.posted - p.completed < test_.tx_depth) {
      ++p.posted;
      const bool signaled = p.posted % test_.cq_mod == 0 || p.posted == test_.iterations;
      times_.posted.push_back(EventQueue::Get().now());
      client.verbs->PostSend(client.qps[qp], connection_.Request(client, qp, signaled));
    }
  }
}

void BandwidthLoop::OnSent() {
  CompletionQueue* cq = connection_.client().send_cq;
  for (Wc wc; cq->Poll(wc);) {
    if (wc.status != WcStatus::success) {
      times_.failure = WcStatusName(wc.status);
      return ns3::Simulator::Stop();
    }
    Progress& p = progress_[wc.wr_id];
    const int done = std::min(test_.cq_mod - p.completed % test_.cq_mod, test_.iterations - p.completed);
    p.completed += done;
    completed_ += static_cast<size_t>(done);
    times_.completed[completed_ - 1] = EventQueue::Get().now();
  }
  if (completed_ == times_.completed.size()) return ns3::Simulator::Stop();
  Post();
  cq->RequestNotify();
}

void BandwidthLoop::OnReceived() {
  PerfEnd& server = connection_.server();
  for (Wc wc; server.recv_cq->Poll(wc);) {
    if (wc.status == WcStatus::success) connection_.PostReceive(server, wc.wr_id);
  }
  server.recv_cq->RequestNotify();
}

}  // namespace headroom
