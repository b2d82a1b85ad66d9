#include "sources/smi_log/column_words.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::smi {
namespace {

enum class Word {
  kGpu,
  kWork,
  kMemory,
  kUsed,
  kUsage,
  kTotal,
  kFree,
  kPower,
  kLimit,
  kWarmth,
  kClock,
  kCore,
  kFan,
  kNumber,
  kName,
  kTime,
  kFiller
};

struct Known {
  std::string_view text;
  Word word;
};
constexpr Known kWords[] = {
    {"gpu", Word::kGpu},          {"device", Word::kGpu},         {"cuda", Word::kGpu},
    {"nvidia", Word::kGpu},       {"util", Word::kWork},          {"utilization", Word::kWork},
    {"utilisation", Word::kWork}, {"load", Word::kWork},          {"busy", Word::kWork},
    {"memory", Word::kMemory},    {"mem", Word::kMemory},         {"vram", Word::kMemory},
    {"fb", Word::kMemory},        {"framebuffer", Word::kMemory}, {"used", Word::kUsed},
    {"usage", Word::kUsage},      {"use", Word::kUsage},          {"allocated", Word::kUsed},
    {"total", Word::kTotal},      {"capacity", Word::kTotal},     {"size", Word::kTotal},
    {"free", Word::kFree},        {"available", Word::kFree},     {"power", Word::kPower},
    {"pwr", Word::kPower},        {"draw", Word::kFiller},        {"limit", Word::kLimit},
    {"cap", Word::kLimit},        {"temp", Word::kWarmth},        {"temperature", Word::kWarmth},
    {"clock", Word::kClock},      {"clocks", Word::kClock},       {"clk", Word::kClock},
    {"frequency", Word::kClock},  {"freq", Word::kClock},         {"sm", Word::kCore},
    {"core", Word::kCore},        {"graphics", Word::kCore},      {"gr", Word::kCore},
    {"fan", Word::kFan},          {"speed", Word::kFiller},       {"index", Word::kNumber},
    {"idx", Word::kNumber},       {"id", Word::kNumber},          {"number", Word::kNumber},
    {"name", Word::kName},        {"model", Word::kName},         {"time", Word::kTime},
    {"timestamp", Word::kTime},   {"date", Word::kTime},          {"datetime", Word::kTime},
    {"ts", Word::kTime},          {"elapsed", Word::kTime},       {"epoch", Word::kFiller},
    {"unix", Word::kFiller},      {"utc", Word::kFiller},         {"local", Word::kFiller},
    {"iso", Word::kFiller},       {"current", Word::kFiller},     {"now", Word::kFiller},
    {"instant", Word::kFiller},   {"consumption", Word::kFiller}, {"in", Word::kFiller},
    {"of", Word::kFiller},
};

struct Unit {
  std::string_view text;
  std::string_view unit;
};
// Anyone who writes "gb" into a name has divided by 1024 three times.
constexpr Unit kUnits[] = {
    {"mb", "MiB"},       {"mib", "MiB"},       {"gb", "GiB"},    {"gib", "GiB"},   {"kb", "KiB"},    {"kib", "KiB"},
    {"bytes", "B"},      {"byte", "B"},        {"b", "B"},       {"w", "W"},       {"watt", "W"},    {"watts", "W"},
    {"mw", "mW"},        {"milliwatts", "mW"}, {"%", "%"},       {"pct", "%"},     {"percent", "%"}, {"perc", "%"},
    {"percentage", "%"}, {"c", "C"},           {"celsius", "C"}, {"degc", "C"},    {"mhz", "MHz"},   {"s", "s"},
    {"sec", "s"},        {"secs", "s"},        {"second", "s"},  {"seconds", "s"},
};

// Treats "memUsedMB", "GPU Util (%)" and "gpu-util.pct" alike: lower case, split at punctuation and capitals.
std::vector<std::string> words_of(std::string_view header) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (std::size_t i = 0; i < header.size(); ++i) {
    const char c = char_at(header, i);
    const bool capital = c >= 'A' && c <= 'Z';
    const bool after_small = i > 0 && is_lower(char_at(header, i - 1));
    const bool letter = capital || is_lower(c) || is_digit(c);
    if (!letter || (capital && after_small)) finish();
    if (letter)
      word += capital ? static_cast<char>(c - 'A' + 'a') : c;
    else if (c == '%')
      words.emplace_back("%");
    else if (static_cast<unsigned char>(c) >= 0x80 && c != '\xC2' && c != '\xB0')
      words.emplace_back("?");  // except "°C"
  }
  finish();
  return words;
}

