// dcgmi dmon: "#Entity  GPUTL  POWER …", a line of units after it, then "GPU 0  97  301.2 …" for each GPU.
#include <algorithm>
#include <charconv>
#include <string>

#include "gputop/core/scan.hpp"
#include "sources/gpu_log/lines.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/gpu_log/readers.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::gpu_log {
namespace {

struct DcgmColumn {
  std::string_view name;    // dmon's abbreviation
  std::string_view column;  // of columns.def
  double factor = 1;
};
// If two names fill one value, the first one present wins: GRACT is the share of time that any engine was active.
constexpr DcgmColumn kDcgmColumns[] = {
    {"GPUTL", "utilization_gpu"},    {"GRACT", "utilization_gpu", 100},
    {"MCUTL", "utilization_memory"}, {"POWER", "power_draw"},
    {"POWR", "power_draw"},          {"PWRIN", "power_draw"},
    {"PMLMT", "power_limit"},        {"TMPTR", "temperature_gpu"},
    {"GTEMP", "temperature_gpu"},    {"GPUT", "temperature_gpu"},
    {"SMCLK", "clocks_sm"},          {"MMCLK", "clocks_mem"},
    {"MEMCL", "clocks_mem"},         {"FBUSD", "memory_used"},
    {"FBUSE", "memory_used"},        {"FBTTL", "memory_total"},
    {"FANSP", "fan_speed"},
};

// "GPU 0", "GPU-I 1" (a slice), or just the number. Returns how many words it consumed.
std::size_t entity_words(const std::vector<std::string_view>& words, unsigned& index) {
  const auto number = [&](std::string_view word) {
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), index);
    return parsed.ec == std::errc{} && parsed.ptr == word.data() + word.size() && index < 1024;
  };
  if (words.size() > 2 && words[0] == "GPU" && number(words[1])) return 2;
  return words.size() > 1 && number(words[0]) ? 1 : 0;
}

bool is_dcgm_header(std::string_view line) {
  auto text = trimmed(line);
  if (!text.starts_with('#')) return false;
  text = trimmed(slice(text, 1));
  return text.starts_with("Entity");
}

class DcgmReading {
 public:
  Result<SmiLog> run(std::string_view text, std::string_view file) {
    while (!text.empty()) line(next_line(text));
    rounds_.finish_round();
    if (rounds_.stream().rounds() == 0) {
      return Error{Error::Kind::kInvalid,
                   std::string{file} + ": is of dcgmi dmon, but " +
                       (columns_.empty() ? "holds no line of a GPU below “#Entity …”"
                                         : "gputop reads none of its fields; record -e 203,252,155,150 (utilization, "
                                           "memory, power, temperature)")};
    }
    auto log = rounds_.stream().finish("dcgmi dmon log", "", "");
    if (odd_ > 0)
      log.notes.push_back(std::to_string(odd_) + (odd_ == 1 ? " line" : " lines") +
                          " left out (cut off, or not of this log)");
    return log;
  }

 private:
  void line(std::string_view line) {
    if (is_dcgm_header(line)) return header(line);
    if (const auto time = clock_.read(line)) return rounds_.at(time);
    const auto words = words_of(line);
    unsigned index = 0;
    const auto entity = entity_words(words, index);
    if (entity == 0 || columns_.empty()) return;
    if (words.size() - entity != columns_.size()) {
      ++odd_;
      return;
    }
    LogReading reading;
    bool any = false;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == nullptr) continue;
      any = true;
      auto cell = smi::parse_cell(words[entity + i]);
      if (cell.number) *cell.number *= columns_[i]->factor;
      reading.put(columns_[i]->column, cell);
    }
    if (!any) return;
    reading.gpu.index = index;
    rounds_.add(std::move(reading));
  }

  void header(std::string_view line) {
    auto words = words_of(trimmed(slice(trimmed(line), 1)));
    columns_.clear();
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto* known = std::find_if(std::begin(kDcgmColumns), std::end(kDcgmColumns),
                                       [&](const DcgmColumn& column) { return column.name == words[i]; });
      columns_.push_back(known == std::end(kDcgmColumns) ? nullptr : known);
    }
    for (auto& column : columns_) {
      const bool better = column != nullptr && std::any_of(columns_.begin(), columns_.end(), [&](const auto* other) {
                            return other != nullptr && other < column && other->column == column->column;
                          });
      if (better) column = nullptr;
    }
  }

  Rounds rounds_;
  smi::LineClock clock_;
  std::vector<const DcgmColumn*> columns_;  // nullptr: not read
  std::size_t odd_ = 0;
};

}  // namespace

bool is_dcgm_dmon(std::string_view text) {
  for (auto at = text.find("Entity"); at != std::string_view::npos; at = text.find("Entity", at + 1)) {
    auto begin = at;
    while (begin > 0 && at - begin < 8 && (char_at(text, begin - 1) == ' ' || char_at(text, begin - 1) == '#')) --begin;
    if (is_dcgm_header(slice(text, begin, 32))) return true;
  }
  return false;
}

Result<SmiLog> read_dcgm_dmon(std::string_view text, std::string_view file) {
  return DcgmReading{}.run(text, file);
}

}  // namespace gputop::gpu_log
