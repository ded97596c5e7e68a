// Takes two queue pairs of a lab to rts with the test's own attributes.
#pragma once

#include <gtest/gtest.h>

#include "support/verbs_lab.h"

namespace headroom {

inline void BringUp(VerbsLab& lab, const VerbsLab::Pair& pair, QpAttr attr) {
  for (const QpState state : {QpState::init, QpState::rtr, QpState::rts}) {
    attr.state = state;
    attr.address.host = 1;
    attr.dest_qp_num = Verbs::NumberOf(pair.b);
    EXPECT_EQ(lab.verbs(0).ModifyQp(pair.a, attr), 0);
    attr.address.host = 0;
    attr.dest_qp_num = Verbs::NumberOf(pair.a);
    EXPECT_EQ(lab.verbs(1).ModifyQp(pair.b, attr), 0);
  }
}

}  // namespace headroom
