#include "scenario/yaml/quantity.h"

#include <gtest/gtest.h>

#include <random>

namespace headroom::quantity_test {
namespace {

Node Scalar(const std::string& text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = text;
  return node;
}

TEST(Quantity, units_are_exact) {
  EXPECT_EQ(ParseTime(Scalar("125.926us")).v, 125'926'000);
  EXPECT_EQ(ParseTime(Scalar("0s")).v, 0);
  EXPECT_EQ(ParseTime(Scalar("0.001ns")).v, 1);
  EXPECT_EQ(ParseRate(Scalar("100Gbps")).v, 100'000'000'000);
  EXPECT_EQ(ParseRate(Scalar("2.5Mbps")).v, 2'500'000);
  EXPECT_EQ(ParseSize(Scalar("1MB")).v, 1'000'000);
  EXPECT_EQ(ParseSize(Scalar("2.5KB")).v, 2'500);
  EXPECT_EQ(ParseSize(Scalar("2.5kB")).v, 2'500);
  EXPECT_EQ(ParseSize(Scalar("1MiB")).v, 1 << 20);
  EXPECT_EQ(ParseSize(Scalar("1.5KiB")).v, 1536);
  EXPECT_EQ(ParseLength(Scalar("40km")), Microseconds(200));
  EXPECT_EQ(ParseLength(Scalar("3m")), Nanoseconds(15));
  EXPECT_EQ(ParseClock(Scalar("2.5GHz")), 2'500'000'000);
  EXPECT_EQ(ParseClock(Scalar("900MHz")), 900'000'000);
  EXPECT_EQ(FormatClock(2'500'000'000), "2500MHz");
  EXPECT_DOUBLE_EQ(ParseFraction(Scalar("5%")), 0.05);
  EXPECT_DOUBLE_EQ(ParseFraction(Scalar("1/256")), 0.00390625);
  EXPECT_DOUBLE_EQ(ParseFraction(Scalar("0.4")), 0.4);
}

TEST(Quantity, what_is_no_quantity_is_refused) {
  for (const char* text : {"", "us", "-1us", "1 us", "1", "1.us", ".5us", "1e3us", "1US", "1usx", "0.0001ps",
                           "99999999999999999999us", "999999999999999s"})
    EXPECT_THROW(ParseTime(Scalar(text)), ScenarioError) << text;
  for (const char* text : {"1.5B", "10", "10b", "1KBB", "1K", "1kiB", "1mB"})
    EXPECT_THROW(ParseSize(Scalar(text)), ScenarioError);
  for (const char* text : {"100", "100Gb", "100G", "0.5bps"})
    EXPECT_THROW(ParseRate(Scalar(text)), ScenarioError);
  for (const char* text : {"", "%", "1/0", "1/", "-1%", "-0.5", "nan", "inf", "5 %", "1/2/3", "0x1"})
    EXPECT_THROW(ParseFraction(Scalar(text)), ScenarioError) << text;
  EXPECT_THROW(ParseTime(Node{}), ScenarioError);
}

TEST(Quantity, of_powers_of_two_binary_units_are_meant) {
  const auto meant = [](const std::string& text) {
    try {
      ParseSize(Scalar(text));
    } catch (const ScenarioError& error) {
      const std::string message = error.what();
      const size_t at = message.find("did you mean ");
      return at == std::string::npos ? "" : message.substr(at + 13);
    }
    return std::string("a size");
  };
  EXPECT_EQ(meant("64k"), R"("64KiB"?)");
  EXPECT_EQ(meant("64Kb"), R"("64KiB"?)");
  EXPECT_EQ(meant("100k"), R"("100KB"?)");
  EXPECT_EQ(meant("1m"), R"("1MiB"?)");
  EXPECT_EQ(meant("1.5g"), R"("1.5GB"?)");
  EXPECT_EQ(meant("16"), R"("16KiB" or "16B"?)");
  EXPECT_EQ(meant("400"), R"("400KB" or "400B"?)");
  EXPECT_EQ(meant("64kib"), R"("64KiB"?)");
}

std::string ErrorOf(const std::string& text, Time (*parse)(const Node&)) {
  try {
    parse(Scalar(text));
  } catch (const ScenarioError& error) {
    return std::string(error.what()).substr(std::string("scenario:1:1: ").size());
  }
  return "";
}

TEST(Quantity, rates_as_people_write_them_get_their_unit) {
  const auto meant = [](const std::string& text) {
    try {
      ParseRate(Scalar(text), MegabitsPerSecond(1), GigabitsPerSecond(100'000));
    } catch (const ScenarioError& error) {
      const std::string message = error.what();
      const size_t at = message.find("did you mean ");
      return at == std::string::npos ? "" : message.substr(at + 13);
    }
    return std::string("a rate");
  };
  for (const char* text : {"25G", "25Gb", "25g", "25Gbit", "25GbE", "25Gb/s", "25gbps", "25 Gbps", "25"})
    EXPECT_EQ(meant(text), R"("25Gbps"?)") << text;
  EXPECT_EQ(meant("25000000000"), R"("25000000000bps"?)");
  EXPECT_EQ(meant("25000000000.0"), R"("25000000000.0bps"?)");
  EXPECT_EQ(meant("100000"), R"("100000Mbps"?)");  // SONiC's speeds
  // A capital B means bytes, and often bits were meant.
  for (const char* text : {"25GBps", "25GB/s", "25GB", "25 GBps"})
    EXPECT_EQ(meant(text), R"("25Gbps" or "200Gbps"?)") << text;
  EXPECT_EQ(meant("3.125GBps"), R"("3.125Gbps" or "25Gbps"?)");
  EXPECT_EQ(meant("50TBps"), R"("50Tbps"?)");     // 400 Tb/s are too much
  EXPECT_EQ(meant("0.2MBps"), R"("1600Kbps"?)");  // and 0.2 Mb/s is too little
  EXPECT_EQ(meant("3GiBps"), "");
}

TEST(Quantity, what_is_negative_is_called_so) {
  const auto time = [](const Node& node) { return ParseTime(node); };
  EXPECT_EQ(ErrorOf("-1us", time), "\"-1us\" is negative; a time must be 0 or more");
  EXPECT_EQ(ErrorOf("-5", time), "\"-5\" is negative; a time must be 0 or more");
  EXPECT_EQ(ErrorOf("-us", time),
            "\"-us\" is not a time; write a time as a number and one of the units ps, ns, us, ms, s");
  const auto fraction = [](const Node& node) { return Time(static_cast<int64_t>(ParseFraction(node))); };
  EXPECT_EQ(ErrorOf("-5%", fraction), "\"-5%\" is negative; give a fraction of 0 or more");
}

TEST(Quantity, what_is_written_reads_back) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    int64_t value = static_cast<int64_t>(random() >> (1 + random() % 62));
    if (i % 2) value = value % 1'000'000 * (i % 4 == 1 ? 1'000'000 : int64_t{1} << 20);
    const Node time = Scalar(FormatTime(Time(value)));
    if (time.text.size() > 18 + 2) continue;  // more digits than are read
    EXPECT_EQ(ParseTime(time).v, value);
    EXPECT_EQ(ParseSize(Scalar(FormatSize(Bytes(value)))).v, value);
    EXPECT_EQ(ParseRate(Scalar(FormatRate(Rate(value)))).v, value);
    const double fraction = static_cast<double>(value) / 1e18;
    EXPECT_EQ(ParseFraction(Scalar(FormatNumber(fraction))), fraction);
  }
  EXPECT_EQ(FormatTime(Microseconds(50)), "50us");
  EXPECT_EQ(FormatSize(Kibibytes(16)), "16KiB");
  EXPECT_EQ(FormatSize(Bytes(7000)), "7KB");
  EXPECT_EQ(FormatRate(GigabitsPerSecond(100)), "100Gbps");
}

}  // namespace
}  // namespace headroom::quantity_test
