#include "cli/change_journal.hpp"

#include <array>
#include <ctime>

#include "cli/commands.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/patch/journal.hpp"

namespace gputop::cli {
namespace {

std::string now_in_words() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  if (::localtime_r(&now, &parts) == nullptr) return "?";
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts)};
}

}  // namespace

std::filesystem::path change_journal() {
  const auto environment = process_environment();
  if (const auto state = environment("XDG_STATE_HOME"); state && state->starts_with('/')) return *state + "/gputop/changes";
  if (const auto home = environment("HOME"); home && home->starts_with('/')) return *home + "/.local/state/gputop/changes";
  return {};
}

void remember_change(const patch::AppliedChange& applied) {
  const auto journal = change_journal();
  if (applied.files.empty() || journal.empty()) return;
  patch::JournalEntry entry{.when = now_in_words(), .changes = {}, .files = {}};
  for (const auto& change : applied.change.changes) {
    entry.changes.push_back(change.knob + " " + knobs::to_text(change.from) + " → " + knobs::to_text(change.to));
  }
  for (const auto& file : applied.files) {
    std::error_code problem;
    entry.files.push_back({std::filesystem::absolute(file.path, problem), std::filesystem::absolute(file.backup, problem),
                           patch::sum_of(file.after)});
  }
  if (const auto kept = patch::append_journal(journal, entry); !kept) {
    complain("gputop undo will not know of this change: " + kept.error().message);
  }
}

}  // namespace gputop::cli
