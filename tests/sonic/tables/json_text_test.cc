// Files that are not JSON: the message names line and column.
#include <gtest/gtest.h>

#include "sonic/tables/lookup.h"
#include "support/sonic.h"

namespace headroom::sonic_syntax_test {
namespace {

template <class F>
std::string Message(F&& read) {
  try {
    read();
  } catch (const SonicSyntaxError& e) {
    return e.what();
  }
  return "no error";
}

std::string OfConfig(const std::string& text) {
  return Message([&] { ReadSonicConfig(text, "config_db.json"); });
}

std::string OfLookup(const std::string& text) {
  return Message([&] { ReadPgProfileLookup(text, "pg.ini"); });
}

TEST(SonicSyntax, NoJson) {
  EXPECT_EQ(OfConfig("{\n  \"PORT\": {\n    \"Ethernet0\": {\"speed\" \"40000\"}\n  }\n}"),
            "config_db.json:3:33: syntax error while parsing object separator - unexpected string literal; "
            "expected "
            "':'");
  EXPECT_EQ(
      OfConfig("{\"PORT\": {},}"),
      "config_db.json:1:13: syntax error while parsing object key - unexpected '}'; expected string literal");
  EXPECT_EQ(OfConfig(""),
            "config_db.json:1:1: syntax error while parsing value - unexpected end of input; expected '[', "
            "'{', or a "
            "literal");
  EXPECT_EQ(OfConfig("[]"), "config_db.json:1:1: is not a JSON object of tables");
  EXPECT_EQ(OfConfig("{\"PORT\":\n 1e999}"), "config_db.json:2:2: number overflow parsing '1e999'");
}

TEST(SonicSyntax, TooDeep) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "{\"a\":";
  EXPECT_EQ(OfConfig(text),
            "config_db.json:1:81: values are nested more than 16 deep; a config_db.json consists of "
            "tables of rows of fields");
}

TEST(SonicSyntax, ALookupTable) {
  const PgProfileLookup lookup = ReadPgProfileLookup(SonicText("pg_profile_lookup.ini"), "pg.ini");
  ASSERT_EQ(lookup.rows.size(), 3u);
  EXPECT_EQ(lookup.rows[2].line, 5);
  EXPECT_EQ(lookup.Find(GigabitsPerSecond(100), "40m")->xoff, Bytes(180'000));
  EXPECT_FALSE(lookup.Find(GigabitsPerSecond(40), "40m"));
  // The file has line ends of Windows, no xon_offset, and a comment after a row.
  const PgProfileLookup six = ReadPgProfileLookup(
      "# speed cable size xon xoff threshold\r\n10000 5m 1 2 3 -1\r\n"
      "25000 5m 1 2 3 0 # why\r\n",
      "pg.ini");
  ASSERT_EQ(six.rows.size(), 2u);
  EXPECT_EQ(six.rows[0].threshold, -1);
  EXPECT_FALSE(six.rows[0].xon_offset);
}

TEST(SonicSyntax, WrongLookupTables) {
  EXPECT_EQ(OfLookup("# speed cable xon size xoff threshold\n"),
            "pg.ini:1:1: the columns have the names \"speed cable xon size xoff threshold\", but SONiC "
            "reads the columns as \"speed cable size xon xoff threshold [xon_offset]\"");
  EXPECT_EQ(OfLookup("\n10000 5m 1 2 3\n"),
            "pg.ini:2:1: the row has 5 columns; allowed: 6 or 7: speed cable size xon xoff threshold "
            "xon_offset");
  EXPECT_EQ(OfLookup(" 10000  5 1 2 3 4"),
            "pg.ini:1:9: \"5\" is not a cable length; give a length in metres, such as \"300m\"");
  EXPECT_EQ(OfLookup("10000 5m 1 2 x 4"),
            "pg.ini:1:14: xoff \"x\" is not a whole number from 0 to 1125899906842624");
  EXPECT_EQ(OfLookup("10000 5m 1 2 3 4\n\n10000 5m 1 2 3 4\n"),
            "pg.ini:3:1: line 1 already has a row for 10000 and 5m");
}

}  // namespace
}  // namespace headroom::sonic_syntax_test
