// gputop estimate: the memory of a training configuration and the largest batch that fits.
#include "cli/commands.hpp"
#include "cli/estimate_input.hpp"
#include "gputop/report/estimate.hpp"

namespace gputop::cli {

int estimate(const Options& options) {
  const auto input = estimate_input(options);
  if (!input) return usage_error(input.error());
  // What is asked is checked before a driver is: an error should not wait for one.
  const auto described = gputop::estimate(input->request, input->file.stages, input->tables.models, std::nullopt);
  if (!described) return usage_error(described.error());
  std::string missing;
  const auto gpu = target_gpu(options, *input, missing);
  if (!gpu) return usage_error(gpu.error());
  if (!*gpu && !input->request.batch) return usage_error({Error::Kind::kInvalid, missing});
  auto answer = gputop::estimate(input->request, input->file.stages, input->tables.models, *gpu);
  if (!answer) return usage_error(answer.error());
  if (!*gpu) answer->notes.push_back(missing + " to search for a batch");
  return print(options.json ? estimate_json(*answer) : estimate_text(*answer));
}

}  // namespace gputop::cli
