// Parameters of DCQCN's three points and of the rate limiter, as a NIC generation or a scenario sets them.
//
// Source: Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, sections 3 and 5;
// generations: Bai et al., Empowering Azure Storage with RDMA, NSDI 2023. Rates are wire rates with preamble
// and gap; the byte counter counts the same bytes.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/units.h"

namespace headroom {

/// Congestion point: RED on the egress queue, decided at dequeue on the bytes left behind.
struct EcnParameters {
  Bytes kmin;
  Bytes kmax;
  double pmax = 0.0;
  std::optional<Rate>
      per_rate;  ///< if given, the thresholds are for this port rate and scale with the port's
  bool operator==(const EcnParameters&) const = default;
};

/// A mask of the priorities with congestion control.
struct ControlledPriorities {
  uint8_t mask = 0xFF;
  bool Has(uint8_t priority) const { return (mask >> priority & 1) != 0; }
  bool operator==(const ControlledPriorities&) const = default;
};

/// Notification point: where CNPs are coalesced and how often one leaves.
struct NpParameters {
  enum class Coalescing {
    per_packet,  ///< a CNP for every marked packet; the reaction point coalesces
    per_qp,      ///< at most one CNP per QP in min_cnp_interval
    ack_flag     ///< no CNP frame: the ACK of a marked packet carries the flag (as in the HPCC simulator)
  };
  Coalescing coalescing = Coalescing::per_qp;
  Time min_cnp_interval = Microseconds(50);  ///< interval for per_qp
  Time nic_interval;                         ///< at most one CNP of the entire NIC in this span; 0: no limit
  Time cnp_delay;                   ///< from the arrival of the marked packet to the CNP's transmission
  ControlledPriorities priorities;  ///< marks in other priorities cause no CNP
  bool operator==(const NpParameters&) const = default;
};

/// Reaction point.
struct RpParameters {
  enum class Machine {
    paper,  ///< as published
    hpcc,   ///< the HPCC simulator's: separate timers check alpha and decrease
    vendor  ///< of ConnectX adapters, after their parameters: separate timers, whole numbers, more limits
  };
  Machine machine = Machine::paper;
  Time reduce_window;  ///< at most one cut in this span; 0: a cut for every CNP
  double g = 1.0 / 256;
  Time alpha_timer = Microseconds(55);     ///< K
  Time increase_timer = Microseconds(55);  ///< T
  Bytes byte_counter = Kilobytes(10'000);  ///< B; 0: none
  int fast_recovery = 5;                   ///< F
  Rate rate_ai = MegabitsPerSecond(40);
  Rate rate_hai = MegabitsPerSecond(200);
  Rate min_rate = MegabitsPerSecond(10);
  bool clamp_target = false;  ///< machines hpcc and vendor: lower the target also at a cut that directly
                              ///< follows a cut; `paper` always does
  Rate max_rate;              ///< a queue pair starts at this rate and never exceeds it; 0: line rate
  ControlledPriorities priorities;  ///< queue pairs of other priorities stay at line rate

  // Machine vendor; comments name the adapter's own parameters (NVIDIA, DCQCN CC Parameters).
  bool clamp_after_time_increase = true;  ///< clamp_tgt_rate_after_time_inc
  int cut_shift = 11;        ///< rpg_gd: a cut takes alpha / 2^this of the rate, with alpha in 1/1024
  int least_kept = 50;       ///< rpg_min_dec_fac, per cent: each cut leaves at least this share of the rate
  int initial_alpha = 1023;  ///< initial_alpha_value, in 1/1024: alpha at the first CNP
  Rate rate_on_first_cnp;    ///< rate_to_set_on_first_cnp: replaces the first cut; 0: an ordinary cut
  bool operator==(const RpParameters&) const = default;
};

struct LimiterParameters {
  enum class Granularity { packet, burst, simulator };
  Granularity granularity = Granularity::packet;
  Bytes burst = Kibibytes(16);  ///< bytes sent back to back at line rate, followed by a pause for the average
  bool operator==(const LimiterParameters&) const = default;
};

struct DcqcnParameters {
  NpParameters np;
  RpParameters rp;
  LimiterParameters limiter;
  bool operator==(const DcqcnParameters&) const = default;
};

}  // namespace headroom
