// gputop estimate: the memory of a training configuration and the largest batch that fits.
#include "cli/commands.hpp"
#include "gputop/rehearsal/answer.hpp"
#include "gputop/rehearsal/estimate_input.hpp"
#include "gputop/report/estimate.hpp"

namespace gputop::cli {
namespace {

// Like `gputop apply --config FILE --change batch_size=N --all` with the matching accumulation: makes the first step
// that was printed. Changes the files of all stages.
int write_first_step(const Options& options, const EstimateInput& input, const Estimate& answer) {
  if (!answer.best) {
    complain("nothing was changed: no batch fits");
    return 1;
  }
  auto wanted = options;
  wanted.apply.configs = input.files;
  const auto& step = first_step(answer);
  wanted.apply.changes = {"batch_size=" + std::to_string(step.batch)};
  wanted.apply.accumulation = static_cast<std::int64_t>(step.accumulation);
  wanted.apply.everywhere = wanted.apply.all_stages = wanted.apply.at.empty();
  return apply(wanted);
}

// The answer from running the command without a GPU; nullopt, with the reason in `note`, if only its files can be used.
std::optional<Estimate> from_rehearsal(const Options& options, const EstimateInput& input, std::string& note) {
  if (options.job.empty() || options.rehearsal.off || options.apply.best) return std::nullopt;
  if (const auto why = why_no_rehearsal(options.job); !why.empty()) {
    note = "not rehearsed: " + why;
    return std::nullopt;
  }
  std::string missing;
  const auto gpu = target_gpu(options, input, missing);
  auto answer = rehearsed_answer(options.job, options.rehearsal, input.request, gpu ? *gpu : std::nullopt);
  if (!answer) {
    note = "not rehearsed: " + answer.error().message;
    return std::nullopt;
  }
  if (!gpu || !*gpu) answer->notes.push_back(missing + " to say whether it fits");
  return *std::move(answer);
}

}  // namespace

int estimate(const Options& options) {
  if (options.apply.best && options.apply.configs.empty())
    return usage_error(usage("--apply needs the file to change: --config FILE"));
  if (options.apply.best && options.json) return usage_error(usage("--apply and --json exclude each other"));
  const auto input = estimate_input({options.apply.configs, options.job, options.estimate});
  if (!input) return usage_error(input.error());
  std::string not_rehearsed;
  if (const auto rehearsed = from_rehearsal(options, *input, not_rehearsed))
    return print(options.json ? estimate_json(*rehearsed) : estimate_text(*rehearsed));
  // Checks the request before asking a driver, so an error does not have to wait for one.
  const auto described = gputop::estimate(input->request, input->file.stages, input->tables.models, std::nullopt);
  if (!described) {
    if (!not_rehearsed.empty()) complain(not_rehearsed);
    return usage_error(described.error());
  }
  std::string missing;
  const auto gpu = target_gpu(options, *input, missing);
  if (!gpu) return usage_error(gpu.error());
  if (!*gpu && !input->request.batch) return usage_error({Error::Kind::kInvalid, missing});
  auto answer = gputop::estimate(input->request, input->file.stages, input->tables.models, *gpu);
  if (!answer) return usage_error(answer.error());
  if (!*gpu) answer->notes.push_back(missing + " to search for a batch");
  if (!not_rehearsed.empty()) answer->notes.push_back(not_rehearsed);
  const int code = print(options.json ? estimate_json(*answer) : estimate_text(*answer));
  return code == 0 && options.apply.best ? write_first_step(options, *input, *answer) : code;
}

}  // namespace gputop::cli
