#include "gputop/patch/journal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>

#include "gputop/config/environment.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/knobs/document.hpp"

namespace gputop::patch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestJournal = 4U * 1024U * 1024U;
constexpr std::size_t kMostEntries = 500;
constexpr std::string_view kHex = "0123456789abcdef";

// A word without tabs and line ends, however a file is called.
std::string coded(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && c != '%') {
      word += c;
    } else {
      word += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
  }
  return word;
}

std::string decoded(std::string_view word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto high = word[i] == '%' && i + 2 < word.size() ? kHex.find(word[i + 1]) : std::string_view::npos;
    const auto low = high != std::string_view::npos ? kHex.find(word[i + 2]) : std::string_view::npos;
    if (low == std::string_view::npos) {
      text += word[i];
    } else {
      text += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return text;
}

std::vector<std::string> words_of_line(std::string_view line) {
  std::vector<std::string> words;
  while (true) {
    const auto tab = line.find('\t');
    words.push_back(decoded(line.substr(0, tab)));
    if (tab == std::string_view::npos) return words;
    line.remove_prefix(tab + 1);
  }
}

// time, number of changes, the changes, then path, backup and sum of each file.
std::optional<JournalEntry> entry_of(std::string_view line) {
  const auto words = words_of_line(line);
  std::size_t count = 0;
  if (words.size() < 2) return std::nullopt;
  std::from_chars(words[1].data(), words[1].data() + words[1].size(), count);
  if (words.size() < 2 + count || (words.size() - 2 - count) % 3 != 0 || words.size() == 2 + count) return std::nullopt;
  JournalEntry entry{.when = words[0], .changes = {}, .files = {}};
  entry.changes.assign(words.begin() + 2, words.begin() + 2 + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 2 + count; i + 2 < words.size(); i += 3) {
    JournalFile file{words[i], words[i + 1]};
    std::from_chars(words[i + 2].data(), words[i + 2].data() + words[i + 2].size(), file.written);
    entry.files.push_back(std::move(file));
  }
  return entry;
}

std::string line_of(const JournalEntry& entry) {
  std::string line = coded(entry.when) + "\t" + std::to_string(entry.changes.size());
  for (const auto& change : entry.changes) line += "\t" + coded(change);
  for (const auto& file : entry.files) {
    line += "\t" + coded(file.path.string()) + "\t" + coded(file.backup.string()) + "\t" + std::to_string(file.written);
  }
  return line + "\n";
}

Status write_journal(const fs::path& journal, const std::vector<JournalEntry>& entries) {
  std::string text;
  const std::size_t first = entries.size() > kMostEntries ? entries.size() - kMostEntries : 0;
  for (std::size_t i = first; i < entries.size(); ++i) text += line_of(entries[i]);
  return replace_text_file(journal, text);
}

std::string now_in_words() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  if (::localtime_r(&now, &parts) == nullptr) return "?";
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts)};
}

std::vector<JournalFile> journal_files(const AppliedChange& applied) {
  std::vector<JournalFile> files;
  for (const auto& file : applied.files) {
    std::error_code problem;
    files.push_back({std::filesystem::absolute(file.path, problem), std::filesystem::absolute(file.backup, problem),
                     sum_of(file.after)});
  }
  return files;
}

}  // namespace

// FNV-1a.
std::uint64_t sum_of(std::string_view text) {
  std::uint64_t sum = 14695981039346656037ULL;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return sum;
}

std::vector<JournalEntry> read_journal(const fs::path& journal) {
  std::vector<JournalEntry> entries;
  const auto text = read_text_file(journal, kLargestJournal);
  std::string_view rest = text ? std::string_view{*text} : std::string_view{};
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    if (auto entry = entry_of(rest.substr(0, end))) entries.push_back(*std::move(entry));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return entries;
}

Status append_journal(const fs::path& journal, const JournalEntry& entry) {
  auto entries = read_journal(journal);
  entries.push_back(entry);
  return write_journal(journal, entries);
}

Status forget_journal_entry(const fs::path& journal, std::size_t index) {
  auto entries = read_journal(journal);
  if (index < entries.size()) entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(index));
  return write_journal(journal, entries);
}

fs::path journal_path() {
  const auto environment = process_environment();
  if (const auto state = environment("XDG_STATE_HOME"); state && state->starts_with('/')) return *state + "/gputop/changes";
  if (const auto home = environment("HOME"); home && home->starts_with('/')) return *home + "/.local/state/gputop/changes";
  return {};
}

Status remember_change(const fs::path& journal, const AppliedChange& applied) {
  if (applied.files.empty() || journal.empty()) return success();
  JournalEntry entry{.when = now_in_words(), .changes = {}, .files = journal_files(applied)};
  for (const auto& change : applied.change.changes) {
    entry.changes.push_back(change.knob + " " + knobs::to_text(change.from) + " → " + knobs::to_text(change.to));
  }
  return append_journal(journal, entry);
}

void forget_change(const fs::path& journal, const AppliedChange& applied) {
  if (applied.files.empty() || journal.empty()) return;
  const auto files = journal_files(applied);
  const auto same = [](const JournalFile& a, const JournalFile& b) { return a.path == b.path && a.written == b.written; };
  const auto entries = read_journal(journal);
  for (std::size_t i = entries.size(); i > 0; --i) {
    const auto& known = entries[i - 1].files;
    if (!std::equal(known.begin(), known.end(), files.begin(), files.end(), same)) continue;
    (void)forget_journal_entry(journal, i - 1);
    return;
  }
}

Status take_back(const JournalEntry& entry, const Consent& consent) {
  std::vector<PatchedFile> files;
  for (const auto& file : entry.files) {
    auto now = read_text_file(file.path, knobs::kLargestDocument);
    if (!now) return now.error();
    auto before = read_text_file(file.backup, knobs::kLargestDocument);
    if (!before) return before.error();
    if (sum_of(*now) != file.written) {
      return Error{Error::Kind::kMismatch, file.path.string() + " was edited since; what it was before is in " +
                                               file.backup.string() + ": put it back by hand"};
    }
    files.push_back({file.path, *std::move(before), *std::move(now), file.backup});
  }
  return unpatch_files(files, consent);
}

}  // namespace gputop::patch
