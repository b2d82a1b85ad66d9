// A line through its prefixes and the formats of formats.def.
#include <algorithm>
#include <array>

#include "gputop/core/scan.hpp"
#include "gputop/logs/progress.hpp"
#include "logs/format.hpp"
#include "logs/meaning.hpp"
#include "logs/piece_set.hpp"
#include "logs/prefix.hpp"
#include "logs/text.hpp"

namespace gputop {
namespace {

constexpr std::size_t kLongestHead = 4096;  // what a logger has to say stands within it
constexpr std::size_t kShortestLine = 6;

// A piece of every word that makes a line progress; bars are known by "%|" and "/s", too.
constexpr logs::PieceSet kPieces{
    std::array<std::string_view, 37>{"_lr_", "prog", "lr: ", "lr:0", "_tim", "step", "iter", "poch", "loss",
                                     "batc", "upda", "/sec", "s/it", "/ste", "eta:", "eta=",
                                     "thro", "spee", "toke", "samp", "exam", "tps:", "tps=",
                                     "fps ", "fps:", "fps=", "ips:", "sps:", "sps=", "sec/",
                                     "rate", "para", "runn", "lear", "cost", "per ", "\xE2\x94\x81\xE2"}};

bool may_be_progress(std::string_view line) {
  return kPieces.any_in(line) || logs::contains(line, "%|") || logs::contains(line, "/s") ||
         logs::contains(line, "% [") || logs::contains(line, "]\t") || logs::contains(line, "it: ") ||
         logs::contains(line, "]   ") || (last_char(line) == ']' && logs::is_digit(char_at(line, line.size() - 2)));
}

struct Format {
  std::string_view name;
  std::optional<Progress> (*read)(std::string_view);
};
constexpr Format kFormats[] = {
#define FORMAT(name) {#name, &logs::formats::name},
#include "logs/formats.def"
#undef FORMAT
};

}  // namespace

std::string_view to_string(Phase phase) {
  switch (phase) {
    case Phase::kUnknown: return "unknown";
    case Phase::kTraining: return "training";
    case Phase::kValidation: return "validation";
    case Phase::kOther: return "other";
  }
  return "unknown";
}

std::optional<Progress> read_progress(std::string_view line, ReaderSwitches* readers) {
  line = slice(line, 0, kLongestHead);
  if (line.size() < kShortestLine) return std::nullopt;
  if (!may_be_progress(line)) return std::nullopt;
  if (line.starts_with("wandb: ")) return std::nullopt;  // its summary, once all is over
  const auto split = [&] { return logs::without_prefix(line); };
  const auto prefixed = readers != nullptr ? readers->run("prefixes", split) : split();
  for (const auto& format : kFormats) {
    const auto read = [&] { return format.read(prefixed.text); };
    auto progress = readers != nullptr ? readers->run(format.name, read) : read();
    if (!progress) continue;
    progress->format = format.name;
    progress->rank = prefixed.rank;
    logs::complete(*progress);
    return progress;
  }
  return std::nullopt;
}

}  // namespace gputop
