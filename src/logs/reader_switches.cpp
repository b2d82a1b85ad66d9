#include "gputop/logs/reader_switches.hpp"

#include <algorithm>

namespace gputop {

bool ReaderSwitches::is_off(std::string_view reader) const {
  return std::find(off_.begin(), off_.end(), reader) != off_.end();
}

void ReaderSwitches::judge(std::string_view reader, Duration took) {
  if (took <= kSlowLine) return;
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
  switch_off(reader, "one line took it " + std::to_string(milliseconds) + " ms of CPU time");
}

void ReaderSwitches::switch_off(std::string_view reader, const std::string& why) {
  off_.emplace_back(reader);
  if (!news_.empty()) news_ += "; ";
  news_ += "the reader of " + std::string{reader} + " is switched off for this run: " + why;
}

}  // namespace gputop
