// A training run that trains nothing: it prints what a PyTorch script prints, at the pace its configuration would have
// on the simulated card, and tells the simulation bus what it does, so that `--source sim` shows its GPU.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gputop/example/example_options.hpp"

namespace gputop {

// Clock, terminal and Ctrl-C, so that a test can run hours of training in a moment.
class ExampleWorld {
 public:
  struct Screen {
    bool terminal = false;  // bars are drawn on terminals only
    unsigned columns = 0;   // 0: unknown
    bool utf8 = false;
  };

  ExampleWorld() = default;
  ExampleWorld(const ExampleWorld&) = delete;
  ExampleWorld& operator=(const ExampleWorld&) = delete;
  virtual ~ExampleWorld() = default;

  [[nodiscard]] virtual double now() = 0;                   // seconds, monotonic
  [[nodiscard]] virtual bool sleep_until(double then) = 0;  // false: interrupted by the user
  // false: nobody can read it any more.
  [[nodiscard]] virtual bool out(std::string_view text) = 0;
  [[nodiscard]] virtual bool error(std::string_view text) = 0;
  [[nodiscard]] virtual Screen screen() = 0;  // what error() writes to
};

// stdout, stderr and the steady clock. While it lives SIGINT is held back from this thread and ends sleeps instead.
std::unique_ptr<ExampleWorld> make_example_world();

// Returns the exit code: 0 finished, 1 out of memory or output gone, 2 options refused, 130 interrupted.
int run_example(const ExampleOptions& options, ExampleWorld& world, const std::string& bus_directory);

}  // namespace gputop
