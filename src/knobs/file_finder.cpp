#include "knobs/file_finder.hpp"

#include "gputop/core/format.hpp"

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

bool starts_like_a_name(std::string_view text) {
  return !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z') || text[0] == '_');
}

std::set<std::string> all_names(const Document& document) {
  std::set<std::string> names;
  for (const auto& entry : document.entries) {
    for (const auto& part : entry.path) names.insert(simplified(part));
  }
  return names;
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
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const auto what = match(table, entry.path, names);
    if (!what) continue;
    // batch_size=args.batch_size uses the setting, it does not make it.
    const auto raw = text.substr(entry.begin, entry.end - entry.begin);
    const bool expression = content.document.format == Format::kPython && entry.fixed.starts_with("an expression");
    if (expression && starts_like_a_name(raw)) continue;
    Candidate candidate{.knob = what->knob->name,
                        .place = {.kind = Place::Kind::kFile,
                                  .file = file.path,
                                  .key = joined(entry.path),
                                  .line = entry.line,
                                  .entry = i,
                                  .begin = entry.begin,
                                  .end = entry.end},
                        .value = meant(*what, entry.value, ranks),
                        .found = entry.value,
                        .match = *what,
                        .fixed = entry.fixed,
                        .shared = entry.shared,
                        .score = nearness(file.reason),
                        .evidence = {reason_text(file)}};
    const bool nothing = std::holds_alternative<std::monostate>(candidate.value);
    if (candidate.fixed.empty() && !nothing && !check_value(*what->knob, candidate.value)) {
      candidate.fixed = "says \"" + printable(to_text(candidate.found)) + "\", which is decided elsewhere";
    }
    found.push_back(std::move(candidate));
  }
  return found;
}

}  // namespace gputop::knobs
