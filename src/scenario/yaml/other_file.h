// Text files of other tools that a scenario names, whose errors name file and line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "scenario/yaml/error.h"

namespace headroom {

/// Throws ScenarioError, at `where` it is named, for a file that is not to be read (files/whole_text.h).
void RequireReadable(const std::filesystem::path& file, const Position& where);
[[noreturn]] void RefuseUnreadable(const std::filesystem::path& file, const Position& where);

/// The position before the first line of a file that is named at `where`.
Position BeforeFirstLine(const std::filesystem::path& file, const Position& where);

/// All of it. Throws ScenarioError where it cannot be read.
std::string TextOfOtherFile(const std::filesystem::path& file, const Position& where);

/// Throws ScenarioError for a byte of a line that a terminal cannot be shown (text_at.h), but those of
/// `allowed`. `fix`: what the file is to be.
void CheckIsText(std::string_view line, Position where, const char* fix, std::string_view allowed = "");

}  // namespace headroom
