// The change as text: see change_set.hpp.
#include <algorithm>

#include "gputop/core/characters.hpp"
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

struct Hunk {
  std::size_t before = 0;  // first line of each side that differs, and how many do
  std::size_t before_count = 0;
  std::size_t after = 0;
  std::size_t after_count = 0;
};

// Edits are few and small: from one difference on, the nearest lines that are the same again on both sides.
std::vector<Hunk> hunks_of(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  constexpr std::size_t kFarthest = 64;
  std::vector<Hunk> hunks;
  std::size_t a = 0;
  std::size_t b = 0;
  while (a < before.size() || b < after.size()) {
    if (a < before.size() && b < after.size() && before[a] == after[b]) {
      ++a;
      ++b;
      continue;
    }
    Hunk hunk{a, before.size() - a, b, after.size() - b};
    bool met = false;
    for (std::size_t far = 1; far <= kFarthest && !met; ++far) {
      for (std::size_t left = 0; left <= far && !met; ++left) {
        const std::size_t x = a + left;
        const std::size_t y = b + far - left;
        const bool ends = x == before.size() && y == after.size();
        met = ends || (x < before.size() && y < after.size() && before[x] == after[y]);
        if (met) hunk = {a, left, b, far - left};
      }
    }
    a += hunk.before_count;
    b += hunk.after_count;
    hunks.push_back(hunk);
  }
  return hunks;
}

void file_diff(const FileChange& file, std::string& diff) {
  const Lines before{file.before};
  const Lines after{file.after};
  diff += "--- " + printable(file.path) + "\n+++ " + printable(file.path) + "\n";
  const auto hunks = hunks_of(before.all, after.all);
  for (std::size_t i = 0; i < hunks.size();) {
    std::size_t last = i;  // hunks that share their context are one
    const auto end_of = [&](std::size_t k) { return hunks[k].before + hunks[k].before_count; };
    while (last + 1 < hunks.size() && hunks[last + 1].before - end_of(last) <= 2 * kContext) ++last;
    const std::size_t front = std::min(kContext, hunks[i].before);
    const std::size_t begin = hunks[i].before - front;
    const std::size_t end = std::min(end_of(last) + kContext, before.all.size());
    const std::size_t back = end - end_of(last);
    const std::size_t after_begin = hunks[i].after - front;
    const std::size_t after_end = hunks[last].after + hunks[last].after_count + back;
    const auto range = [](std::size_t from, std::size_t to) {
      return std::to_string(to > from ? from + 1 : from) + "," + std::to_string(to - from);
    };
    diff += "@@ -" + range(begin, end) + " +" + range(after_begin, after_end) + " @@\n";
    std::size_t at = begin;
    for (std::size_t k = i; k <= last; ++k) {
      while (at < hunks[k].before) add_line(diff, ' ', before, at++);
      for (std::size_t n = 0; n < hunks[k].before_count; ++n) add_line(diff, '-', before, hunks[k].before + n);
      for (std::size_t n = 0; n < hunks[k].after_count; ++n) add_line(diff, '+', after, hunks[k].after + n);
      at = end_of(k);
    }
    while (at < end) add_line(diff, ' ', before, at++);
    i = last + 1;
  }
}

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return is_alnum(c) ||
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
