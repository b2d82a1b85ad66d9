#include "gputop/knobs/project_file.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/knobs/document.hpp"

namespace gputop::knobs {
namespace {

constexpr std::string_view kFresh =
    "# Where gputop finds this project's settings. Written when you said so (gputop apply --remember); edit it as you "
    "like.\n"
    "knobs:\n";

std::string quoted(const std::string& place) {
  std::string text = "\"";
  for (const char c : place) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

// Behind the line that says "knobs:"; nullopt when no line does.
std::optional<std::size_t> behind_heading(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const auto end = std::min(text.find('\n', begin), text.size());
    auto line = slice(text, begin, end - begin);
    line = slice(line, 0, line.find(" #"));
    while (!line.empty() && (last_char(line) == ' ' || last_char(line) == '\r')) skip_back(line, 1);
    if (line == "knobs:") return std::min(end + 1, text.size());
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> remembered_places(std::string_view text) {
  const auto document = read_document(Format::kYaml, text);
  if (!document) return document.error();
  std::vector<std::pair<std::string, std::string>> places;
  for (const auto& entry : document->entries) {
    const auto* place = std::get_if<std::string>(&entry.value);
    if (entry.path.size() == 2 && entry.path[0] == "knobs" && place != nullptr)
      places.emplace_back(entry.path[1], *place);
  }
  return places;
}

Result<std::string> remember_place(std::string_view text, const std::string& knob, const std::string& place) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  if (std::any_of(place.begin(), place.end(), is_control)) {
    return Error{Error::Kind::kNotSupported,
                 "the place \"" + printable(place) + "\" has control characters in its name"};
  }
  const auto document = read_document(Format::kYaml, text);
  if (!document) return Error{Error::Kind::kCorrupt, std::string{kProjectFile} + ": " + document.error().message};
  std::string edited{text};
  for (const auto& entry : document->entries) {
    if (entry.path != std::vector<std::string>{"knobs", knob}) continue;
    if (!entry.fixed.empty()) return Error{Error::Kind::kNotSupported, std::string{kProjectFile} + ": " + entry.fixed};
    const bool quotes = entry.quoted;  // those around it go, too
    edited.replace(entry.begin - (quotes ? 1 : 0), entry.end - entry.begin + (quotes ? 2 : 0), quoted(place));
    return edited;
  }
  const auto other_form = Error{Error::Kind::kNotSupported,
                                std::string{kProjectFile} + " is written in a form that cannot be added to; put \"" +
                                    knob + ": " + quoted(place) + "\" under knobs: by hand"};
  const bool has_knobs = std::any_of(document->entries.begin(), document->entries.end(), [](const Entry& entry) {
    return !entry.path.empty() && entry.path[0] == "knobs";
  });
  if (has_knobs && !behind_heading(edited)) return other_form;
  if (edited.empty()) edited = kFresh;
  const std::string line = "  " + knob + ": " + quoted(place) + "\n";
  if (const auto at = behind_heading(edited)) {
    if (char_at(edited, *at - 1) != '\n') edited += '\n';
    edited.insert(std::min(*at, edited.size()), line);
  } else {
    if (last_char(edited) != '\n') edited += '\n';
    edited += "knobs:\n" + line;
  }
  const auto again = remembered_places(edited);
  const bool good = again && std::find(again->begin(), again->end(), std::pair{knob, place}) != again->end();
  if (good) return edited;
  return other_form;
}

}  // namespace gputop::knobs
