// gputop advise: the advisor over a recording, or over a log of GPUs.
#include "cli/commands.hpp"
#include "cli/preferences.hpp"
#include "gputop/app/gather_facts.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/report/advice.hpp"
#include "gputop/sources/gpu_log.hpp"
#include "gputop/store/recording_reader.hpp"

namespace gputop::cli {
namespace {

constexpr std::size_t kLargestLog = std::size_t{512} << 20U;

// Everything the file holds, in a Model.
Result<Model> read_model(const Options& options) {
  Model model;
  auto reader = RecordingReader::open(options.recording);
  if (reader) {
    while (const auto* event = reader->next()) update(model, *event);
    for (const auto& problem : reader->problems()) complain(problem);
    return model;
  }
  // No such file, not readable, a newer recording: a second opinion would only hide what is wrong.
  if (reader.error().kind != Error::Kind::kInvalid && reader.error().kind != Error::Kind::kCorrupt)
    return reader.error();
  const auto text = read_text_file(options.recording, kLargestLog);
  if (!text) return text.error();
  const auto plain = plain_text(*text);
  if (!plain) return Error{reader.error().kind, reader.error().message + "; " + std::string{kLogsThatAreRead}};
  auto log = parse_gpu_log(*plain, options.recording, options.columns);
  if (!log) return log.error();
  for (const auto& note : log->notes) complain(options.recording + ": " + note);
  for (const auto& event : log->events) update(model, event);
  return model;
}

}  // namespace

int advise(const Options& options) {
  const auto preferences = load_preferences(options);
  complain_about(preferences);
  const auto model = read_model(options);
  if (!model) {
    complain(model.error().message);
    return 1;
  }
  // Without a run nothing says where a phase begins: all that is kept counts.
  const auto facts = model->run ? gather_facts(*model) : gather_facts(*model, model->now.time_since_epoch());
  Advisor advisor{preferences.advisor};
  advisor.conclude(facts);
  return print(options.json ? advice_json(advisor.advice(), facts) : advice_text(advisor.advice(), facts));
}

}  // namespace gputop::cli
