// bench/advisor: how often the advisor is right, over the traces it was tuned on and over those it was not, and what it
// costs.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>

#include "gputop/app/advise.hpp"
#include "traces/trace.hpp"

namespace {

using namespace gputop;
using namespace gputop::traces;

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// One row of the table for every truth.
struct Table {
  Score score;
  std::map<std::string, std::map<std::string, int>> confusion;

  void add(const Trace& trace, const Verdict& verdict) {
    score.add(trace, verdict);
    ++confusion[trace.kind][verdict.right ? "right" : verdict.first.empty() ? "silence" : verdict.first];
  }
};

void print_table(const std::string& name, const Table& table) {
  const auto& [score, confusion] = table;
  std::printf("\n%s: %zu traces\n", name.c_str(), score.count);
  std::printf("  %-34s %s\n", "truth", "what was said first");
  for (const auto& [kind, answers] : confusion) {
    std::string text;
    for (const auto& [answer, times] : answers) text += answer + " " + std::to_string(times) + "  ";
    std::printf("  %-34s %s\n", kind.c_str(), text.c_str());
  }
  std::printf("  top-1 right            %6.1f %%  (%zu of %zu; at least 95)\n", percent(score.right, score.count),
              score.right, score.count);
  std::printf("  false alarms           %6.1f %%  (%zu of %zu healthy; at most 2)\n",
              percent(score.false_alarms, score.healthy), score.false_alarms, score.healthy);
  std::printf("  harmful changes        %6zu    (of %zu; none)\n", score.harmful, score.changes);
  std::printf("  speed-up in the range  %6.1f %%  (%zu of %zu; at least 80)\n", percent(score.inside, score.changes),
              score.inside, score.changes);
  for (const auto& miss : score.misses) std::printf("    %s\n", miss.c_str());
}

void print_score(const char* name, std::uint64_t seed, std::size_t count) {
  auto all = handmade(seed);
  for (auto& trace : sampled(seed, count)) all.push_back(std::move(trace));
  Table table;
  for (const auto& trace : all) table.add(trace, judge(trace, play(trace)));
  print_table(std::string{name} + " (seeds from " + std::to_string(seed) + ")", table);
}

void print_recorded() {
  std::vector<std::string> problems;
  Table table;
  for (const auto& run : recorded(problems)) {
    const auto verdict = judge(run);
    table.add(run.trace, verdict);
    for (const auto& applied : verdict.applied) {
      std::printf("  %s: %s, stated x%.2f-%.2f, measured x%.2f\n", run.trace.name.c_str(), applied.id.c_str(),
                  applied.stated.low, applied.stated.high, applied.real);
    }
  }
  print_table("real PyTorch runs on a CPU", table);
  for (const auto& problem : problems) std::printf("    %s\n", problem.c_str());
}

GpusSampled eight_gpus(int second) {
  const auto card = sim_cards().front();
  GpusSampled reading;
  for (unsigned i = 0; i < 8; ++i) {
    GpuReading gpu;
    gpu.index = i;
    gpu.uuid = "GPU-" + std::to_string(i);
    gpu.name = card.product;
    gpu.utilization = Percent{20.0 + (second * 7 + static_cast<int>(i) * 3) % 30};
    gpu.memory_used = Bytes{3ULL << 30U};
    gpu.memory_total = card.memory;
    gpu.power = Watts{120};
    gpu.power_limit = card.power_limit;
    gpu.temperature = Celsius{60};
    gpu.sm_clock = gpu.max_sm_clock = card.sm_clock;
    gpu.throttle = ThrottleReasons{0};
    gpu.compute_capability = card.capability;
    reading.gpus.push_back(gpu);
  }
  return reading;
}

// Eight GPUs with ten minutes of readings: what one look costs, in CPU time, since others use this machine, too.
void print_cost() {
  constexpr int kHistory = 600;
  constexpr int kLooks = 2000;
  Model model;
  std::clock_t spent = 0;
  for (int second = 0; second < kHistory + kLooks; ++second) {
    const Event event{at_seconds(second), eight_gpus(second)};
    update(model, event);
    if (second < kHistory) continue;
    const auto begin = std::clock();
    advise(model, event);
    spent += std::clock() - begin;
  }
  const double micros = 1e6 * static_cast<double>(spent) / CLOCKS_PER_SEC / kLooks;
  std::printf("\none look at 8 GPUs, facts gathered: %.1f us (limit 200 us: %.2f of it), %zu findings\n", micros,
              micros / 200, model.advice.now().findings.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 120;
  const std::uint64_t unseen = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 8'100'000;
  print_score("tuning", 1, count);
  print_score("looked at while tuning, too", 1000, count);
  print_score("looked at since", 50000, count);
  print_score("held out", unseen, count);
  print_recorded();
  print_cost();
  return 0;
}
