// DCQCN's parameters with the names that ConnectX adapters, their driver and their tool use.
#include "scenario/keys/vendor_names.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scenario/read/load.h"

namespace headroom::vendor_names_test {
namespace {

/// One NIC of connectx-default, with changes to these keys of its dcqcn.
DcqcnParameters With(const std::string& keys) {
  const Scenario s = LoadScenarioText(
      "topology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 3m}}\n"
      "workloads: [{name: w, type: permutation, size: 1MB}]\n"
      "nics: [{match: \"*\", generation: connectx-default, dcqcn: {" +
          keys + "}}]\n",
      "x.yaml", ".");
  return s.nics[0].dcqcn;
}

struct Name {
  const char* node;     ///< np or rp
  const char* sysfs;    ///< MLNX_OFED, under ecn/roce_np or ecn/roce_rp
  const char* debugfs;  ///< drivers/infiniband/hw/mlx5/cong.c
  const char* mlxconfig;
  int value;  ///< different from the default
};
constexpr Name kNames[] = {
    {"rp", "clamp_tgt_rate", "rp_clamp_tgt_rate", "CLAMP_TGT_RATE", 1},
    {"rp", "clamp_tgt_rate_after_time_inc", "rp_clamp_tgt_rate_ati", "CLAMP_TGT_RATE_AFTER_TIME_INC", 0},
    {"rp", "rpg_time_reset", "rp_time_reset", "RPG_TIME_RESET", 55},
    {"rp", "rpg_byte_reset", "rp_byte_reset", "RPG_BYTE_RESET", 1000},
    {"rp", "rpg_threshold", "rp_threshold", "RPG_THRESHOLD", 5},
    {"rp", "rpg_ai_rate", "rp_ai_rate", "RPG_AI_RATE", 40},
    {"rp", "rpg_max_rate", "rp_max_rate", "RPG_MAX_RATE", 50'000},
    {"rp", "rpg_hai_rate", "rp_hai_rate", "RPG_HAI_RATE", 200},
    {"rp", "rpg_min_dec_fac", "rp_min_dec_fac", "RPG_MIN_DEC_FAC", 70},
    {"rp", "rpg_min_rate", "rp_min_rate", "RPG_MIN_RATE", 10},
    {"rp", "rate_to_set_on_first_cnp", "rp_rate_to_set_on_first_cnp", "RATE_TO_SET_ON_FIRST_CNP", 30'000},
    {"rp", "dce_tcp_g", "rp_dce_tcp_g", "DCE_TCP_G", 1020},
    {"rp", "dce_tcp_rtt", "rp_dce_tcp_rtt", "DCE_TCP_RTT", 55},
    {"rp", "rate_reduce_monitor_period", "rp_rate_reduce_monitor_period", "RATE_REDUCE_MONITOR_PERIOD", 50},
    {"rp", "initial_alpha_value", "rp_initial_alpha_value", "INITIAL_ALPHA_VALUE", 1000},
    {"rp", "rpg_gd", "rp_gd", "RPG_GD", 10},
    {"np", "min_time_between_cnps", "np_min_time_between_cnps", "MIN_TIME_BETWEEN_CNPS", 50},
};

TEST(VendorNames, each_parameter_has_the_same_meaning_under_each_of_its_names) {
  const DcqcnParameters defaults = With("");
  for (const Name& name : kNames) {
    SCOPED_TRACE(name.sysfs);
    const auto set = [&](const std::string& key) {
      return With(fmt::format("{}: {{{}: {}}}", name.node, key, name.value));
    };
    const DcqcnParameters expected = set(name.sysfs);
    EXPECT_NE(expected, defaults);
    for (const std::string& key :
         {std::string(name.debugfs), std::string(name.mlxconfig), std::string(name.mlxconfig) + "_P1"})
      EXPECT_EQ(set(key), expected) << key;
  }
}

TEST(VendorNames, what_belongs_to_the_class_of_cnps_is_checked_under_each) {
  for (const char* keys :
       {"cnp_dscp: 48, cnp_802p_prio: 6", "np_cnp_dscp: 48, np_cnp_prio: 6, np_cnp_prio_mode: 0",
        "CNP_DSCP: 48, CNP_802P_PRIO: 6", "CNP_DSCP_P1: 48, CNP_802P_PRIO_P1: 6"})
    EXPECT_EQ(With(fmt::format("np: {{{}}}", keys)), With("")) << keys;
  try {
    With("np: {np_cnp_prio: 7}");
    FAIL();
  } catch (const ScenarioError& e) {
    EXPECT_STREQ(
        e.what(),
        "x.yaml:3:77: np_cnp_prio is 7, but the priority of the traffic class \"cnp\" is 6; priorities: "
        "cnp: {priority: 7}");
  }
}

TEST(VendorNames, bits_may_be_as_mlxconfig_prints_them) {
  EXPECT_TRUE(With("rp: {CLAMP_TGT_RATE_P1: True(1)}").rp.clamp_target);
  EXPECT_FALSE(With("rp: {CLAMP_TGT_RATE_AFTER_TIME_INC_P1: False(0)}").rp.clamp_after_time_increase);
}

TEST(VendorNames, a_mask_says_which_priorities_have_congestion_control) {
  const auto masks = [](const std::string& keys) {
    const DcqcnParameters d = With(keys);
    return std::pair<int, int>(d.np.priorities.mask, d.rp.priorities.mask);
  };
  using Masks = std::pair<int, int>;
  EXPECT_EQ(masks(""), Masks(255, 255));
  for (const char* name : {"roce_cc_prio_mask", "ROCE_CC_PRIO_MASK", "ROCE_CC_PRIO_MASK_P1"})
    EXPECT_EQ(masks(fmt::format("{}: 0x18", name)), Masks(24, 24));
  EXPECT_EQ(masks("roce_cc_prio_mask: 8, rp: {roce_cc_prio_mask: 0}"), Masks(8, 0));
  // sysfs has a switch for each priority and point.
  EXPECT_EQ(masks("np: {enable: {0: 0, 7: 0}}, rp: {enable: {3: false}}"), Masks(0x7E, 0xF7));
  EXPECT_EQ(masks("roce_cc_prio_mask: 0, np: {enable: {3: 1}}"), Masks(8, 0));
}

TEST(VendorNames, where_no_priority_has_it_no_class_of_cnps_is_needed) {
  const std::string star =
      "topology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 3m}}\npriorities: {storage: {priority: "
      "3, "
      "dscp: 3, lossless: true}}\nworkloads: [{name: w, type: permutation, size: 1MB}]\nnics: [{match: "
      "\"*\", dcqcn: "
      "{";
  EXPECT_NO_THROW(LoadScenarioText(star + "roce_cc_prio_mask: 0}}]\n", "x.yaml", "."));
  EXPECT_THROW(LoadScenarioText(star + "roce_cc_prio_mask: 8}}]\n", "x.yaml", "."), ScenarioError);
}

}  // namespace
}  // namespace headroom::vendor_names_test
