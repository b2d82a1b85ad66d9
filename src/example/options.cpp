#include <cmath>

#include "gputop/example/example_options.hpp"

namespace gputop {

unsigned ExampleOptions::steps() const {
  if (steps_per_epoch > 0) return steps_per_epoch;
  return (kDatasetSize + run.batch_size - 1) / run.batch_size;
}

Status check(const ExampleOptions& options) {
  if (const auto card = find_sim_card(options.card); !card) return card.error();
  if (const auto run = check(options.run); !run) return run;
  const auto refuse = [](std::string message) { return Error{Error::Kind::kInvalid, std::move(message)}; };
  if (options.epochs < 1) return refuse("epochs: 0 would train nothing (at least 1)");
  if (!std::isfinite(options.learning_rate) || options.learning_rate <= 0) {
    return refuse("learning_rate: must be a number above 0");
  }
  if (!(options.speed >= 0.01 && options.speed <= 10000)) return refuse("speed: must be within 0.01 … 10000");
  return success();
}

}  // namespace gputop
