// Permitted targets of datagrams and connections.
#include <gtest/gtest.h>

#include <cerrno>

#include "nic/verbs/verbs.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::verbs_addresses_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

TEST(VerbsAddresses, a_connection_to_what_is_no_host_is_refused) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const VerbsLab::Pair pair = lab.Make(0, 1);
    QpAttr attr;
    attr.state = QpState::init;
    ASSERT_EQ(lab.verbs(0).ModifyQp(pair.a, attr), 0);
    attr.state = QpState::rtr;
    for (const NodeId nowhere : {2u, 55u}) {  // the switch, and a node that does not exist
      attr.address.host = nowhere;
      EXPECT_EQ(lab.verbs(0).ModifyQp(pair.a, attr), EINVAL) << nowhere;
    }
    attr.address.host = 1;
    EXPECT_EQ(lab.verbs(0).ModifyQp(pair.a, attr), 0);
  });
}

TEST(VerbsAddresses, a_datagram_to_what_is_no_host_is_refused) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    QpInitAttr attr;
    attr.type = QpType::ud;
    const VerbsLab::Pair pair = lab.Connect(0, 1, attr);
    SendWr wr;
    wr.sge.length = 64;
    wr.remote_qpn = Verbs::NumberOf(pair.b);
    for (const NodeId nowhere : {2u, 77u}) {
      wr.ah.host = nowhere;
      EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), EINVAL) << nowhere;
    }
    wr.ah.host = 1;
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.counters(1).data_packets, 1u);
  });
}

}  // namespace
}  // namespace headroom::verbs_addresses_test
