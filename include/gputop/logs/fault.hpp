// A line that says why a run ends, or may end: out of memory in its forms, crashes, timeouts, kills.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gputop/core/run_end.hpp"
#include "gputop/core/time.hpp"
#include "gputop/logs/traceback.hpp"

namespace gputop::logs {

struct Fault {
  EndKind kind = EndKind::kException;
  std::string text;        // one sentence
  bool secondary = false;  // what other processes say when one of them has died
  bool hollow = false;     // an exception without a word to it
  bool by_kill = false;    // a process was killed: the kernel's counters tell whether for want of memory
  std::optional<GpuOom> oom;
  Reading<unsigned> rank;
  Instant at;
};

// Could the line matter at all? One pass, for output that floods by.
bool may_be_fault(std::string_view line);
std::size_t find_possible_fault(std::string_view lines);  // npos: none of them may be one
// The line without its prefixes.
std::optional<Fault> read_fault(std::string_view line);
// The same where it is nobody's exception but somebody's line.
std::optional<Fault> read_logged_fault(std::string_view line);
Fault fault_of(const PythonException& exception);
// Of an application's making, most often: an exception says more.
bool is_application_xid(std::uint64_t xid);

}  // namespace gputop::logs
