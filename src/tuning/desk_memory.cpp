// Lines of words, the first of which says what the line is about: "value", knob, from, to, … Bytes that are not plain
// ASCII are %XX, so that whatever a command line holds comes back exactly.
#include "gputop/tuning/desk_memory.hpp"

#include <charconv>
#include <span>

#include "gputop/config/text_file.hpp"
#include "gputop/knobs/document.hpp"

namespace gputop {
namespace {

constexpr char kWordEnd = ' ';
constexpr char kRowEnd = '\n';
constexpr std::string_view kHex = "0123456789abcdef";

using Words = std::vector<std::string>;

// FNV-1a: tells a file that was changed from one that was not.
std::uint64_t sum_of(std::string_view text) {
  std::uint64_t sum = 14695981039346656037ULL;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return sum;
}

// What the file says, if it is what it was.
std::optional<std::string> read_again(const std::filesystem::path& path, const std::string& sum) {
  auto text = read_text_file(path, knobs::kLargestDocument);
  return text && std::to_string(sum_of(*text)) == sum ? std::optional{*std::move(text)} : std::nullopt;
}

// No file that is read here says this: one that cannot be taken back is not found to be as it was left.
const std::string kNothing(1, '\0');

template <class Number>
Number number_of(std::string_view text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string word(const std::optional<std::string>& text) {
  return text ? "=" + *text : std::string{};
}
std::optional<std::string> text_of(const std::string& word) {
  return word.empty() ? std::nullopt : std::optional{word.substr(1)};
}

// Its type, then its text.
std::string word(const knobs::Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "b1" : "b0";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return "i" + std::to_string(*whole);
  if (const auto* text = std::get_if<std::string>(&value)) return "s" + *text;
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return "";
  std::array<char, 40> digits{};
  return "d" + std::string{digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), *number).ptr};
}
knobs::Value value_of(const std::string& word) {
  const std::string text = word.empty() ? word : word.substr(1);
  switch (word.empty() ? '\0' : word.front()) {
    case 'b': return text == "1";
    case 'i': return number_of<std::int64_t>(text);
    case 'd': return number_of<double>(text);
    case 's': return text;
    default: return {};
  }
}

class Writer {
 public:
  void row(const char* about, std::span<const std::string> words = {}) {
    text_ += about;
    for (const auto& each : words) {
      text_ += kWordEnd;
      for (const char c : each) put(static_cast<unsigned char>(c));
    }
    text_ += kRowEnd;
  }
  void row(const char* about, const Words& words) { row(about, std::span{words}); }
  void rows(const char* about, const std::vector<Change>& changes) {
    for (const auto& each : changes) row(about, Words{each.knob, each.from, each.to});
  }
  void rows(const char* about, const LensKnobs& knobs) {
    for (const auto& [knob, value] : knobs) row(about, Words{knob, word(value)});
  }
  void made(const NextSettings::Made& made) {
    const auto& change = made.applied.change;
    row("made");
    row("before", change.argv_before);
    row("after", change.argv_after);
    rows("lens_before", made.lens_before);
    for (const auto& each : change.changes) {
      row("value", Words{each.knob, word(each.from), word(each.to), std::to_string(static_cast<int>(each.place.kind)),
                         each.place.file, each.place.key});
    }
    for (const auto& each : change.environment)
      row("environment", Words{each.name, word(each.before), word(each.after)});
    for (const auto& each : change.lens) row("override", Words{each.knob, word(each.value)});
    for (std::size_t i = 0; i < made.applied.files.size(); ++i) {
      const auto& file = made.applied.files[i];
      row("file", Words{i < change.files.size() ? change.files[i].path : file.path.string(), file.path.string(),
                        file.backup.string(), std::to_string(sum_of(file.before)), std::to_string(sum_of(file.after))});
    }
  }
  std::string take() { return std::move(text_); }

