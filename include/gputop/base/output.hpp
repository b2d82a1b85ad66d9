// Output of a command: errors and questions on stderr, its result on stdout.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop {

// "gputop: MESSAGE" on stderr.
void complain(std::string_view message);
int usage_error(const Error& error);  // prints the error, returns 2
int failed(const Error& error);       // prints the error, returns 1

enum class WriteResult { kOk, kNobodyReads, kFailed };
// Writes everything at once and reports a failure, except that the reader has gone.
WriteResult write_out(std::string_view text, std::FILE* out);
// Writes to stdout and returns the exit code: 0, or 1 if the write failed.
int print(std::string_view text);

bool ask(const std::string& question);  // anything but y and yes means no
bool can_ask();

}  // namespace gputop
