// gputop example: the bundled training run. A flag is a key of its YAML configuration with dashes: --batch-size 32.
#include "cli/commands.hpp"
#include "gputop/example/example_run.hpp"
#include "gputop/sources/sim_bus.hpp"

namespace gputop::cli {
int example(const Options& options) {
  for (const auto& word : options.example_arguments) {
    if (word == "--help" || word == "-h") return print(example_help());
  }
  const auto parsed = example_from_words(options.example_arguments);
  if (!parsed) {
    return usage_error({parsed.error().kind, parsed.error().message + "\ntry 'gputop example --help'"});
  }
  const auto world = make_example_world();
  return run_example(*parsed, *world, sim_bus_directory());
}

}  // namespace gputop::cli
