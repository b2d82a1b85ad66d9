#include "ui/fact_lines.hpp"

#include <algorithm>
#include <type_traits>

#include "gputop/advisor/each_fact.hpp"
#include "gputop/advisor/value_words.hpp"
#include "gputop/core/format.hpp"

namespace gputop::ui {
namespace {

// "an earlier run: batch 8, 2 workers: 120 samples/s, 2.7 GiB".
std::string in_words(const RunPoint& point) {
  std::string line = "an earlier run: batch " + std::to_string(point.batch);
  if (point.workers) line += ", " + std::to_string(*point.workers) + " workers";
  if (point.precision) line += ", " + std::string{to_string(*point.precision)};
  line += ":";
  if (point.samples_per_second) line += " " + format_number(*point.samples_per_second, 1) + " samples/s";
  if (point.peak_memory) line += (point.samples_per_second ? ", " : " ") + format_bytes(*point.peak_memory);
  return line;
}

class Lines {
 public:
  explicit Lines(Instant now) : now_(now) {}

  template <class T>
  void add(const char* name, const Known<T>& fact) {
    if (!fact) return;
    lines_.push_back(name_words(name) + " " + text_of(name, fact->value) + " (" +
                     std::string{to_string(fact->source)} + ", " +
                     format_number(std::max(0.0, to_seconds(now_ - fact->at)), 0) + " s ago)");
  }
  // Shares are read as percentages.
  template <class T>
  static std::string text_of(std::string_view name, const T& value) {
    if constexpr (std::is_same_v<T, double>) {
      if (name.ends_with("_share")) return format_number(value * 100, 1) + " %";
    }
    return value_words(value);
  }

  std::vector<std::string> take() { return std::move(lines_); }

 private:
  Instant now_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> fact_lines(const Facts& facts) {
  Lines lines{facts.now};
  each_fact(facts, [&](const char* name, const auto& fact) { lines.add(name, fact); });
  auto all = lines.take();
  for (const auto& point : facts.earlier) all.push_back(in_words(point));
  return all;
}

}  // namespace gputop::ui
