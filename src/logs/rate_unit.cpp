// A rate by its unit: see rate_of in meaning.hpp.
#include "gputop/core/scan.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"
#include "logs/vocabulary.hpp"
#include "logs/words.hpp"

namespace gputop::logs {

Understood rate_of(double value, int digits, std::string_view unit) {
  const bool coarse = digits <= 1;
  if (unit.empty() || !(value >= 0)) return {};
  // "it/s", "samples per second"
  auto slash = unit.find('/');
  std::string_view top = slice(unit, 0, slash);
  std::string_view bottom = slash == std::string_view::npos ? std::string_view{} : slice(unit, slash + 1);
  if (slash == std::string_view::npos) {
    if (const auto per = unit.find(" per "); per != std::string_view::npos) {
      top = slice(unit, 0, per);
      bottom = slice(unit, per + 5);
    } else if (is_any(unit, "fps", "ips")) {
      return {.meaning = Meaning::kSampleRate, .value = value, .coarse = coarse};
    } else if (is_any(unit, "tps", "wps")) {
      return {.meaning = Meaning::kTokenRate, .value = value, .coarse = coarse};
    } else {
      return {};
    }
  }
  if (const auto more = bottom.find('/'); more != std::string_view::npos) {  // "tokens/s/gpu", "tokens/gpu/s"
    const Words first{slice(bottom, 0, more)};
    bottom = is_device_word(first.back()) ? slice(bottom, more + 1) : slice(bottom, 0, more);
  }
  top = trimmed(top);
  const Words top_words{top};
  const Words bottom_words{bottom};
  const auto thing = top_words.back();
  if (is_second(bottom_words[0])) {
    if (thing.empty())
      return {.meaning = Meaning::kFraction, .value = value, .coarse = coarse};  // "853.33/s": of what, the line knows
    std::string_view raw =
        slice(top, top.find_last_of(" _") == std::string_view::npos ? 0 : top.find_last_of(" _") + 1);
    const double scale = take_prefix(raw);
    const Words scaled{raw};
    return {.meaning = rate_meaning(scaled.back()), .value = value * scale, .coarse = coarse};
  }
  if (const auto seconds = time_unit(thing); seconds && !bottom_words.empty()) {
    if (!(value > 0)) return {};
    const auto what = rate_meaning(bottom_words.back());
    if (what == Meaning::kStepRate) return {.meaning = Meaning::kStepTime, .value = value * *seconds, .coarse = coarse};
    if (what == Meaning::kSampleRate || what == Meaning::kTokenRate)
      return {.meaning = what, .value = 1 / (value * *seconds), .coarse = coarse};
    return {.meaning = Meaning::kOtherRate};
  }
  return {};
}

}  // namespace gputop::logs
