// gputop estimate -- CMD: CMD is rehearsed at its own batch and at another one, and, where that is of use, changed.
#include "gputop/rehearsal/answer.hpp"

#include <cstdlib>

#include "gputop/config/environment.hpp"
#include "gputop/estimator/rehearsed_estimate.hpp"

namespace gputop {
namespace {

AllocatorOptions allocator_settings() {
  const auto get = process_environment();
  const auto text = get("PYTORCH_ALLOC_CONF").value_or(get("PYTORCH_CUDA_ALLOC_CONF").value_or(""));
  return parse_allocator_options(text);
}

// Twice the batch where the dataset has enough for a few steps of it, else half.
double other_factor(const RehearsalTrace& trace, unsigned steps) {
  const auto number = [&](const char* name) { return std::strtod(trace.fact(name).c_str(), nullptr); };
  const double batch = number("batch");
  const double samples = number("samples");
  if (batch < 1) return 1;
  if (samples == 0 || samples >= 2 * batch * (steps + 1)) return 2;
  return batch >= 2 ? 0.5 : 1;
}

}  // namespace

Result<Estimate> rehearsed_answer(const std::vector<std::string>& job,
                                  const RehearsalOptions& options,
                                  const EstimateRequest& request,
                                  const std::optional<TargetGpu>& gpu) {
  RehearsalWish wish{.job = job, .options = options, .gpu = gpu};
  auto first = rehearse(wish);
  if (!first) return first.error();
  RehearsalInput input{.first = *std::move(first), .options = allocator_settings()};
  wish.batch_factor = other_factor(input.first, options.steps);
  wish.brief = true;
  std::string note;
  if (wish.batch_factor != 1) {
    if (auto other = rehearse(wish)) {
      input.other_batch = *std::move(other);
    } else {
      note = "another batch could not be rehearsed (" + other.error().message + "): its memory growth is less certain";
    }
  }
  wish.batch_factor = 1;
  const auto verdict = rehearsed_estimate(input, request, gpu).rehearsal->verdict;
  const bool tight = verdict == FitVerdict::kDoesNotFit || verdict == FitVerdict::kNotSure;
  if (!options.profile && (options.what_if || tight)) {
    for (const auto* change : {"checkpointing", "bf16", "sgd"}) {
      wish.change = change;
      if (auto changed = rehearse(wish); changed && changed->fact("changed") == change)
        input.changed.emplace_back(change, *std::move(changed));
    }
  }
  auto answer = rehearsed_estimate(input, request, gpu);
  if (!note.empty()) answer.notes.push_back(note);
  return answer;
}

}  // namespace gputop
