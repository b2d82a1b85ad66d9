// What the screen of a job costs: N recordings that grow by a reading a second, looked at (of very many, some in each
// refresh), merged, explained and drawn.
// Prints a line for each number of ranks; exits 1 if a limit is missed.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "gputop/config/theme.hpp"
#include "gputop/stream/job_watch.hpp"
#include "gputop/ui/job_screen.hpp"
#include "store/recording_encoder.hpp"

namespace {

using namespace gputop;
using Clock = std::chrono::steady_clock;

constexpr double kMostMilliseconds = 100;  // of a refresh at 1,024 ranks
constexpr double kMostResidentMegabytes = 150;
constexpr double kMostGrowth = 2;  // of the time for each rank, from the fewest ranks to the most
constexpr int kSecondsBefore = 300;
constexpr int kRefreshes = 9;

// One rank: eight steps a second, one GPU, a line of output now and then. Its recording is written as a run's engine does.
class Rank {
 public:
  Rank(const std::filesystem::path& folder, unsigned number, unsigned world)
      : number_(number), path_((folder / ("rank" + std::to_string(number) + ".gputop")).string()) {
    auto encoder = store::RecordingEncoder::create();
    encoder_ = *std::move(encoder);
    encoder_->append({Instant{}, StreamStarted{WallTime{}, "bench", "node" + std::to_string(number / 8), std::chrono::seconds{1}}});
    encoder_->append({Instant{}, RunStarted{"r" + std::to_string(number), "train", {"python", "train.py"}, "/", 100, false}});
    encoder_->append({Instant{}, JobJoined{"77", "slurm", "0", "node" + std::to_string(number / 8), "", "", number / 8, world / 8, number, number % 8, world}});
    LensHello hello;
    hello.own_pid = 100;
    hello.rank = number;
    hello.world = world;
    encoder_->append({Instant{}, LensReported{100, hello}});
    gpu_.uuid = "GPU-" + std::to_string(number);
    gpu_.name = "NVIDIA H100";
    gpu_.memory_total = Bytes{80ULL << 30U};
  }

  void second(int second) {
    const Instant at{std::chrono::seconds{second}};
    gpu_.utilization = Percent{90.0 + (static_cast<unsigned>(second) + number_) % 10};
    gpu_.memory_used = Bytes{(60ULL << 30U) + (static_cast<std::uint64_t>(second) << 20U)};
    gpu_.power = Watts{600.0 + (second * 7 + number_) % 90};
    encoder_->append({at, GpusSampled{{gpu_}}});
    HostReading host;
    host.cpu_count = 64;
    host.load1 = 10 + (second + number_) % 5;
    encoder_->append({at, HostSampled{host}});
    if (second % 2 == 0) encoder_->append({at, LensReported{100, tick(second)}});
    if (second % 10 == 0) {
      const std::string text = "step " + std::to_string(second * 8) + " loss 1.234\n";
      encoder_->append({at, OutputWritten{0, written_, text}});
      written_ += text.size();
    }
    encoder_->flush();
    std::ofstream{path_, std::ios::app | std::ios::binary} << encoder_->bytes();
    encoder_->bytes().clear();
  }

 private:
  LensTick tick(int second) const {
    LensTick tick;
    tick.steps = static_cast<std::uint64_t>(second) * 8;
    LensSync sync{.steps = tick.steps, .first = tick.steps < 16 ? 1 : tick.steps - 15};
    for (std::uint64_t i = 0; i < 16; ++i) {
      sync.own.push_back(80 + static_cast<double>((sync.first * 13 + i * 31 + number_ * 17) % 10));
      sync.input.push_back(number_ == 5 ? 40 : 2);
      sync.exchange.push_back(number_ == 5 ? 3 : 41);
      sync.cpu.push_back(80);
      sync.items.push_back(4096);
    }
    tick.sync.push_back(std::move(sync));
    return tick;
  }

