// A world in which sleeping takes no time.
#pragma once

#include <functional>
#include <limits>
#include <string>

#include "gputop/example/example_run.hpp"

namespace gputop::test {

class FakeWorld final : public ExampleWorld {
 public:
  Screen shown{};
  double interrupt_at = std::numeric_limits<double>::infinity();
  double output_gone_at = std::numeric_limits<double>::infinity();
  std::function<void(double)> every_sleep = [](double) {};
  std::string printed;
  std::string drawn;
  double clock = 0;

  double now() override { return clock; }
  bool sleep_until(double then) override {
    if (then >= interrupt_at) {
      clock = interrupt_at;
      return false;
    }
    clock = std::max(clock, then);
    every_sleep(clock);
    return true;
  }
  bool out(std::string_view text) override {
    printed += text;
    return clock < output_gone_at;
  }
  bool error(std::string_view text) override {
    drawn += text;
    return clock < output_gone_at;
  }
  Screen screen() override { return shown; }
};

}  // namespace gputop::test
