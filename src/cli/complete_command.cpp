// gputop __complete WHAT: the words a shell may offer where only this machine knows them, one per line. Asked by the completions
// that packaging/cli_docs.py writes; says nothing of what goes wrong, because that would land in the middle of a line being typed.
#include <algorithm>
#include <filesystem>

#include "cli/commands.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/config/themes.hpp"
#include "gputop/core/format.hpp"
#include "gputop/run/run_dir.hpp"
#include "gputop/store/recording_path.hpp"

namespace gputop::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words runs() {
  Words words;
  for (const auto& run : run::list_runs(run::runtime_roots())) {
    words.push_back(run.record.id);
    words.push_back(printable(run.record.name));
  }
  return words;
}

// Newest first: that is the one meant.
Words recordings() {
  const auto environment = process_environment();
  const auto folder = recordings_folder(environment("XDG_STATE_HOME").value_or(""), environment("HOME").value_or(""));
  if (!folder) return {};
  std::vector<std::pair<fs::file_time_type, std::string>> files;
  std::error_code error;
  for (fs::directory_iterator file{*folder, error}, end; !error && file != end; file.increment(error)) {
    std::error_code ignored;
    if (file->path().extension() == ".gputop") files.emplace_back(file->last_write_time(ignored), file->path().string());
  }
  std::sort(files.rbegin(), files.rend());
  Words words;
  for (auto& [time, path] : files) words.push_back(std::move(path));
  return words;
}

Words knob_names() {
  Words words;
  for (const auto& knob : load_knobs(process_environment()).table.knobs) words.push_back(knob.name);
  return words;
}

Words words_for(std::string_view what) {
  if (what == "runs") return runs();
  if (what == "recordings") return recordings();
  if (what == "themes") return Themes{config_directory(process_environment()) / "themes"}.names();
  if (what == "knobs") return knob_names();
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