  unsigned number_;
  std::string path_;
  std::unique_ptr<store::RecordingEncoder> encoder_;
  GpuReading gpu_;
  std::uint64_t written_ = 0;
};

double resident_megabytes() {
  std::ifstream statm{"/proc/self/statm"};
  double pages = 0;
  statm >> pages >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

struct Cost {
  double milliseconds = 0;  // median of a refresh
  double resident = 0;
  bool named = false;  // the slow rank
};

Cost measure(unsigned ranks) {
  const auto folder = std::filesystem::temp_directory_path() / ("gputop-bench-fleet-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  Cost cost;
  {
    std::vector<std::string> paths;
    // Written by another process would be true; here the encoders go first, so that their memory is not counted.
    std::vector<std::vector<std::uintmax_t>> sizes;
    {
      for (unsigned i = 0; i < ranks; ++i) {
        Rank rank{folder, i, ranks};
        const auto path = folder / ("rank" + std::to_string(i) + ".gputop");
        auto& marks = sizes.emplace_back();
        for (int second = 0; second < kSecondsBefore + kRefreshes; ++second) {
          rank.second(second);
          if (second >= kSecondsBefore - 1) marks.push_back(std::filesystem::file_size(path));
        }
        paths.push_back(path.string());
      }
    }
    // What came later is taken away and put back second by second: the files grow.
    std::vector<std::string> ends;
    for (unsigned i = 0; i < ranks; ++i) {
      std::ifstream in{paths[i], std::ios::binary};
      in.seekg(static_cast<std::streamoff>(sizes[i].front()));
      ends.emplace_back(std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{});
      std::filesystem::resize_file(paths[i], sizes[i].front());
    }
    const double before = resident_megabytes();
    JobWatch watch;
    watch.follow(paths, 0);
    watch.look(0);
    ui::JobScreen screen{Theme{}, term::ColorDepth::kTrueColor, ui::GlyphSet::kBraille};
    ftxui::Screen cells{200, 50};
    std::vector<double> times;
    for (int refresh = 1; refresh <= kRefreshes; ++refresh) {
      const auto at = static_cast<std::size_t>(refresh);
      for (unsigned i = 0; i < ranks; ++i) {
        const auto from = sizes[i][at - 1] - sizes[i].front();
        std::ofstream{paths[i], std::ios::app | std::ios::binary}.write(ends[i].data() + from, static_cast<std::streamsize>(sizes[i][at] - sizes[i][at - 1]));
      }
      const auto began = Clock::now();
      watch.look(refresh);
      const auto whole = watch.whole(refresh, true);
      screen.render(whole, {.id = "job 77"}, cells);
      times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
      cost.named = whole.explained.straggler && whole.explained.straggler->rank == 5;
    }
    std::sort(times.begin(), times.end());
    cost.milliseconds = times[times.size() / 2];
    cost.resident = resident_megabytes() - before;
  }
  std::filesystem::remove_all(folder);
  return cost;
}

}  // namespace

int main() {
  bool good = true;
  double first = 0;
  for (const unsigned ranks : {64U, 256U, 1024U}) {
    const auto cost = measure(ranks);
    const double each = cost.milliseconds / ranks;
    if (first == 0) first = each;
    std::printf("%5u ranks: a refresh takes %6.1f ms (%.3f ms a rank, %.2f of that at 64), %5.1f MB for it, the slow rank is %s\n", ranks,
                cost.milliseconds, each, each / first, cost.resident, cost.named ? "named" : "NOT NAMED");
    good = good && cost.named && each <= kMostGrowth * first;
    if (ranks == 1024) good = good && cost.milliseconds <= kMostMilliseconds && cost.resident <= kMostResidentMegabytes;
  }
  std::printf("limits at 1,024 ranks: %.0f ms, %.0f MB: %s\n", kMostMilliseconds, kMostResidentMegabytes, good ? "met" : "MISSED");
  return good ? 0 : 1;
}
