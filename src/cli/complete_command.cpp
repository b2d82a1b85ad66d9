// gputop __complete WHAT: words that a shell can offer but only this machine knows, one per line. Called by the
// completions that packaging/cli_docs.py writes. Prints no errors, because they would appear within the line being
// typed.

#include "cli/commands.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/config/estimator_tables.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/config/themes.hpp"
#include "gputop/core/format.hpp"
#include "gputop/doctor/doctor.hpp"
#include "gputop/run/run_dir.hpp"
#include "gputop/stream/input_file.hpp"

namespace gputop::cli {
namespace {

using Words = std::vector<std::string>;

Words runs() {
  Words words;
  for (const auto& run : run::list_runs(run::runtime_roots())) {
    words.push_back(run.record.id);
    words.push_back(printable(run.record.name));
  }
  return words;
}

// The newest first, because that is usually the one meant.
Words recordings() {
  Words words;
  for (auto& file : gputop::recordings()) words.push_back(std::move(file.path));
  return words;
}

Words knob_names() {
  Words words;
  for (const auto& knob : load_knobs(process_environment()).table.knobs) words.push_back(knob.name);
  return words;
}

Words checks() {
  const auto ids = doctor::check_ids();
  return {ids.begin(), ids.end()};
}

Words cards() {
  Words words;
  for (const auto& card : load_estimator_tables(process_environment()).gpus.cards) words.push_back(card.name);
  return words;
}

Words models() {
  Words words;
  for (const auto& model : load_estimator_tables(process_environment()).models.models) words.push_back(model.name);
  return words;
}

Words words_for(std::string_view what) {
  if (what == "runs") return runs();
  if (what == "recordings") return recordings();
  if (what == "themes") return Themes{config_directory(process_environment()) / "themes"}.names();
  if (what == "knobs") return knob_names();
  if (what == "checks") return checks();
  if (what == "cards") return cards();
  if (what == "models") return models();
  return {};
}

}  // namespace

int complete(std::string_view what) {
  std::string text;
  auto words = words_for(what);
  Words seen;
  for (auto& word : words) {
    if (word.empty() || word.find('\n') != std::string::npos || std::find(seen.begin(), seen.end(), word) != seen.end()) continue;
    text += word + "\n";
    seen.push_back(std::move(word));
  }
  return print(text);
}

}  // namespace gputop::cli
