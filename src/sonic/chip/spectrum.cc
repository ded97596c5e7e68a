#include "sonic/chip/spectrum.h"

#include <algorithm>
#include <cctype>

namespace headroom {
namespace {

/// The digits after "sn"; 0 if there are none.
int ModelNumber(std::string_view platform) {
  const size_t at = platform.find("sn");
  if (at == std::string_view::npos) return 0;
  int number = 0;
  for (const char c : platform.substr(at + 2)) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 || number > 9999) break;
    number = number * 10 + (c - '0');
  }
  return number;
}

bool IsNvidia(std::string_view platform) {
  return platform.find("mlnx_") != std::string_view::npos ||
         platform.find("nvidia_") != std::string_view::npos;
}

}  // namespace

std::optional<SpectrumAsic> FindSpectrum(int generation) {
  struct Row {
    int64_t cell, pipeline_kib, shp_most_cells;
  };
  static constexpr Row kTable[] = {{96, 19, 8192},  {144, 19, 8192}, {144, 19, 8192},
                                   {192, 19, 8192}, {192, 19, 6144}, {256, 42, 6144}};
  if (generation < 1 || generation > 6) return std::nullopt;
  const Row& row = kTable[generation - 1];
  const Bytes cell(row.cell);
  return SpectrumAsic{.generation = generation,
                      .cell = cell,
                      .pipeline = Bytes(row.pipeline_kib * 1024),
                      .shp_reserved_port = cell * 20,
                      .shp_most_port = cell * row.shp_most_cells};
}

std::optional<SpectrumAsic> SpectrumOfPlatform(std::string_view platform) {
  if (!IsNvidia(platform)) return std::nullopt;
  const int model = ModelNumber(platform);
  if (model == 5640) return FindSpectrum(5);
  switch (model / 1000) {
    case 2:
      return FindSpectrum(1);
    case 3:
      return FindSpectrum(2);
    case 4:
      return FindSpectrum(3);
    case 5:
      return FindSpectrum(4);
    case 6:
      return FindSpectrum(6);
    default:
      return std::nullopt;
  }
}

Time GearboxDelayOfPlatform(std::string_view platform) {
  return IsNvidia(platform) && ModelNumber(platform) == 3800 ? Nanoseconds(400) : Time();
}

}  // namespace headroom
