// What one refresh costs: events into the Model, the Model onto a 200×50 screen, everything changing every second.
#include <array>
#include <cstdio>
#include <ctime>

#include "../tests/support/models.hpp"
#include "gputop/ui/interface.hpp"

namespace {

double cpu_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Limit {
  unsigned gpus;
  double milliseconds;  // nvtop 3.2's CPU per refresh at this size, times what we may use of it
};
constexpr std::array kLimits{Limit{1, 0.71 * 1.5}, Limit{8, 1.79}, Limit{64, 2.50}};

}  // namespace

int main() {
  using namespace gputop;
  constexpr int kWarm = 600;
  constexpr int kRefreshes = 400;
  bool within = true;
  std::printf("gpus  update ms  render ms  total ms  limit ms\n");
  for (const auto& limit : kLimits) {
    test::Stream stream;
    stream.run(limit.gpus, 0, kWarm);
    ui::Interface interface {
      Settings{}, Theme{}, term::ColorDepth::kTrueColor, ui::GlyphSet::kBraille, ui::Identity {}
    };
    ftxui::Screen screen{200, 50};
    interface.render(stream.model, screen);
    double updating = 0;
    double rendering = 0;
    for (int t = kWarm; t < kWarm + kRefreshes; ++t) {
      const std::array<Payload, 3> payloads{HostSampled{test::host_reading(16, t)},
                                            GpusSampled{test::healthy_gpus(limit.gpus, t)},
                                            ProcessesSampled{test::training_processes(limit.gpus)}};
      const double start = cpu_milliseconds();
      for (const auto& payload : payloads) stream.feed(t, payload);
      const double updated = cpu_milliseconds();
      interface.render(stream.model, screen);
      rendering += cpu_milliseconds() - updated;
      updating += updated - start;
    }
    const double total = (updating + rendering) / kRefreshes;
    within = within && total <= limit.milliseconds;
    std::printf("%4u  %9.3f  %9.3f  %8.3f  %8.3f\n", limit.gpus, updating / kRefreshes, rendering / kRefreshes, total,
                limit.milliseconds);
  }
  return within ? 0 : 1;
}