 private:
  void put(unsigned char byte) {
    if (byte > ' ' && byte < 0x7f && byte != '%') {
      text_ += static_cast<char>(byte);
    } else {
      text_ += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
  }

  std::string text_;
};

class Reader {
 public:
  // False: not a row that to_text() writes.
  bool take(const Words& row) {
    const auto& about = row.front();
    const auto has = [&](std::string_view name, std::size_t words) { return about == name && row.size() == words + 1; };
    auto& settings = memory.settings;
    if (about == "argv") {
      settings.argv.assign(row.begin() + 1, row.end());
    } else if (has("variable", 2)) {
      settings.variables[row[1]] = text_of(row[2]);
    } else if (has("lens", 2)) {
      settings.lens[row[1]] = value_of(row[2]);
    } else if (has("change", 3)) {
      memory.changes.push_back({row[1], row[2], row[3]});
    } else if (has("awaits_epoch", 0)) {
      memory.awaits_epoch = true;
    } else if (has("offer", 1)) {
      memory.offer = DeskMemory::Offer{.held = row[1] == "held"};
    } else if (has("instead", 3) && memory.offer) {
      memory.offer->instead.push_back({row[1], row[2], row[3]});
    } else if (has("auto", 1)) {
      memory.pilot.emplace().made = number_of<unsigned>(row[1]);
    } else if (has("tried", 1) && memory.pilot) {
      memory.pilot->tried.insert(row[1]);
    } else if (has("made", 0)) {
      settings.made.emplace_back();
    } else {
      return !settings.made.empty() && take_made(row, has, settings.made.back());
    }
    return true;
  }

  DeskMemory memory;

 private:
  static bool take_made(const Words& row, const auto& has, NextSettings::Made& made) {
    auto& change = made.applied.change;
    if (row.front() == "before" || row.front() == "after") {
      (row.front() == "before" ? change.argv_before : change.argv_after).assign(row.begin() + 1, row.end());
    } else if (has("lens_before", 2)) {
      made.lens_before[row[1]] = value_of(row[2]);
    } else if (has("value", 6)) {
      knobs::Place place{
          .kind = static_cast<knobs::Place::Kind>(number_of<int>(row[4])), .file = row[5], .key = row[6]};
      change.changes.push_back({row[1], std::move(place), value_of(row[2]), value_of(row[3])});
    } else if (has("environment", 3)) {
      change.environment.push_back({row[1], text_of(row[2]), text_of(row[3])});
    } else if (has("override", 2)) {
      change.lens.push_back({row[1], value_of(row[2])});
    } else if (has("file", 5)) {
      const auto before = read_again(row[3], row[4]);
      const auto after = read_again(row[2], row[5]);
      const bool whole = before && after;
      change.files.push_back({row[1], whole ? *before : kNothing, whole ? *after : kNothing});
      made.applied.files.push_back({row[2], change.files.back().before, change.files.back().after, row[3]});
    } else {
      return false;
    }
    return true;
  }
};

std::string decoded(std::string_view word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool coded = word[i] == '%' && i + 2 < word.size();
    text += coded ? static_cast<char>(kHex.find(word[i + 1]) * 16 + kHex.find(word[i + 2])) : word[i];
    if (coded) i += 2;
  }
  return text;
}

Words split(std::string_view text) {
  Words words;
  for (;;) {
    const auto end = text.find(kWordEnd);
    words.push_back(decoded(text.substr(0, end)));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string to_text(const DeskMemory& memory) {
  Writer writer;
  writer.row("argv", memory.settings.argv);
  for (const auto& [name, value] : memory.settings.variables) writer.row("variable", Words{name, word(value)});
  writer.rows("lens", memory.settings.lens);
  for (const auto& made : memory.settings.made) writer.made(made);
  writer.rows("change", memory.changes);
  if (memory.awaits_epoch) writer.row("awaits_epoch");
  if (memory.offer) {
    writer.row("offer", Words{memory.offer->held ? "held" : "running"});
    writer.rows("instead", memory.offer->instead);
  }
  if (memory.pilot) {
    writer.row("auto", Words{std::to_string(memory.pilot->made)});
    for (const auto& tried : memory.pilot->tried) writer.row("tried", Words{tried});
  }
  return writer.take();
}

std::optional<DeskMemory> read_desk_memory(std::string_view text) {
  if (!text.starts_with("argv")) return std::nullopt;
  Reader reader;
  while (!text.empty()) {
    const auto end = text.find(kRowEnd);
    if (end == std::string_view::npos || !reader.take(split(text.substr(0, end)))) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  return std::move(reader.memory);
}

}  // namespace gputop
