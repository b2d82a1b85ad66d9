// What the bundled example run can be told: flags and YAML keys of the same names. The defaults are the story of
// examples/simulated: an RTX 3090 at about 20 % because batch 8 is too small for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/sources/sim_physics.hpp"

namespace gputop {

struct ExampleOptions {
  std::string card{default_sim_card().name};
  SimRunConfig run;
  std::string optimizer = "adamw";  // adam or sgd: without its two moments, 8 bytes a parameter less
  double learning_rate = 1e-3;  // printed; the simulated loss does not depend on it
  unsigned epochs = 50;
  unsigned steps_per_epoch = 0;  // 0: as many as the data set has batches
  double speed = 1;              // 10: ten simulated seconds in one
  std::uint64_t seed = 0;

  static constexpr unsigned kDatasetSize = 8000;  // samples

  [[nodiscard]] unsigned steps() const;

  bool operator==(const ExampleOptions&) const = default;
};

// The error names the option and what it may be.
Status check(const ExampleOptions& options);

// `base` with the keys of the YAML text on top. Errors begin with file:line, unknown keys are errors.
Result<ExampleOptions> example_from_yaml(std::string_view text, std::string_view file, ExampleOptions base = {});

// Pairs of word and value; "--batch-size=8" and "--batch-size 8" alike. --config FILE is read first.
Result<ExampleOptions> example_from_words(const std::vector<std::string>& words);
std::string_view example_help();

}  // namespace gputop
