// Wrong scenarios, each with its exact message. In a message DIR is the folder of the scenario and MEMORY the
// machine's memory; the folder before FILE:LINE:COL is left out.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "scenario/memory/memory.h"
#include "scenario/read/load.h"

namespace headroom::wrong_test {
namespace {

const std::string kDirectory = std::string(HEADROOM_SOURCE_DIR) + "/tests/scenario/wrong";

struct Wrong {
  const char* file;
  const char* message;
};
// clang-format off
constexpr Wrong kWrong[] = {
    {"balancing_unknown.yaml", R"(balancing_unknown.yaml:2:44: "ecmp" is not an allowed value; allowed: none, oblivious, bitmap, reps, mixed)"},
    {"balancing_entropies_not_a_power.yaml", R"(balancing_entropies_not_a_power.yaml:2:61: 48 is not a power of two; nearest: 32)"},
    {"balancing_entropies_without.yaml", R"(balancing_entropies_without.yaml:2:44: entropies has no effect, because balancing is none; give balancing: reps, for example, or omit entropies)"},
    {"rails_of_few_leaves.yaml", R"(rails_of_few_leaves.yaml:2:77: 6 leaves are not whole groups of 4 rails; give a number of leaves that is a multiple of nics)"},
    {"nics_not_whole_hosts.yaml", R"(nics_not_whole_hosts.yaml:2:77: 6 NICs at a leaf are not whole hosts of 4; give a number of NICs at a leaf that is a multiple of nics, or attach: rails)"},
    {"rails_of_one_nic.yaml", R"(rails_of_one_nic.yaml:2:88: rails are for hosts with several NICs; give nics: 8, or leave attach out)"},
    {"nics_by_host_at_leaves.yaml", R"(nics_by_host_at_leaves.yaml:4:27: a number of NICs for some hosts where hosts fill leaves is not supported yet; give topology: {nics: …} for all hosts, or type star or custom)"},
    {"nic_of_no_host.yaml", R"(nic_of_no_host.yaml:3:58: no host has a NIC 2; allowed: 0 to 1, rail, hash or round_robin)"},
    {"nic_unknown.yaml", R"(nic_unknown.yaml:3:58: "rails" is not an allowed value; allowed: rail, hash, round_robin; did you mean "rail"?)"},
    {"nic_beside_named_nics.yaml", R"(nic_beside_named_nics.yaml:3:80: the workload names NICs, so there is no choice; leave out nic, or name hosts, such as h3)"},
    {"nics_and_hosts.yaml", R"(nics_and_hosts.yaml:3:13: the workload names hosts with several NICs, and NICs; name hosts only, such as h3, or NICs only, such as h3/n2)"},
    {"nics_to_all_hosts.yaml", R"(nics_to_all_hosts.yaml:3:13: the workload names NICs, but its "from" is all hosts; give from, with NICs, such as "*/n0")"},
    {"host_of_a_link_with_several_nics.yaml", R"(host_of_a_link_with_several_nics.yaml:4:35: "h0" has 2 NICs; name one of them, such as h0/n0)"},
    {"storm_of_a_host_with_several_nics.yaml", R"(storm_of_a_host_with_several_nics.yaml:4:36: "h1" has 2 NICs; name one of them, such as h1/n0)"},
    {"nic_of_a_service.yaml", R"(nic_of_a_service.yaml:3:65: a choice of NICs by a service is not supported yet; it uses the first NIC of each host; name others as its hosts, such as h3/n2)"},
    {"nic_of_operations.yaml", R"(nic_of_operations.yaml:4:50: a choice of NICs by operations is not supported yet; the service uses the first NIC of each host; name others as its hosts, such as h3/n2)"},
    {"services_on_two_nics.yaml", R"(services_on_two_nics.yaml:6:5: the use of "h0/n0" and "h0/n1", NICs of one host, by services is not supported yet; name one NIC of each host for all services)"},
    {"custom_end_of_several_nics.yaml", R"(custom_end_of_several_nics.yaml:8:15: "a" has 2 NICs; name one of them, such as a/n0, or all: "a/n*")"},
    {"device_of_no_host.yaml", R"(device_of_no_host.yaml:6:13: there is no host "c")"},
    {"device_named_as_a_nic.yaml", R"(device_named_as_a_nic.yaml:6:13: "a/n1" is the name of a NIC; give nics: the number of NICs; devices have other names)"},
    {"nics_of_a_nic.yaml", R"(nics_of_a_nic.yaml:3:17: "h0/n1" names NICs, but nics is a number of a host; give a pattern over hosts)"},
    {"recovery_unknown.yaml", R"(recovery_unknown.yaml:2:43: "selective" is not an allowed value; allowed: go_back_n, selective_repeat, receiver_window, sender_window, counter)"},
    {"recovery_without_type.yaml", R"(recovery_without_type.yaml:2:43: missing key "type"; allowed: go_back_n, selective_repeat, receiver_window, sender_window, counter)"},
    {"recovery_go_back_n_with_keys.yaml", R"(recovery_go_back_n_with_keys.yaml:2:50: go_back_n takes no keys in this mapping; write recovery: go_back_n; rto, retry and recovery_delay are keys of transport)"},
    {"recovery_timeouts_reversed.yaml", R"(recovery_timeouts_reversed.yaml:2:77: rto_low 1ms is longer than rto_high 320us; rto_low must not be longer than rto_high)"},
    {"recovery_nack_after_zero.yaml", R"(recovery_nack_after_zero.yaml:2:80: "0" is out of range; allowed: 1 to 65535)"},
    {"recovery_acks_unknown.yaml", R"(recovery_acks_unknown.yaml:2:71: "partial" is not an allowed value; allowed: selective, cumulative)"},
    {"recovery_set_up_of_three.yaml", R"(recovery_set_up_of_three.yaml:2:73: "3" is neither true nor false; allowed: true, false)"},
    {"recovery_counter_contexts_zero.yaml", R"(recovery_counter_contexts_zero.yaml:2:69: "0" is out of range; allowed: 1 to 4096)"},
    {"recovery_retry_delay_without_contexts.yaml", R"(recovery_retry_delay_without_contexts.yaml:2:72: retry_delay has no effect, because no message needs a context; give contexts, such as contexts: 64; or remove retry_delay)"},
    {"tcp_slow_start_unknown.yaml", R"(tcp_slow_start_unknown.yaml:2:28: "always" is not an allowed value; allowed: rfc2861, rfc5681, off)"},
    {"recovery_without_window.yaml", R"(recovery_without_window.yaml:2:69: selective_repeat needs a window, because the receiver keeps a bit for each packet of it; allowed: bdp, or a size such as 64KiB)"},
    {"recovery_at_some_hosts.yaml", R"(recovery_at_some_hosts.yaml:2:44: "h0" and "h1" recover from loss in different ways; give all hosts the same recovery, such as with match: "*")"},
    {"results_unknown.yaml", R"(results_unknown.yaml:3:10: "disk" is not an allowed value; allowed: memory, stream)"},
    {"results_stream_with_causes.yaml", R"(results_stream_with_causes.yaml:4:32: observe.causes keeps every pause in memory, which `results: stream` does not do yet; remove causes, or give results: memory)"},
    {"results_stream_with_queues.yaml", R"(results_stream_with_queues.yaml:4:19: observe.queues keeps every sample in memory, which `results: stream` does not do yet; remove queues, or give results: memory)"},
    {"routing_unknown.yaml", R"(routing_unknown.yaml:2:34: "sprayed" is not an allowed value; allowed: ecmp, spray, flowlet, adaptive, dimension_order; did you mean "spray"?)"},
    {"routing_timeout_of_another_type.yaml", R"(routing_timeout_of_another_type.yaml:2:57: timeout is given beside type: spray; only type: flowlet has it)"},
    {"dimension_order_without_torus.yaml", R"(dimension_order_without_torus.yaml:2:34: dimension_order needs a topology of type torus; give another routing: ecmp, spray, flowlet or adaptive)"},
    {"dateline_of_one_priority.yaml", R"(dateline_of_one_priority.yaml:3:65: priority 3 is on both sides of the dateline; give two different lossless priorities)"},
    {"dateline_of_a_lossy_priority.yaml", R"(dateline_of_a_lossy_priority.yaml:3:65: no lossless class has priority 4; a dateline is between two lossless classes: give each a name and lossless: true under priorities; lossy classes need no dateline)"},
    {"dateline_without_pauses.yaml", R"(dateline_without_pauses.yaml:5:27: s3 does not pause the two priorities of its dateline, 3 and 4, separately; enable PFC, and give each of the two a queue and a priority group at all ports; or use lossy classes without a dateline)"},
    {"adaptive_on_a_lossless_torus.yaml", R"(adaptive_on_a_lossless_torus.yaml:2:34: adaptive routing of the lossless class "storage" on a torus can deadlock in the torus's rings; give {type: dimension_order, dateline: [a, b]} with two lossless classes; or make all classes lossy; or give pfc: {enabled: false})"},
    {"link_weight_zero.yaml", R"(link_weight_zero.yaml:1:76: "0" is out of range; allowed: 1 to 100)"},
    {"link_weights_too_many.yaml", R"(link_weights_too_many.yaml:2:3: the weights of the links of leaf0 add up to 2399; allowed: up to 2047 between a switch and other switches, in lowest terms)"},
    {"reorder_above_one.yaml", R"(reorder_above_one.yaml:1:91: "101%" is out of range; allowed: above 0 to 100%)"},
    {"reorder_without_range.yaml", R"(reorder_without_range.yaml:1:102: "64us" is not a range of times; give two times with two dots between them, such as 0us..64us)"},
    {"reorder_backwards.yaml", R"(reorder_backwards.yaml:1:102: "64us..2us" ends before it begins; give the shorter time first, such as 0us..64us)"},
    {"link_speed_above_the_rate.yaml", R"(link_speed_above_the_rate.yaml:3:51: 200Gbps is above the rate of the link h0 to s0, 100Gbps; allowed: up to the link's own rate)"},
    {"link_speed_of_no_link.yaml", R"(link_speed_of_no_link.yaml:3:35: there is no link between "h0" and "h1")"},
    {"window_of_less_than_a_packet.yaml", R"(window_of_less_than_a_packet.yaml:4:41: a window of 1023B is smaller than a packet; allowed: 1KiB (mtu) and more, bdp or none)"},
    {"window_below_ack_every.yaml", R"(window_below_ack_every.yaml:4:42: a window of 4KiB is full after 4 packets, but the NIC of "h1" sends one ACK for 16 packets; allowed: a window from 16KiB; or give the NIC a smaller ack_every)"},
    {"window_unknown.yaml", R"(window_unknown.yaml:4:41: "auto" is not a size of a window; allowed: a size such as 64KiB, bdp or none)"},
    {"alias_bomb.yaml", R"(alias_bomb.yaml:6:36: aliases add more than 1000000 values to the scenario)"},
    {"ack_flag_datagrams.yaml", R"(ack_flag_datagrams.yaml:5:5: the NIC of "h1" reports ECN marks only in a flag on ACKs (coalescing: ack_flag), but datagrams (ud) have no ACKs; give dcqcn: {np: {coalescing: per_qp}} or per_packet, or another generation than hpcc-sim)"},
    {"ack_flag_reads.yaml", R"(ack_flag_reads.yaml:4:5: the NIC of "h2" reports ECN marks only in a flag on ACKs (coalescing: ack_flag), but READ responses have no ACKs; give dcqcn: {np: {coalescing: per_qp}} or per_packet, or another generation than hpcc-sim)"},
    {"bad_fraction.yaml", R"(bad_fraction.yaml:3:57: "forty" is not a fraction; write a fraction as 5%, 1/256 or 0.05)"},
    {"bad_name.yaml", R"(bad_name.yaml:1:7: "my region" is not a name; allowed: 1 to 64 letters, digits, underscores and hyphens)"},
    {"batch_at_a_rate.yaml", R"(batch_at_a_rate.yaml:3:64: "batch" beside "rate"; give rate for an open loop, or the other key for a closed loop)"},
    {"bug_unknown.yaml", R"(bug_unknown.yaml:2:28: unknown key "hiden_fence"; allowed: congestion_leaking, hidden_fence; did you mean "hidden_fence"?)"},
    {"bug_of_another_limiter.yaml", R"(bug_of_another_limiter.yaml:2:48: the bug congestion_leaks needs a limiter by bursts, but this limiter is by packets; dcqcn: {limiter: {granularity: burst}}, the value of generation gen2-interop)"},
    {"clamp_of_the_paper.yaml", R"(clamp_of_the_paper.yaml:5:42: clamp_target needs machine: hpcc or vendor)"},
    {"cnp_dscp_of_another_class.yaml", R"(cnp_dscp_of_another_class.yaml:2:44: cnp_dscp is 46, but the dscp of the traffic class "cnp" is 48; priorities: cnp: {dscp: 46})"},
    {"custom_port_twice.yaml", R"(custom_port_twice.yaml:7:18: port "e0" of "t" already has a link)"},
    {"custom_unknown_end.yaml", R"(custom_unknown_end.yaml:7:21: "torr" is neither a host nor a switch; did you mean "tor"?)"},
    {"custom_without_path.yaml", R"(custom_without_path.yaml:10:13: no path leads from "a" to "c")"},
    {"ip_mtu_out_of_range.yaml", R"(ip_mtu_out_of_range.yaml:2:9: "9001" is out of range; allowed: 576 to 9000)"},
    {"link_without_rate.yaml", R"(link_without_rate.yaml:6:14: the link h2 to leaf1 has no rate; give an entry that matches the link; a first entry {match: "*", rate: …} applies to all links)"},
    {"link_rule_of_no_link.yaml", R"(link_rule_of_no_link.yaml:8:15: "spine0" matches no end of any link of host_link; these links lead from h0 to leaf0 … h3 to leaf1)"},
    {"link_rule_says_nothing.yaml", R"(link_rule_says_nothing.yaml:1:41: a key is missing; one of rate, length, delay, phy, loss, weight, reorder)"},
    {"link_of_two_rates.yaml", R"(link_of_two_rates.yaml:1:47: a list as the rate of a link; give links that differ as a list: link: [{match: "*", rate: 100Gbps, length: 5m}, {match: "h[0-3]", rate: 25Gbps}])"},
    {"link_with_match.yaml", R"(link_with_match.yaml:1:41: "match" is given for a single kind of link; give links that differ as a list: link: [{match: "*", rate: 100Gbps, length: 5m}, {match: "h[0-3]", rate: 25Gbps}])"},
    {"custom_two_patterns.yaml", R"(custom_two_patterns.yaml:6:14: both ends are patterns, but only one may be; give a pattern at one end, and an entry for each node at the other end, such as ends: ["h*", s0])"},
    {"custom_pattern_to_one_port.yaml", R"(custom_pattern_to_one_port.yaml:6:21: port "Ethernet4" of "t0" would have 4 links; beside a pattern, leave out the name of the port: ports get the names p0, p1, …)"},
    {"custom_pattern_of_nothing.yaml", R"(custom_pattern_of_nothing.yaml:6:15: "host*" matches neither a host nor a switch)"},
    {"custom_hosts_no_number.yaml", R"(custom_hosts_no_number.yaml:3:10: "many" is neither a list of names nor a number of nodes)"},
    {"observe_of_nothing.yaml", R"(observe_of_nothing.yaml:3:50: "s0:q*" matches no node or port)"},
    {"deadline_before_duration.yaml", R"(deadline_before_duration.yaml:2:11: deadline 1ms is earlier than duration 5ms)"},
    {"does_not_fit_in_memory.yaml", R"(does_not_fit_in_memory.yaml:1:31: the topology would take about 861.6 GB of memory; there is MEMORY: a smaller "hosts")"},
    {"duplicate_key.yaml", R"(duplicate_key.yaml:4:1: the key "seed" appears twice, first in line 1)"},
    {"dynamic_threshold_on_static_pool.yaml", R"(dynamic_threshold_on_static_pool.yaml:8:26: profile "lossless" has dynamic_th, but its pool "pool" is static)"},
    {"ecn_unknown_class.yaml", R"(ecn_unknown_class.yaml:2:31: there is no traffic class "storge"; allowed: storage, cnp; did you mean "storage"?)"},
    {"empty.yaml", R"(empty.yaml:1:1: the file is empty)"},
    {"expect_kind_unknown.yaml", R"(expect_kind_unknown.yaml:4:63: "publised" is not an allowed value; allowed: published, computed, calibrated, ours; did you mean "published"?)"},
    {"expect_misses_without_cause.yaml", R"(expect_misses_without_cause.yaml:4:82: give the cause by "misses", in words)"},
    {"expect_misspelt_bound.yaml", R"(expect_misspelt_bound.yaml:3:31: unknown key "mxa"; allowed: source, at, metric, ratio, order, kind, published, value, min, max, within, unit, range, misses; did you mean "max"?)"},
    {"expect_published_but_computed.yaml", R"(expect_published_but_computed.yaml:4:84: "published" is not allowed with kind computed; give the unprinted value by the key "value")"},
    {"expect_value_but_published.yaml", R"(expect_value_but_published.yaml:4:97: "value" is not allowed with kind published; give the printed value by the key "published")"},
    {"expect_value_not_varied.yaml", R"(expect_value_not_varied.yaml:5:73: "4MB" is not a value of "workloads.perm.size"; allowed: 1MB, 2MB)"},
    {"expect_without_source.yaml", R"(expect_without_source.yaml:4:5: the key "source" is missing)"},
    {"fan_in_too_large.yaml", R"(fan_in_too_large.yaml:2:68: fan_in 16 is more than the 3 senders; allowed: 1 to 3, or all; for more give the topology more hosts: each sends once)"},
    {"fault_macsec_other_end.yaml", R"(fault_macsec_other_end.yaml:2:52: "h1" is not one of the link's ends)"},
    {"fault_mark_with_times.yaml", R"(fault_mark_with_times.yaml:2:49: "start" is not supported yet)"},
    {"fault_repeats_too_soon.yaml", R"(fault_repeats_too_soon.yaml:2:63: the fault repeats every 1ms, but lasts 2ms)"},
    {"fault_repeats_without_stop.yaml", R"(fault_repeats_without_stop.yaml:2:52: a fault without a stop cannot repeat)"},
    {"fault_resumes_without_interval.yaml", R"(fault_resumes_without_interval.yaml:2:10: a storm of zero quanta needs an interval)"},
    {"fault_nic_restart_of_a_switch.yaml", R"(fault_nic_restart_of_a_switch.yaml:2:36: "s0" is a switch, not a host)"},
    {"fault_restart_without_end.yaml", R"(fault_restart_without_end.yaml:2:10: the key "stop" is missing)"},
    {"fault_warm_restart_of_a_host.yaml", R"(fault_warm_restart_of_a_host.yaml:2:37: "h1" is not a switch; for the NIC of a host use type: nic_restart)"},
    {"fault_warm_restart_without_node.yaml", R"(fault_warm_restart_without_node.yaml:2:31: unknown key "nod"; allowed: type, node, start, stop, repeat; did you mean "node"?)"},
    {"fault_several_ports.yaml", R"(fault_several_ports.yaml:2:37: "s0" has several ports; give one link as "node:port")"},
    {"fault_stops_before_it_starts.yaml", R"(fault_stops_before_it_starts.yaml:2:62: stop 1ms is not after start 2ms)"},
    {"fault_storm_without_priority.yaml", R"(fault_storm_without_priority.yaml:2:10: the key "priority" is missing)"},
    {"fault_unknown_port.yaml", R"(fault_unknown_port.yaml:2:37: "s0" has no port "p5"; allowed: p0, p1, p2, p3; did you mean "p0"?)"},
    {"fault_without_receive_buffer.yaml", R"(fault_without_receive_buffer.yaml:2:38: the NIC of "h1" has no receive buffer to fill; give it one: nics: resources: {rx_buffer: {size, xoff, xon}})"},
    {"fault_misspelt_priority.yaml", R"(fault_misspelt_priority.yaml:3:40: unknown key "piority"; allowed: type, node, port, frames, priority, quanta, interval, end, start, stop, repeat; did you mean "priority"?)"},
    {"flag_as_yes.yaml", R"(flag_as_yes.yaml:2:40: "yes" is neither true nor false; allowed: true, false; did you mean true?)"},
    {"host_with_three_links.yaml", R"(host_with_three_links.yaml:6:5: host "b" with 3 links is not supported yet; give each host one link or two, or several NICs (nics) with one link or two each)"},
    {"ports_of_different_rates.yaml", R"(ports_of_different_rates.yaml:2:3: the ports of host "b" have rates of 100Gbps and 25Gbps; give both links of a host the same rate)"},
    {"port_at_a_host.yaml", R"(port_at_a_host.yaml:2:3: host "b" has two ports, and a link to host "a"; link both ports of a host to switches)"},
    {"attach_with_one_port.yaml", R"(attach_with_one_port.yaml:1:79: hosts with one port are at one leaf; add ports: 2)"},
    {"attach_odd_leaves.yaml", R"(attach_odd_leaves.yaml:1:38: 3 leaves, but each host is at two; give an even number)"},
    {"attach_odd_spines.yaml", R"(attach_odd_spines.yaml:1:49: 3 spines for two planes; give an even number)"},
    {"attach_odd_ports.yaml", R"(attach_odd_ports.yaml:1:68: 3 ports at a leaf, but hosts have 2; hosts_per_leaf counts ports of hosts: give an even number)"},
    {"three_ports.yaml", R"(three_ports.yaml:1:78: "3" is out of range; allowed: 1 to 2)"},
    {"port_mode_merged.yaml", R"(port_mode_merged.yaml:3:33: "merged" is not supported yet; allowed: bond)"},
    {"detection_with_one_port.yaml", R"(detection_with_one_port.yaml:3:33: this key concerns hosts with two ports, and none of these hosts has two; give topology ports: 2, or leave out the key)"},
    {"two_ports_with_credits.yaml", R"(two_ports_with_credits.yaml:3:7: host "h0" with two ports and credits of receivers is not supported yet; give the host one port, or another congestion control)"},
    {"hpcc_flow_error.yaml", R"(hpcc_flow_error.txt:3:1: there is no host "n9"; there are n0, n1, n2)"},
    {"hpcc_machine_with_byte_counter.yaml", R"(hpcc_machine_with_byte_counter.yaml:2:43: machine hpcc has no byte counter, but byte_counter is 10MB; byte_counter: 0B, the value of generation: hpcc-sim)"},
    {"hpcc_sim_with_byte_counter.yaml", R"(hpcc_sim_with_byte_counter.yaml:2:70: machine hpcc has no byte counter, but byte_counter is 4MB; byte_counter: 0B, the value of generation: hpcc-sim)"},
    {"includes_itself.yaml", R"(includes_itself.yaml:1:10: "DIR/includes_itself.yaml" includes itself)"},
    {"kmin_above_kmax.yaml", R"(kmin_above_kmax.yaml:4:38: kmin 2MB is above kmax 1MB; lower kmin or raise kmax)"},
    {"kmax_without_unit.yaml", R"(kmax_without_unit.yaml:4:38: "1600" has no unit; write a size as a number and one of the units B, KiB, MiB, GiB, TiB, KB, kB, MB, GB, TB; did you mean "1600KB" or "1600B"?)"},
    {"link_without_length.yaml", R"(link_without_length.yaml:1:40: a key is missing; one of length, delay)"},
    {"list_expected.yaml", R"(list_expected.yaml:2:12: a mapping is not a list)"},
    {"load_too_high.yaml", R"(load_too_high.yaml:3:57: "160%" is out of range; allowed: above 0 to 150%)"},
    {"loopback.yaml", R"(loopback.yaml:2:64: "h0" sends to itself through a NIC without resources; give the NIC resources: nics: [{match: h0, resources: gen2}])"},
    {"lossless_class_without_group.yaml", R"(lossless_class_without_group.yaml:5:7: no row of BUFFER_PG covers priority 3 of the lossless class "storage")"},
    {"missing_and_misspelt.yaml", R"(missing_and_misspelt.yaml:1:41: unknown key "raet"; allowed: rate, length, delay, phy, loss, weight, reorder; did you mean "rate"?)"},
    {"missing_duration.yaml", R"(missing_duration.yaml:1:1: the key "duration" is missing; give it, because workload "background" continues until duration)"},
    {"missing_file.yaml", R"(missing_file.yaml:2:45: there is no file "DIR/flows.txt")"},
    {"missing_topology.yaml", R"(missing_topology.yaml:1:1: the key "topology" is missing)"},
    {"mtu_out_of_range.yaml", R"(mtu_out_of_range.yaml:2:6: "64" is out of range; allowed: 256 to 9000)"},
    {"negative_time.yaml", R"(negative_time.yaml:1:9: "-1us" is negative; a time must be 0 or more)"},
    {"nested_too_deep.yaml", R"(nested_too_deep.yaml:1:67: the values are nested deeper than 64 levels)"},
    {"no_cnp_class.yaml", R"(no_cnp_class.yaml:1:1: DCQCN needs a traffic class "cnp" in priorities)"},
    {"no_value.yaml", R"(no_value.yaml:2:1: the key "mtu" has no value)"},
    {"not_a_mapping.yaml", R"(not_a_mapping.yaml:1:1: a list is not a mapping of keys to values)"},
    {"not_yaml.yaml", R"(not_yaml.yaml:2:54: not valid YAML: illegal flow end)"},
    {"odd_fat_tree.yaml", R"(odd_fat_tree.yaml:1:31: k is 5; k is even)"},
    {"pattern_without_match.yaml", R"(pattern_without_match.yaml:2:16: "host*" matches nothing here)"},
    {"pmax_percent_forgotten.yaml", R"(pmax_percent_forgotten.yaml:4:49: "10" is out of range; allowed: above 0 to 100%; did you mean "10%"?)"},
    {"pmax_zero.yaml", R"(pmax_zero.yaml:4:49: "0%" is out of range; allowed: above 0 to 100%)"},
    {"pool_larger_than_memory.yaml", R"(pool_larger_than_memory.yaml:7:23: pool "pool" takes 26MB, but the memory has only 24MB)"},
    {"priority_taken_twice.yaml", R"(priority_taken_twice.yaml:4:3: "bulk" has priority 3, which "storage" already has)"},
    {"priority_too_large.yaml", R"(priority_too_large.yaml:2:34: "8" is out of range; allowed: 0 to 7)"},
    {"priority_unknown_class.yaml", R"(priority_unknown_class.yaml:2:66: there is no traffic class "bulk"; allowed: storage, cnp)"},
    {"profile_alpha.yaml", R"(profile_alpha.yaml:2:62: "0.001" is not a possible alpha of a switch; allowed: 1/256 to 128)"},
    {"profile_alpha_twice.yaml", R"(profile_alpha_twice.yaml:2:124: dynamic_th of ingress_lossless is given beside alpha; give one of the two: alpha is 2 to the power of dynamic_th)"},
    {"profile_unknown_row.yaml", R"(profile_unknown_row.yaml:2:81: profile "azure-24mb" has no BUFFER_PROFILE "ingress_losless"; allowed: ingress_lossless, ingress_lossy, egress_lossless, egress_lossy, or a new row with its pool; did you mean "ingress_lossless"?)"},
    {"profile_unknown_field.yaml", R"(profile_unknown_field.yaml:2:100: unknown key "xof"; allowed: pool, size, xon, xon_offset, xoff, static_th, dynamic_th, alpha, packet_discard_action; did you mean "xoff"?)"},
    {"profile_pool_too_large.yaml", R"(profile_pool_too_large.yaml:2:92: pool "ingress_pool" takes 25MB, but the memory has only 24MB)"},
    {"policy_unknown.yaml", R"(policy_unknown.yaml:2:63: "abn" is not an allowed value; allowed: dynamic, static, complete_sharing, abm, reverie; did you mean "abm"?)"},
    {"policy_without_limit.yaml", R"(policy_without_limit.yaml:2:63: policy static has no limit; give the bytes of each group and queue: {type: static, limit: 1MB})"},
    {"policy_limit_of_another.yaml", R"(policy_limit_of_another.yaml:2:82: limit is given beside type: abm; only type: static has it)"},
    {"policy_beside_alpha.yaml", R"(policy_beside_alpha.yaml:2:62: alpha has no effect beside policy complete_sharing; policies dynamic, abm and reverie have an alpha)"},
    {"policy_below_xon.yaml", R"(policy_below_xon.yaml:2:63: groups of profile "ingress_lossless" pause at 2248B, and resume below xon 9KB; give a limit of at least 7752B, or a smaller xon)"},
    {"policy_of_static_limits.yaml", R"(policy_of_static_limits.yaml:2:63: policy abm has no effect: every profile of the buffer has a static limit; give profiles in pools of mode: dynamic a dynamic_th, or leave policy out)"},
    {"policy_beside_sonic.yaml", R"(policy_beside_sonic.yaml:2:70: policy is given beside a SONiC configuration; the configuration already has SONiC's limits; for another policy, give the buffer as a profile or as tables)"},
    {"rate_misspelt_unit.yaml", R"(rate_misspelt_unit.yaml:1:47: "100gbps" is not a rate; write a rate as a number and one of the units bps, Kbps, Mbps, Gbps, Tbps; did you mean "100Gbps"?)"},
    {"rate_without_unit.yaml", R"(rate_without_unit.yaml:1:47: "100" has no unit; write a rate as a number and one of the units bps, Kbps, Mbps, Gbps, Tbps; did you mean "100Gbps"?)"},
    {"resources_free_miss.yaml", R"(resources_free_miss.yaml:2:48: a context cache with free misses has no effect; give a time such as miss: 300ns)"},
    {"resources_unknown_set.yaml", R"(resources_unknown_set.yaml:2:32: there is no set of resources "gen4"; allowed: ideal, connectx3-pcie3-x8, connectx3-pcie2-x8, gen1, gen2, gen3; did you mean "gen1"?)"},
    {"rx_buffer_xon_above_xoff.yaml", R"(rx_buffer_xon_above_xoff.yaml:2:76: xon 512KiB is not below xoff 256KiB)"},
    {"scope_without_target.yaml", R"(scope_without_target.yaml:9:13: "dc0-c0-r0-h0" has 0 hosts to send to within its scope, but needs 1)"},
    {"size_for_time.yaml", R"(size_for_time.yaml:1:11: "5MB" is not a time; write a time as a number and one of the units ps, ns, us, ms, s; did you mean "5ms"?)"},
    {"asic_unknown.yaml", R"(asic_unknown.yaml:4:32: there is no ASIC family "th22"; allowed: td2, th, th2, td3, th3, th4, th5, spectrum1, spectrum2, spectrum3, spectrum4, spectrum5, jericho2, q3d; did you mean "th2"?)"},
    {"trimming_not_yet.yaml", R"(trimming_not_yet.yaml:12:83: trimming packets is not supported yet; allowed: drop)"},
    {"port_list_of_one_pool.yaml", R"(port_list_of_one_pool.yaml:15:31: profiles "lossless" and "lossy" belong to the same pool; give a port one profile for each pool)"},
    {"sonic_lookup_error.yaml", R"(sonic_lookup.ini:2:20: xoff "70kB" is not a whole number from 0 to 1125899906842624)"},
    {"sonic_lossless_class_is_lossy_there.yaml", R"(sonic_lossless_class_is_lossy_there.yaml:3:33: s0: rack.config_db.json: BUFFER_PG|Ethernet0|0, field profile: class "storage" is lossless in the scenario, but not on this switch: DSCP 5 is traffic class 2, group 0, which has no headroom (and 1 more such row); give the class a DSCP that the switch maps to a lossless group, or give the group a profile with xoff)"},
    {"sonic_mixed_names.yaml", R"(sonic_mixed_names.yaml:6:33: t0: rack.config_db.json: PORT: has 1 of the 2 port names of the scenario's switch; give all ports of the topology their names from the file, or choose ports: name or order)"},
    {"sonic_no_file.yaml", R"(sonic_no_file.yaml:2:41: there is no file "DIR/config_db.json")"},
    {"sonic_no_pools.yaml", R"(sonic_no_pools.yaml:3:33: sonic_no_pools.json: BUFFER_POOL: is missing or empty; give the buffer at least one pool)"},
    {"sonic_pause_of_another_priority.yaml", R"(sonic_pause_of_another_priority.yaml:3:33: s0: rack.config_db.json: PORT_QOS_MAP|Ethernet0, field pfc_enable: class "storage" is lossless in the scenario, but not on this switch: group 4 sends no pause of its priority, 3 (and 1 more such row); add the priority to pfc_enable, or give the class the priority of its group)"},
    {"sonic_syntax.yaml", R"(sonic_syntax.json:2:29: syntax error while parsing object - unexpected string literal; expected '}')"},
    {"sonic_too_few_ports.yaml", R"(sonic_too_few_ports.yaml:3:33: s0: rack.config_db.json: PORT: only 4 of 5 ports are up and external, but the scenario links 5; give a file with more ports that have admin_status up, or fewer links at this switch)"},
    {"sonic_unknown_asic.yaml", R"(sonic_unknown_asic.yaml:3:85: there is no ASIC "th9"; allowed: td2, th, th2, td3, th3, th4, th5, spectrum1, spectrum2, spectrum3, spectrum4, spectrum5, jericho2, q3d; did you mean "th"?)"},
    {"sonic_unknown_field.yaml", R"(sonic_unknown_field.yaml:3:136: rack.config_db.json: BUFFER_PROFILE|pg_lossless_40000_5m_profile has no field dynamic_ht; did you mean "dynamic_th"?)"},
    {"sonic_unknown_port.yaml", R"(sonic_unknown_port.yaml:3:33: s0: rack.config_db.json: PORT|p0: is a port of the scenario, but not of the file (and 1 more such row); give the port its name from the file in the topology, or use ports: order)"},
    {"sonic_unknown_row.yaml", R"(sonic_unknown_row.yaml:3:137: rack.config_db.json has no row BUFFER_PROFILE|pg_lossless_40000_50m_profile; did you mean "pg_lossless_40000_5m_profile"?)"},
    {"sonic_without_lookup.yaml", R"(sonic_without_lookup.yaml:3:33: s0: rack.init.json: BUFFER_PG|Ethernet0|3: class "storage" is lossless in the scenario, but not on this switch: DSCP 3 is traffic class 3, group 3, which has no headroom, although PFC is enabled for it: BUFFER_PG has none (and 1 more such row); add a row with a profile that has xoff; or, because a fresh switch creates rows from its pg_profile_lookup.ini, give that file as lookup)"},
    {"starts_after_the_end.yaml", R"(starts_after_the_end.yaml:3:13: workload "perm" has an arrival at 2ms, but arrivals stop at duration 1ms)"},
    {"switch_as_host.yaml", R"(switch_as_host.yaml:2:56: "s0" is a switch, not a host)"},
    {"tab.yaml", R"(tab.yaml:4:1: the indentation contains a tab; indent with spaces)"},
    {"tcp_not_yet.yaml", R"(tcp_not_yet.yaml:2:32: transport "tcp" is not supported yet)"},
    {"time_too_fine.yaml", R"(time_too_fine.yaml:1:11: "1.0005ps" is finer than the smallest unit; give a time as a multiple of 1 ps)"},
    {"time_with_blank.yaml", R"(time_with_blank.yaml:1:11: "5 ms" is not a time; write a time as a number and one of the units ps, ns, us, ms, s; did you mean "5ms"?)"},
    {"too_many_messages.yaml", R"(too_many_messages.yaml:3:13: the run would take about 4.0 PB of memory; the largest part (3.8 PB) is for messages of workload p; there is MEMORY: give larger messages, a lower load, or a shorter duration)"},
    {"two_errors.yaml", R"(two_errors.yaml:1:51: "2" has no unit; write a size as a number and one of the units B, KiB, MiB, GiB, TiB, KB, kB, MB, GB, TB; did you mean "2KiB" or "2B"?)"},
    {"two_workloads_of_one_name.yaml", R"(two_workloads_of_one_name.yaml:4:12: a workload "perm" exists already)"},
    {"unknown_generation.yaml", R"(unknown_generation.yaml:2:33: there is no generation "gen9"; allowed: dcqcn-paper, gen1, gen2, gen3, gen2-interop, gen3-interop, connectx-default, hpcc-sim; did you mean "gen1"?)"},
    {"unknown_host.yaml", R"(unknown_host.yaml:2:56: there is no host "h9"; there are h0, h1, h2, h3)"},
    {"unknown_key.yaml", R"(unknown_key.yaml:1:1: unknown key "durration"; allowed: name, seed, duration, deadline, warmup, mtu, ip_mtu, tcp_slow_start_after_idle, frames, results, topology, priorities, switches, nics, hosts, services, workloads, faults, observe, vary, seeds, expect; did you mean "duration"?)"},
    {"unknown_nested_key.yaml", R"(unknown_nested_key.yaml:5:12: unknown key "nik_interval"; allowed: coalescing, min_cnp_interval, min_time_between_cnps, nic_interval, cnp_delay, cnp_802p_prio, cnp_dscp, roce_cc_prio_mask, enable; did you mean "nic_interval"?)"},
    {"unknown_profile.yaml", R"(unknown_profile.yaml:2:43: there is no buffer profile "azure-24MB"; allowed: azure-24mb, azure-deep, azure-deep-hub, hpcc; did you mean "azure-24mb"?)"},
    {"unknown_topology.yaml", R"(unknown_topology.yaml:1:18: "fattree" is not an allowed value; allowed: region, leaf_spine, fat_tree, star, dumbbell, torus, custom, hpcc; did you mean "fat_tree"?)"},
    {"vary_seed.yaml", R"(vary_seed.yaml:3:26: "seed" cannot be varied; give the number of seeds for each point by seeds: 2, outside vary)"},
    {"vary_seeds.yaml", R"(vary_seeds.yaml:4:3: "seeds" cannot be varied; give the number of seeds for each point by seeds: 2, outside vary)"},
    {"vary_unknown_item.yaml", R"(vary_unknown_item.yaml:3:8: the list has no item "prem"; allowed: perm; did you mean "perm"?)"},
    {"vendor_cnp_priority_mode.yaml", R"(vendor_cnp_priority_mode.yaml:2:68: np_cnp_prio_mode 1 gives CNPs another priority than np_cnp_prio, but in Headroom CNPs have the priority of the traffic class "cnp"; allowed: 0)"},
    {"vendor_second_port.yaml", R"(vendor_second_port.yaml:2:53: RPG_AI_RATE_P2 is for an adapter's second port, but a NIC in Headroom has one port; give RPG_AI_RATE_P1; model a second port as a NIC of another host)"},
    {"vendor_two_names.yaml", R"(vendor_two_names.yaml:2:65: RPG_AI_RATE_P1 and rp_ai_rate are the same parameter; give one of them)"},
    {"priority_mask_no_number.yaml", R"(priority_mask_no_number.yaml:2:48: "0x1ff" is not a mask of eight priorities; allowed: 0 to 255 or 0x00 to 0xff; bit n is priority n)"},
    {"priority_mask_too_large.yaml", R"(priority_mask_too_large.yaml:2:51: "256" is out of range; allowed: 0 to 255)"},
    {"priority_mask_twice.yaml", R"(priority_mask_twice.yaml:2:69: enable and roce_cc_prio_mask are the same parameter; give one of them)"},
    {"priority_switch_unknown.yaml", R"(priority_switch_unknown.yaml:2:43: unknown key "8"; allowed: 0, 1, 2, 3, 4, 5, 6, 7)"},
    {"vendor_g_between.yaml", R"(vendor_g_between.yaml:2:74: machine vendor counts g in units of 1/1024; 0.001 is not a multiple of this unit; the nearest is 1/1024)"},
    {"vendor_name_beside_the_papers.yaml", R"(vendor_name_beside_the_papers.yaml:4:46: increase_timer and rpg_time_reset are the same parameter; give one of them)"},
    {"vendor_parameter_of_the_paper.yaml", R"(vendor_parameter_of_the_paper.yaml:2:42: rpg_gd needs machine: vendor)"},
    {"vendor_time_with_unit.yaml", R"(vendor_time_with_unit.yaml:2:50: "300us" is not a whole number; allowed: 1 to 131071)"},
    {"vendor_without_period.yaml", R"(vendor_without_period.yaml:2:43: machine vendor needs a minimum time between rate cuts; give reduce_window: 4us or rate_reduce_monitor_period: 4, the adapters' default)"},
    {"verb_not_yet.yaml", R"(verb_not_yet.yaml:2:62: "faa" is not supported yet; allowed: write, write_with_imm, send, send_with_imm, send_with_invalidate, read)"},
    {"watchdog_cisco_forward.yaml", R"(watchdog_cisco_forward.yaml:2:83: a cisco switch has no action "forward"; allowed: drop, alert)"},
    {"watchdog_detects_too_soon.yaml", R"(watchdog_detects_too_soon.yaml:2:53: "40ms" is out of range; allowed: 100ms to 5s, as in SONiC; any with limits: false)"},
    {"watchdog_of_no_port.yaml", R"(watchdog_of_no_port.yaml:2:11: watchdog: ports: "Ethernet*" matches no port; give a pattern that matches a port of at least one switch with this watchdog)"},
    {"watchdog_poll_not_given.yaml", R"(watchdog_poll_not_given.yaml:2:68: poll 100ms is longer than detection 1ms, but must not be)"},
    {"watchdog_polls_too_late.yaml", R"(watchdog_polls_too_late.yaml:2:86: poll 300ms is longer than restoration 200ms, but must not be)"},
    {"watchdog_polls_too_often.yaml", R"(watchdog_polls_too_often.yaml:2:66: "50ms" is out of range; allowed: 100ms to 1s, as in SONiC; any with limits: false)"},
    {"watchdog_restores_too_late.yaml", R"(watchdog_restores_too_late.yaml:2:73: "61s" is out of range; allowed: 100ms to 60s, as in SONiC; any with limits: false)"},
    {"boolean_as_host.yaml", R"(boolean_as_host.yaml:2:57: "true" is a boolean, not a name or pattern; allowed: a name, a pattern, or a list of them; "*" stands for all)"},
    {"boolean_as_match.yaml", R"(boolean_as_match.yaml:2:21: "false" is a boolean, not a name or pattern; allowed: a name, a pattern, or a list of them; "*" stands for all)"},
    {"boolean_as_name.yaml", R"(boolean_as_name.yaml:1:7: "true" is a boolean, not a name; allowed: 1 to 64 letters, digits, underscores and hyphens)"},
    {"xon_above_its_limit.yaml", R"(xon_above_its_limit.yaml:12:40: xon 400KB of profile "pg" is above 300KB, the highest fill at which its groups pause; allowed: 0B to 300KB)"},
    {"xon_above_its_pool.yaml", R"(xon_above_its_pool.yaml:12:40: xon 12MB of profile "pg" is above 10MB, the size of its pool "in"; allowed: 0B to 300KB)"},
    {"xon_above_its_share.yaml", R"(xon_above_its_share.yaml:12:40: xon 6MB of profile "pg" is above 5MB, the highest fill at which its groups pause; allowed: 0B to 5MB)"},
    {"yaml_tag.yaml", R"(yaml_tag.yaml:2:51: the YAML tag "!!str" is not supported; leave out the tag: the key determines the type of its value)"},
};
// clang-format on

void Replace(std::string& text, const std::string& what, const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

std::string MessageOf(const std::string& file) {
  try {
    LoadScenario(kDirectory + "/" + file);
  } catch (const ScenarioError& e) {
    std::string message = e.what();
    if (message.starts_with(kDirectory + "/")) message.erase(0, kDirectory.size() + 1);
    Replace(message, kDirectory, "DIR");
    Replace(message, "there is " + FormatMemory(MachineMemory()), "there is MEMORY");
    return message;
  }
  return "no error";
}

TEST(WrongScenario, each_gives_its_exact_message) {
  for (const Wrong& wrong : kWrong) EXPECT_EQ(MessageOf(wrong.file), wrong.message) << wrong.file;
}

TEST(WrongScenario, a_file_that_is_not_there_is_named_once) {
  EXPECT_EQ(MessageOf("tcp_not_jet.yaml"),
            R"(tcp_not_jet.yaml: there is no such file; did you mean "DIR/tcp_not_yet.yaml"?)");
  EXPECT_EQ(MessageOf(""), ": is a folder");
  EXPECT_EQ(MessageOf("elsewhere/x.yaml"), "elsewhere/x.yaml: there is no such file");
}

TEST(WrongScenario, every_file_has_its_message) {
  std::set<std::string> files, known;
  for (const auto& entry : std::filesystem::directory_iterator(kDirectory))
    if (entry.path().extension() == ".yaml") files.insert(entry.path().filename().string());
  for (const Wrong& wrong : kWrong) known.insert(wrong.file);
  EXPECT_EQ(files, known);
}

}  // namespace
}  // namespace headroom::wrong_test
