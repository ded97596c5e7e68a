// Text files of other tools that a scenario names, whose errors name file and line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "scenario/yaml/error.h"

namespace headroom {

/// Throws ScenarioError, at its mention `where`, for a file that must not be read (files/whole_text.h).
void RequireReadable(const std::filesystem::path& file, const Position& where);
[[noreturn]] void RefuseUnreadable(const std::filesystem::path& file, const Position& where);

/// The position before the first line of a file that is mentioned at `where`.
Position BeforeFirstLine(const std::filesystem::path& file, const Position& where);

/// Reads the whole file. Throws ScenarioError if it cannot be read.
std::string TextOfOtherFile(const std::filesystem::path& file, const Position& where);

/// Throws ScenarioError for a byte that a terminal cannot show (text_at.h), except those in `allowed`. `fix`:
/// the expected kind of file.
void CheckIsText(std::string_view line, Position where, const char* fix, std::string_view allowed = "");

}  // namespace headroom
