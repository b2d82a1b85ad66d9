// The change as text: see change_set.hpp.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/knobs/change_set.hpp"
#include "knobs/paths.hpp"

namespace gputop::knobs {
namespace {

constexpr std::size_t kContext = 3;

// Lines without their ends; a last line without one is marked as diff does it.
struct Lines {
  explicit Lines(std::string_view text) : all(split(text, '\n')) {
    ends_well = all.back().empty();
    if (ends_well) all.pop_back();
  }
  std::vector<std::string> all;
  bool ends_well = true;
};

void add_line(std::string& diff, char sign, const Lines& lines, std::size_t index) {
  std::string_view line = lines.all[index];
  if (line.ends_with('\r')) skip_back(line, 1);  // both sides have it
  std::string text;
  std::size_t begin = 0;
  for (std::size_t tab = line.find('\t'); tab != line.npos; tab = line.find('\t', begin)) {
    text += printable(slice(line, begin, tab - begin)) + '\t';
    begin = tab + 1;
  }
  diff += sign + text + printable(slice(line, begin)) + '\n';
  if (index + 1 == lines.all.size() && !lines.ends_well) diff += "\\ No newline at end of file\n";
}

// Values never span lines, so that line N of one text is line N of the other.
void file_diff(const FileChange& file, std::string& diff) {
  const Lines before{file.before};
  const Lines after{file.after};
  diff += "--- " + printable(file.path) + "\n+++ " + printable(file.path) + "\n";
  const std::size_t count = std::min(before.all.size(), after.all.size());
  std::size_t at = 0;
  const auto next_change = [&](std::size_t from) {
    while (from < count && before.all[from] == after.all[from]) ++from;
    return from;
  };
  for (std::size_t change = next_change(at); change < count; change = next_change(at)) {
    const std::size_t begin = change > kContext ? change - kContext : 0;
    std::size_t end = change + 1;
    for (std::size_t next = next_change(end); next < count && next - end <= 2 * kContext; next = next_change(end))
      end = next + 1;
    end = std::min(end + kContext, count);
    const std::string range = std::to_string(begin + 1) + "," + std::to_string(end - begin);
    diff += "@@ -" + range + " +" + range + " @@\n";
    for (std::size_t i = begin; i < end;) {
      if (before.all[i] == after.all[i]) {
        add_line(diff, ' ', before, i++);
        continue;
      }
      std::size_t stop = i;
      while (stop < end && before.all[stop] != after.all[stop]) ++stop;
      for (std::size_t k = i; k < stop; ++k) add_line(diff, '-', before, k);
      for (std::size_t k = i; k < stop; ++k) add_line(diff, '+', after, k);
      i = stop;
    }
    at = end;
  }
}

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view{"_-./=:,+@%"}.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string{"'\\''"} : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string command_text(const std::vector<std::string>& argv, const std::vector<VariableChange>& environment) {
  std::string text;
  for (const auto& variable : environment) {
    if (variable.after) text += variable.name + "=" + shell_word(*variable.after) + " ";
  }
  for (std::size_t i = 0; i < argv.size(); ++i) text += (i == 0 ? "" : " ") + shell_word(argv[i]);
  return text;
}

std::string diff_text(const ChangeSet& change) {
  std::string diff;
  for (const auto& file : change.files) {
    if (file.before != file.after) file_diff(file, diff);
  }
  if (change.argv_before != change.argv_after) {
    diff += "--- command line\n+++ command line\n-" + printable(command_text(change.argv_before)) + "\n+" +
            printable(command_text(change.argv_after)) + "\n";
  }
  for (const auto& variable : change.environment) {
    diff += "--- environment\n+++ environment\n";
    if (variable.before) diff += "-" + variable.name + "=" + printable(*variable.before) + "\n";
    if (variable.after) diff += "+" + variable.name + "=" + printable(*variable.after) + "\n";
  }
  for (const auto& setting : change.lens) {
    diff += "--- lens\n+++ lens\n+" + setting.knob + "=" + printable(to_text(setting.value)) + "\n";
  }
  return diff;
}

}  // namespace gputop::knobs
