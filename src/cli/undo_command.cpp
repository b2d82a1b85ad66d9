// gputop undo: lists or reverts what apply wrote.
#include <algorithm>
#include <cstdio>

#include "cli/commands.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/core/format.hpp"
#include "gputop/knobs/document.hpp"
#include "gputop/patch/journal.hpp"

namespace gputop::cli {
namespace {

std::string state_of(const patch::JournalFile& file) {
  const auto now = read_text_file(file.path, knobs::kLargestDocument);
  if (!now) return "gone";
  return patch::sum_of(*now) == file.written ? "as written" : "edited since";
}

std::string text_of(std::size_t number, const patch::JournalEntry& entry) {
  std::string text = std::to_string(number) + "  " + printable(entry.when);
  for (const auto& change : entry.changes) text += "  " + printable(change);
  text += "\n";
  for (const auto& file : entry.files) text += "     " + printable(file.path.string()) + " (" + state_of(file) + ")\n";
  return text;
}

}  // namespace

int undo(const Options& options) {
  const auto journal = patch::journal_path();
  const auto entries = patch::read_journal(journal);
  if (entries.empty()) {
    complain("nothing to revert: gputop has changed no files");
    return 1;
  }
  // The newest is number 1.
  std::string list;
  for (std::size_t i = 0; i < entries.size(); ++i) list += text_of(i + 1, entries[entries.size() - 1 - i]);
  if (options.apply.list_only) return print(list);
  const std::size_t number = std::max<std::size_t>(1, options.apply.number);
  if (number > entries.size()) {
    complain("there are only " + std::to_string(entries.size()) + " changes (gputop undo --list)");
    return 1;
  }
  const std::size_t index = entries.size() - number;
  if (const int failed = print(text_of(number, entries[index])); failed != 0) return failed;
  if (options.apply.dry_run) return 0;
  if (!options.apply.yes) {
    if (!can_ask()) {
      complain("nothing was reverted: pass --yes to skip the question, --list to see all");
      return 1;
    }
    if (!ask("Revert this?")) return 1;
  }
  const patch::Consent consent{.links = options.apply.follow_links, .foreign = options.apply.foreign};
  if (const auto done = patch::take_back(entries[index], consent); !done) {
    complain(done.error().message);
    return 1;
  }
  for (const auto& file : entries[index].files) std::fprintf(stderr, "%s is as it was\n", file.path.c_str());
  (void)patch::forget_journal_entry(journal, index);
  return 0;
}

}  // namespace gputop::cli
