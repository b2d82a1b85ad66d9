// Every GPU reading of a stream as CSV: one line per GPU, with implausible values left empty and named. Pure.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "gputop/core/event.hpp"
#include "gputop/core/power_guard.hpp"

namespace gputop {

class ReadingsCsv {
 public:
  ReadingsCsv();
  void take(const Event& event);
  // The text since the last call; the first one includes the header.
  std::string take_text() { return std::exchange(text_, {}); }
  [[nodiscard]] std::size_t size() const { return text_.size(); }

 private:
  void add(const std::string& time, const GpuReading& reading);

  WallTime wall_;
  bool timed_ = true;
  bool screened_ = false;
  std::map<std::pair<std::string, unsigned>, PowerGuard> guards_;
  std::string text_;
};

}  // namespace gputop
