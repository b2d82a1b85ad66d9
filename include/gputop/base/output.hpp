// What a command says and asks: complaints and questions on stderr, its result on stdout.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop {

// "gputop: MESSAGE" on stderr.
void complain(std::string_view message);
int usage_error(const Error& error);  // complains, returns 2
int failed(const Error& error);       // complains, returns 1

enum class WriteResult { kOk, kNobodyReads, kFailed };
// All of it, now. A failure is complained about; a reader that left is not worth a word.
WriteResult write_out(std::string_view text, std::FILE* out);
// On stdout; the exit code: 0, or 1 when it could not be written.
int print(std::string_view text);

bool ask(const std::string& question);  // anything but y and yes is no
bool can_ask();

}  // namespace gputop
