// A bar as tqdm draws it. Pure: time comes in, text comes out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gputop/example/example_run.hpp"

namespace gputop {

class ProgressBar {
 public:
  ProgressBar(std::string description, std::uint64_t total, double now, ExampleWorld::Screen screen);

  // The bar at `done` of total, "\r" first; nullopt: the last one was drawn less than tqdm's 0.1 s ago.
  std::optional<std::string> draw(std::uint64_t done, double now, const std::string& postfix);
  // The window may have been resized.
  void set_screen(ExampleWorld::Screen screen);
  // Takes the bar off the screen (tqdm's leave=False).
  [[nodiscard]] std::string erase() const;

 private:
  [[nodiscard]] std::string line(const std::string& postfix) const;
  [[nodiscard]] std::string bar(std::size_t width) const;

  std::string description_;
  std::uint64_t total_;
  ExampleWorld::Screen screen_;
  double started_;
  double drawn_at_;
  bool drawn_ = false;
  std::uint64_t done_ = 0;
  std::size_t columns_used_ = 0;
  // Exponential means of steps and seconds per drawing, as tqdm smooths its rate.
  double mean_steps_ = 0;
  double mean_seconds_ = 0;
};

// "00:31", "1:02:03"
std::string tqdm_time(double seconds);
// tqdm's number in a postfix: three significant digits.
std::string tqdm_number(double value);

}  // namespace gputop
