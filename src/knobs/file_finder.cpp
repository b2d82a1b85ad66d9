#include "knobs/file_finder.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::knobs {
namespace {

// How near a file is to the command line, as points.
int nearness(WantedFile::Reason reason) {
  switch (reason) {
    case WantedFile::Reason::kCommandLine: return 30;
    case WantedFile::Reason::kIncluded: return 26;
    case WantedFile::Reason::kImported: return 20;
    case WantedFile::Reason::kScript: return 14;
    case WantedFile::Reason::kMentioned: return 12;
  }
  return 0;
}

std::string reason_text(const WantedFile& file) {
  switch (file.reason) {
    case WantedFile::Reason::kCommandLine: return "the command line names " + file.path;
    case WantedFile::Reason::kIncluded: return file.by + " includes " + file.path;
    case WantedFile::Reason::kImported: return file.by + " imports " + file.path;
    case WantedFile::Reason::kScript: return file.path + " is the script";
    case WantedFile::Reason::kMentioned: return file.by + " mentions " + file.path;
  }
  return {};
}

// What the commands of a script say counts as the run's own command line does: above any file.
constexpr int kInCommand = 45;

// --batch-size 8, -b 8, BATCH_SIZE=8, data.batch_size=8 in a shell script.
std::optional<Match> match_word(const KnobTable& table, std::string_view name, const std::set<std::string>& names) {
  name = slice(name, 0, name.find('#'));
  for (const auto& knob : table.knobs) {
    const bool flag = std::find(knob.flags.begin(), knob.flags.end(), name) != knob.flags.end();
    const bool variable = std::find(knob.environment.begin(), knob.environment.end(), name) != knob.environment.end();
    if (flag || variable) return Match{&knob, nullptr};
  }
  skip_front(name, name.find_first_not_of("-+"));
  return match(table, {std::string{name}}, names);
}

bool starts_like_a_name(std::string_view text) {
  return !text.empty() && ((char_at(text, 0) >= 'a' && char_at(text, 0) <= 'z') ||
                           (char_at(text, 0) >= 'A' && char_at(text, 0) <= 'Z') || char_at(text, 0) == '_');
}

// It uses a setting, and does not make it: batch_size=args.batch_size, --batch-size "$BATCH".
bool is_use(const Entry& entry, std::string_view raw, Format format) {
  if (!entry.fixed.starts_with("an expression")) return false;
  return format == Format::kPython ? starts_like_a_name(raw) : format == Format::kShell && raw.starts_with('$');
}

std::set<std::string> all_names(const Document& document) {
  std::set<std::string> names;
  for (const auto& entry : document.entries) {
    for (const auto& part : entry.path) names.insert(simplified(part));
  }
  return names;
}

Candidate candidate_at(const WantedFile& file,
                       const ReadFile& content,
                       const Match& what,
                       std::size_t at,
                       std::uint64_t ranks) {
  const Entry& entry = content.document.entries[at];
  const Format format = content.document.format;
  Candidate candidate{.knob = what.knob->name,
                      .place = {.kind = Place::Kind::kFile,
                                .file = file.path,
                                .key = joined(entry.path),
                                .line = entry.line,
                                .entry = at,
                                .begin = entry.begin,
                                .end = entry.end},
                      .value = what.alias != nullptr ? meant(what, entry.value, ranks) : entry.value,
                      .found = entry.value,
                      .match = what,
                      .fixed = entry.fixed,
                      .shared = entry.shared,
                      .score = format == Format::kShell ? kInCommand : nearness(file.reason),
                      .evidence = {reason_text(file)}};
  const bool nothing = std::holds_alternative<std::monostate>(candidate.value);
  if (candidate.fixed.empty() && !nothing && !check_value(*what.knob, candidate.value)) {
    candidate.fixed = "says \"" + printable(to_text(candidate.found)) + "\", which is decided elsewhere";
  }
  return candidate;
}

// Through a chain of references; itself when it refers to nothing.
std::size_t where_it_stands(const std::vector<Entry>& entries, std::size_t at) {
  constexpr int kLongestChain = 8;
  for (int i = 0; i < kLongestChain && entries[at].stands_at; ++i) at = *entries[at].stands_at;
  return at;
}

// Whatever else refers to the value that `from` refers to, and is not this knob; "" when nothing does.
std::string other_users(const KnobTable& table,
                        const std::vector<Entry>& entries,
                        std::size_t from,
                        const Knob& knob,
                        const std::set<std::string>& names) {
  const std::size_t at = where_it_stands(entries, from);
  std::set<std::size_t> between;  // on the way there
  for (auto step = from; step != at && between.insert(step).second;) step = *entries[step].stands_at;
  std::string users;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == at || between.contains(i) || where_it_stands(entries, i) != at) continue;
    const auto what = match(table, entries[i].path, names);
    if (!what || what->knob != &knob)
      users += (users.empty() ? "is used by " : ", ") + printable(joined(entries[i].path));
  }
  return users;
}

}  // namespace

std::vector<Candidate> find_in_file(const KnobTable& table,
                                    const WantedFile& file,
                                    const ReadFile& content,
                                    std::uint64_t ranks) {
  std::vector<Candidate> found;
  const auto names = all_names(content.document);
  const auto& entries = content.document.entries;
  const std::string_view text = content.text;
  const Format format = content.document.format;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const auto what =
        format == Format::kShell ? match_word(table, entry.path.front(), names) : match(table, entry.path, names);
    if (!what || is_use(entry, slice(text, entry.begin, entry.end - entry.begin), format)) continue;
    const std::size_t at = where_it_stands(entries, i);
    if (at != i) {
      // The value it refers to: on its own when that is known by its name, too, else by way of this one.
      const auto named = match(table, entries[at].path, names);
      if (named && named->knob == what->knob) continue;
      const bool known = std::any_of(found.begin(), found.end(), [&](const Candidate& other) {
        return other.knob == what->knob->name && other.place.entry == at;
      });
      if (known) continue;
    }
    found.push_back(candidate_at(file, content, *what, at, ranks));
    if (at == i) continue;
    found.back().evidence.push_back(joined(entry.path) + " refers to it");
    if (found.back().shared.empty()) found.back().shared = other_users(table, entries, i, *what->knob, names);
  }
  return found;
}

}  // namespace gputop::knobs
