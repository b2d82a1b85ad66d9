// Reads what the lens recorded of a rehearsal.
#include <charconv>
#include <optional>

#include "gputop/core/scan.hpp"
#include "gputop/estimator/rehearsal.hpp"

namespace gputop {
namespace {

constexpr std::array<std::string_view, kRehearsalPhases> kPhaseNames = {"model", "forward", "backward", "optimizer", "validation"};
constexpr std::array<std::string_view, kStorageKinds> kKindNames = {"parameters", "gradients", "optimizer", "activations",
                                                                "batch",      "temporary", "workspace"};
constexpr std::uint64_t kMostStorages = 1U << 26U;

template <class Names>
std::optional<std::size_t> index_of(const Names& names, std::string_view word) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == word) return i;
  return std::nullopt;
}

std::string_view next_word(std::string_view& text) {
  const auto word = slice(text, 0, text.find(' '));
  skip_front(text, word.size() + 1);
  return word;
}

std::optional<std::uint64_t> next_number(std::string_view& text) {
  const auto word = next_word(text);
  std::uint64_t number = 0;
  const auto end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, number);
  return read.ec == std::errc{} && read.ptr == end ? std::optional{number} : std::nullopt;
}

class Reader {
 public:
  // False: the line is invalid.
  bool line(std::string_view text) {
    const char what = first_char(text);
    skip_front(text, 2);
    switch (what) {
      case 'a': return allocation(text);
      case 'f': return freed(text);
      case 'k': return kind(text);
      case 'w': return scratch(text);
      case 'e': return step(text);
      case 'p': return phase(text);
      case 's': return site(text);
      case 'o': return operation(text);
      case 'i':
        if (const auto name = next_word(text); !name.empty()) trace.facts.insert_or_assign(std::string{name}, std::string{text});
        return true;
      case 'n': trace.assumptions.emplace_back(text); return true;
      default: return false;
    }
  }
  RehearsalTrace trace;

 private:
  bool allocation(std::string_view text) {
    const auto number = next_number(text);
    const auto bytes = next_number(text);
    const auto at = next_number(text);
    // Numbers are consecutive: a gap means a lost line.
    if (!number || !bytes || !at || *number != trace.kinds.size() || *number >= kMostStorages || *at >= trace.sites.size())
      return false;
    const bool forward = phase_ == RehearsalPhase::kForward || phase_ == RehearsalPhase::kValidation;
    trace.kinds.push_back(forward ? StorageKind::kActivations : StorageKind::kTemporary);
    live_.push_back(true);
    trace.events.push_back({RehearsalEvent::Kind::kAllocate, phase_, static_cast<std::uint32_t>(*at), *number, *bytes});
    return true;
  }
  bool freed(std::string_view text) {
    const auto number = next_number(text);
    if (!number || *number >= live_.size() || !live_[*number]) return false;
    live_[*number] = false;
    trace.events.push_back({RehearsalEvent::Kind::kFree, phase_, 0, *number, 0});
    return true;
  }
  bool kind(std::string_view text) {
    const auto number = next_number(text);
    const auto found = index_of(kKindNames, text);
    if (!number || *number >= trace.kinds.size() || !found) return false;
    trace.kinds[*number] = static_cast<StorageKind>(*found);
    return true;
  }
  bool scratch(std::string_view text) {
    const auto bytes = next_number(text);
    if (bytes) trace.events.push_back({RehearsalEvent::Kind::kScratch, phase_, 0, 0, *bytes});
    return bytes.has_value();
  }
  bool step(std::string_view text) {
    const auto number = next_number(text);
    if (number) trace.events.push_back({RehearsalEvent::Kind::kStep, phase_, 0, *number, 0});
    return number.has_value();
  }
  bool phase(std::string_view text) {
    const auto found = index_of(kPhaseNames, text);
    if (found) phase_ = static_cast<RehearsalPhase>(*found);
    return found.has_value();
  }
  bool site(std::string_view text) {
    const auto number = next_number(text);
    if (!number || *number != trace.sites.size()) return false;
    trace.sites.emplace_back(text);
    return true;
  }
  bool operation(std::string_view text) {
    const auto count = next_number(text);
    const auto flops = next_number(text);
    const auto bytes = next_number(text);
    if (!count || !flops || !bytes) return false;
    const auto what = next_word(text);
    const auto dtype = next_word(text);
    trace.operations.push_back({*count, static_cast<double>(*flops), static_cast<double>(*bytes), std::string{what},
                                std::string{dtype}, std::string{text}});
    return true;
  }

  RehearsalPhase phase_ = RehearsalPhase::kModel;
  std::vector<bool> live_;
};

}  // namespace

std::string_view to_string(RehearsalPhase phase) {
  return kPhaseNames.at(static_cast<std::size_t>(phase));
}

std::string_view to_string(StorageKind kind) {
  return kKindNames.at(static_cast<std::size_t>(kind));
}

std::string RehearsalTrace::fact(std::string_view name) const {
  const auto found = facts.find(name);
  return found == facts.end() ? std::string{} : found->second;
}

Result<RehearsalTrace> read_rehearsal(std::string_view text) {
  Reader reader;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const auto end = text.find('\n');
    const auto line = slice(text, 0, end);
    skip_front(text, line.size() + 1);
    if (line.empty()) continue;
    if (end == std::string_view::npos || !reader.line(line)) {
      return Error{Error::Kind::kCorrupt, "the rehearsal's line " + std::to_string(number) + " makes no sense"};
    }
  }
  return std::move(reader.trace);
}

}  // namespace gputop
