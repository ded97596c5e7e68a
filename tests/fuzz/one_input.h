// What a fuzz target has to have, and what it may call.
#pragma once

#include <string>

/// Of the target: makes of an input what the code makes of it. Errors that name a place in the input are
/// caught here; every other exception is a failure.
void Check(const std::string& text);

/// Prints why and the input, and aborts.
[[noreturn]] void Fail(const std::string& why, const std::string& text);
