// allocator — PYTORCH_ALLOC_CONF: a text that PyTorch cannot parse, a conflict, or a setting without effect.
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

#include "doctor/checks.hpp"
#include "gputop/core/closest_word.hpp"

namespace gputop::doctor::checks {
namespace {

enum class Kind { kSwitch, kNumber, kMegabytes, kShare, kDivisions, kBackend };

struct Option {
  std::string_view name;
  Kind kind;
};

// Those of PyTorch 2.0 to 2.15.
constexpr std::array kOptions{
    Option{"backend", Kind::kBackend},
    Option{"expandable_segments", Kind::kSwitch},
    Option{"garbage_collection_threshold", Kind::kShare},
    Option{"graph_capture_record_stream_reuse", Kind::kSwitch},
    Option{"large_segment_size_mb", Kind::kNumber},
    Option{"max_non_split_rounding_mb", Kind::kMegabytes},
    Option{"max_split_size_mb", Kind::kMegabytes},
    Option{"per_process_memory_fraction", Kind::kNumber},
    Option{"pinned_num_register_threads", Kind::kNumber},
    Option{"pinned_reserve_segment_size_mb", Kind::kNumber},
    Option{"pinned_use_background_threads", Kind::kSwitch},
    Option{"pinned_use_cuda_host_register", Kind::kSwitch},
    Option{"pinned_use_hip_host_register", Kind::kSwitch},
    Option{"release_lock_on_cudamalloc", Kind::kSwitch},
    Option{"release_lock_on_hipmalloc", Kind::kSwitch},
    Option{"roundup_power2_divisions", Kind::kDivisions},
    Option{"throw_on_cudamalloc_oom", Kind::kSwitch},
};

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// At the commas outside of brackets; the last part may be empty.
std::optional<std::vector<std::string_view>> parts_of(std::string_view value) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= value.size(); ++at) {
    const char c = at < value.size() ? value[at] : ',';
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c != ',' || depth != 0) continue;
    if (const auto part = trimmed(value.substr(begin, at - begin)); !part.empty()) parts.push_back(part);
    begin = at + 1;
  }
  return depth == 0 ? std::optional{parts} : std::nullopt;
}

// As PyTorch reads it: what follows the number is ignored.
std::optional<double> number_at(std::string_view text) {
  double number = 0;
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{} ? std::optional{number} : std::nullopt;
}

bool is_power_of_two(double number) {
  constexpr double kMost = 1 << 20;
  if (!(number >= 1 && number <= kMost)) return false;
  const auto whole = static_cast<std::uint64_t>(number);
  return number == static_cast<double>(whole) && (whole & (whole - 1)) == 0;
}

// Why PyTorch stops at this value; "" if it does not.
std::string fault(const Option& option, std::string_view value) {
  constexpr double kLeast = 20;  // MB, of one segment
  const auto number = number_at(value);
  switch (option.kind) {
    case Kind::kSwitch: return value == "True" || value == "False" ? "" : "wants True or False";
    case Kind::kNumber: return number ? "" : "wants a number";
    case Kind::kMegabytes: return !number ? "wants a number" : *number >= 0 && *number < kLeast ? "must be 20 or more" : "";
    case Kind::kShare: return number && *number > 0 && *number < 1 ? "" : "must be between 0 and 1";
    case Kind::kDivisions: return value.starts_with('[') || (number && is_power_of_two(*number)) ? "" : "must be a power of 2";
    case Kind::kBackend: return value == "native" || value == "cudaMallocAsync" ? "" : "is native or cudaMallocAsync";
  }
  return {};
}

struct Trouble {
  Level level;
  std::string words;
};

// The worst part: what PyTorch stops at, before what gputop does not know.
std::optional<Trouble> trouble_in(std::string_view value) {
  std::vector<std::string_view> names;
  for (const auto& option : kOptions) names.push_back(option.name);
  const auto parts = parts_of(value);
  if (!parts) return Trouble{Level::kBad, "brackets are not closed"};
  std::optional<Trouble> foreign;
  for (const auto part : *parts) {
    const auto colon = part.find(':');
    if (colon == std::string_view::npos) return Trouble{Level::kBad, "\"" + std::string{part} + "\" is not name:value"};
    const auto name = trimmed(part.substr(0, colon));
    const Option* known = nullptr;
    for (const auto& option : kOptions) {
      if (option.name == name) known = &option;
    }
    if (known == nullptr) {
      foreign = Trouble{Level::kWarn, "gputop does not know " + std::string{name} + did_you_mean(name, names)};
    } else if (const auto why = fault(*known, trimmed(part.substr(colon + 1))); !why.empty()) {
      return Trouble{Level::kBad, std::string{name} + " " + why};
    }
  }
  return foreign;
}

}  // namespace

Verdict allocator(const Machine& machine) {
  const auto current = machine.environment.find("PYTORCH_ALLOC_CONF");
  const auto old = machine.environment.find("PYTORCH_CUDA_ALLOC_CONF");
  const bool has_current = current != machine.environment.end() && !current->second.empty();
  const bool has_old = old != machine.environment.end() && !old->second.empty();
  if (!has_current && !has_old) return ok("defaults");
  if (has_current && has_old && current->second != old->second) {
    return {Level::kWarn, "PYTORCH_ALLOC_CONF and PYTORCH_CUDA_ALLOC_CONF differ",
            "only one of them counts, by PyTorch's version", "unset the one you do not mean", false};
  }
  const std::string& name = has_current ? current->first : old->first;
  const std::string& value = has_current ? current->second : old->second;
  if (const auto trouble = trouble_in(value)) {
    if (trouble->level == Level::kWarn) {
      return {Level::kWarn, name + "=" + value + ": " + trouble->words,
              "if this PyTorch does not know it either, it stops at the first use of the GPU",
              "check the name in the documentation of your PyTorch", false};
    }
    return {Level::kBad, name + "=" + value + ": " + trouble->words,
            "PyTorch cannot read it and stops at the first use of the GPU",
            "write name:value pairs with commas, e.g. " + name + "=expandable_segments:True", false};
  }
  if (value.find("backend:cudaMallocAsync") != std::string::npos &&
      value.find("expandable_segments:True") != std::string::npos) {
    return {Level::kWarn, value, "expandable_segments does nothing with cudaMallocAsync", "leave one of them out",
            false};
  }
  return ok(value);
}

}  // namespace gputop::doctor::checks
