#include "workload/distributions/distributions_published.h"

namespace headroom {

std::span<const PublishedDistribution> PublishedDistributions() {
  static constexpr PublishedPoint kAliStorage[] = {{0, 0},          {4000, 22.93},   {8000, 69.21},
                                                   {16000, 80.61},  {32000, 90.47},  {64000, 93.53},
                                                   {128000, 96.77}, {256000, 97.53}, {2000000, 100}};
  static constexpr PublishedPoint kWebSearch[] = {
      {0, 0},       {10000, 15},   {20000, 20},   {30000, 30},   {50000, 40},    {80000, 53},
      {200000, 60}, {1000000, 70}, {2000000, 80}, {5000000, 90}, {10000000, 97}, {30000000, 100}};
  static constexpr PublishedPoint kFbHdp[] = {
      {0, 0},      {100, 1},     {200, 2},     {300, 5},        {350, 15},     {400, 20},      {500, 30},
      {600, 40},   {700, 50},    {1000, 60},   {2000, 67},      {7000, 70},    {30000, 72},    {50000, 82},
      {80000, 87}, {120000, 90}, {300000, 95}, {1000000, 97.5}, {2000000, 99}, {10000000, 100}};
  static const PublishedDistribution kAll[] = {
      {"AliStorage2019", "Alibaba storage: Li et al., HPCC, SIGCOMM 2019", kAliStorage},
      {"WebSearch", "web search cluster: Alizadeh et al., DCTCP, SIGCOMM 2010", kWebSearch},
      {"FbHdp", "Facebook Hadoop cluster: Roy et al., SIGCOMM 2015", kFbHdp},
      {"GoogleRPC2008", "Google RPC sizes: Sivaram, in Montazeri et al., Homa, SIGCOMM 2018",
       GoogleRpc2008Points()}};
  return kAll;
}

}  // namespace headroom
