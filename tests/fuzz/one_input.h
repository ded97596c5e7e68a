// The functions that a fuzz target must define, and those that it may call.
#pragma once

#include <string>

/// The target's own function: it runs the code on an input. Errors that name a place in the input are caught
/// here; every other exception is a failure.
void Check(const std::string& text);

/// Prints the reason and the input, and aborts.
[[noreturn]] void Fail(const std::string& why, const std::string& text);