class Meaning {
 public:
  // False: it contains an unknown word.
  bool take(const std::string& text) {
    if (const auto* known =
            std::find_if(std::begin(kWords), std::end(kWords), [&](const Known& k) { return k.text == text; });
        known != std::end(kWords)) {
      if (known->word != Word::kFiller) words_.insert(known->word);
      return true;
    }
    const auto* unit =
        std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return u.text == text; });
    if (unit == std::end(kUnits) || (!unit_.empty() && unit_ != unit->unit)) return false;
    unit_ = unit->unit;
    return true;
  }

  [[nodiscard]] std::optional<MeantColumn> column() const {
    const auto only = [&](std::initializer_list<Word> wanted, std::initializer_list<Word> allowed = {}) {
      return std::all_of(wanted.begin(), wanted.end(), [&](Word word) { return words_.contains(word); }) &&
             std::all_of(words_.begin(), words_.end(), [&](Word word) {
               return word == Word::kGpu || std::find(wanted.begin(), wanted.end(), word) != wanted.end() ||
                      std::find(allowed.begin(), allowed.end(), word) != allowed.end();
             });
    };
    const auto in = [&](std::initializer_list<std::string_view> units) {
      return unit_.empty() || std::find(units.begin(), units.end(), unit_) != units.end();
    };
    const auto size = in({"MiB", "GiB", "KiB", "B"});
    const auto share = in({"%"});
    if (only({Word::kMemory, Word::kTotal}) && size) return MeantColumn{"memory_total", unit_};
    if (only({Word::kMemory, Word::kFree}) && size) return MeantColumn{"memory_free", unit_};
    if (only({Word::kMemory, Word::kWork}) && share) return MeantColumn{"utilization_memory", unit_};
    if (only({Word::kMemory}, {Word::kUsed, Word::kUsage}) && size && (words_.contains(Word::kUsed) || !unit_.empty()))
      return MeantColumn{"memory_used", unit_};
    if (only({Word::kPower, Word::kLimit}) && in({"W", "mW"})) return MeantColumn{"power_limit", unit_};
    if (only({Word::kPower}, {Word::kUsed, Word::kUsage}) && in({"W", "mW"})) return MeantColumn{"power_draw", unit_};
    if (only({Word::kWarmth}, {Word::kCore}) && in({"C"})) return MeantColumn{"temperature_gpu", unit_};
    if (only({Word::kFan}) && share) return MeantColumn{"fan_speed", unit_};
    if (only({Word::kClock, Word::kMemory}) && in({"MHz"})) return MeantColumn{"clocks_mem", unit_};
    if (only({Word::kClock}, {Word::kCore}) && in({"MHz"})) return MeantColumn{"clocks_sm", unit_};
    if (only({Word::kWork}, {Word::kCore, Word::kUsage}) && share) return MeantColumn{"utilization_gpu", unit_};
    if (words_.contains(Word::kGpu) && only({}, {Word::kUsage}) && share &&
        (words_.contains(Word::kUsage) || !unit_.empty()))
      return MeantColumn{"utilization_gpu", unit_};
    if ((words_.empty() && unit_ == "s") || (only({Word::kTime}) && !words_.contains(Word::kGpu) && in({"s"})))
      return MeantColumn{"timestamp", {}};
    if (!unit_.empty()) return std::nullopt;
    if (words_.contains(Word::kGpu) && only({}, {Word::kNumber})) return MeantColumn{"index", {}};
    if (words_.contains(Word::kGpu) && only({Word::kName})) return MeantColumn{"name", {}};
    return std::nullopt;
  }

 private:
  std::set<Word> words_;
  std::string_view unit_;
};

}  // namespace

std::optional<MeantColumn> meant_column(std::string_view header) {
  const auto words = words_of(header);
  if (words.empty() || words.size() > 6) return std::nullopt;
  Meaning meaning;
  for (const auto& word : words) {
    if (!meaning.take(word)) return std::nullopt;
  }
  return meaning.column();
}

}  // namespace gputop::smi
