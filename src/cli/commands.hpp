// One function per command; each returns the exit code.
#pragma once

#include <cstdio>
#include <string_view>

#include "cli/options.hpp"

namespace gputop::cli {

int monitor(const Options& options);
int snapshot(const Options& options);
int replay(const Options& options);
int example(const Options& options);
int advise(const Options& options);
int estimate(const Options& options);
int show(const Options& options);
int apply(const Options& options);
int undo(const Options& options);
int report(const Options& options);
int compare(const Options& options);

// "gputop: MESSAGE" on stderr.
void complain(std::string_view message);
int usage_error(const Error& error);  // complains, returns 2
int failed(const Error& error);       // complains, returns 1

enum class WriteResult { kOk, kNobodyReads, kFailed };
// All of it, now. A failure is complained about; a reader that left is not worth a word.
WriteResult write_out(std::string_view text, std::FILE* out);
// On stdout; the exit code: 0, or 1 when it could not be written.
int print(std::string_view text);

}  // namespace gputop::cli
