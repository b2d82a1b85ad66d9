// gputop estimate: the memory of a training configuration and the largest batch that fits.
#include "cli/commands.hpp"
#include "gputop/base/destination.hpp"
#include "gputop/rehearsal/answer.hpp"
#include "gputop/rehearsal/estimate_input.hpp"
#include "gputop/report/estimate.hpp"
#include "gputop/report/recorded_estimate.hpp"
#include "gputop/stream/recorded_input.hpp"
#include "gputop/viewer/preferences.hpp"

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

// Which cards the answer is compared on: those of --gpu, or the one that it is for.
struct Cards {
  std::vector<GpuCard> list;
  CardPrices prices;
  bool several = false;
};

Result<Cards> cards_of(const EstimateInput& input) {
  auto list = compared_cards(input);
  if (!list) return list.error();
  Cards cards{.list = *std::move(list)};
  cards.several = !cards.list.empty();
  if (input.request.price) {
    auto prices = load_prices(*input.request.price, input.tables.gpus);
    if (!prices) return prices.error();
    cards.prices = *std::move(prices);
  }
  return cards;
}

CardComparison compared(const Estimate& answer, const EstimateInput& input, Cards cards) {
  if (!cards.several && answer.gpu) {
    if (const auto card = find_gpu(input.tables.gpus, answer.gpu->name)) cards.list = {*card};
  }
  auto comparison = compare_cards(answer, input.request, cards.list, cards.prices);
  comparison.several = cards.several;
  return comparison;
}

int show(const Options& options, const EstimateInput& input, const Estimate& answer, const Cards& cards) {
  const auto comparison = compared(answer, input, cards);
  if (!options.page.empty()) {
    auto page = Destination::open(options.page);
    if (!page) return failed(page.error());
    const bool written = page->write(estimate_html(answer, comparison)) != WriteResult::kFailed;
    if (const int closed = page->close(); closed != 0 || !written) return 1;
  }
  return print(options.json ? estimate_json(answer, comparison) : estimate_text(answer, comparison));
}

// The answer from running the command without a GPU; nullopt, with the reason in `note`, if only its files can be used.
std::optional<Estimate> from_rehearsal(const Options& options, const EstimateInput& input, bool several, std::string& note) {
  if (options.job.empty() || options.rehearsal.off || options.apply.best) return std::nullopt;
  if (const auto why = why_no_rehearsal(options.job); !why.empty()) {
    note = "not rehearsed: " + why;
    return std::nullopt;
  }
  std::string missing;
  std::optional<TargetGpu> gpu;
  if (!several) {
    if (auto found = target_gpu(options, input, missing)) gpu = *std::move(found);
  }
  auto wanted = options.rehearsal;
  if (wanted.profile) {
    const auto here = gpu_of_this_machine(options, input);
    wanted.profile = here.has_value();
    if (here) gpu = here;  // only that one can be measured
  }
  auto answer = rehearsed_answer(options.job, wanted, input.request, gpu);
  if (!answer) {
    note = "not rehearsed: " + answer.error().message;
    return std::nullopt;
  }
  if (wanted.profile != options.rehearsal.profile) answer->notes.push_back("no GPU here to measure on: the command was rehearsed instead");
  if (!gpu && !several) answer->notes.push_back(missing + " to say whether it fits");
  return *std::move(answer);
}

int estimate_recording(const Options& options, const EstimateInput& input, const Cards& cards) {
  const auto findings = read_findings(options.recording, {}, load_preferences(options).advisor);
  if (!findings) return failed(findings.error());
  std::string missing;
  auto gpu = recorded_gpu(*findings);
  if (input.request.gpu || input.request.gpu_memory || !gpu) {
    auto found = target_gpu(options, input, missing);
    if (!found) return usage_error(found.error());
    gpu = *std::move(found);
  }
  const auto answer = recorded_answer(*findings, input.request, cards.several ? std::nullopt : gpu);
  if (!answer) return failed(answer.error());
  return show(options, input, *answer, cards);
}

}  // namespace

int estimate(const Options& options) {
  if (options.apply.best && options.apply.configs.empty())
    return usage_error(usage("--apply needs the file to change: --config FILE"));
  if (options.apply.best && options.json) return usage_error(usage("--apply and --json exclude each other"));
  const auto input = estimate_input({options.apply.configs, options.job, options.estimate});
  if (!input) return usage_error(input.error());
  const auto cards = cards_of(*input);
  if (!cards) return usage_error(cards.error());
  if (cards->several && options.apply.best) return usage_error(usage("--apply needs one GPU: --gpu \"RTX 3090\""));
  if (!options.recording.empty()) {
    if (!options.job.empty() || !options.apply.configs.empty())
      return usage_error(usage("give a recording, --config FILE or -- CMD, not two of them"));
    return estimate_recording(options, *input, *cards);
  }
  std::string not_rehearsed;
  if (const auto rehearsed = from_rehearsal(options, *input, cards->several, not_rehearsed))
    return show(options, *input, *rehearsed, *cards);
  // Checks the request before asking a driver, so an error does not have to wait for one.
  const auto described = gputop::estimate(input->request, input->file.stages, input->tables.models, std::nullopt);
  if (!described) {
    if (!not_rehearsed.empty()) complain(not_rehearsed);
    return usage_error(described.error());
  }
  std::string missing;
  const auto gpu = cards->several ? Result<std::optional<TargetGpu>>{std::nullopt} : target_gpu(options, *input, missing);
  if (!gpu) return usage_error(gpu.error());
  if (!*gpu && !cards->several && !input->request.batch) return usage_error({Error::Kind::kInvalid, missing});
  auto answer = gputop::estimate(input->request, input->file.stages, input->tables.models, *gpu);
  if (!answer) return usage_error(answer.error());
  if (!*gpu && !cards->several) answer->notes.push_back(missing + " to search for a batch");
  if (!not_rehearsed.empty()) answer->notes.push_back(not_rehearsed);
  const int code = show(options, *input, *answer, *cards);
  return code == 0 && options.apply.best ? write_first_step(options, *input, *answer) : code;
}

}  // namespace gputop::cli
