// nvidia-smi without options, once or repeatedly: a table with two or three lines per GPU, and a date above it.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "sources/gpu_log/lines.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/gpu_log/readers.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::gpu_log {
namespace {

using Words = std::vector<std::string_view>;

constexpr unsigned kMostIndex = 1023;

// The text between the bars.
std::vector<std::string_view> table_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  line = trimmed(line);
  if (line.size() < 2 || first_char(line) != '|') return cells;
  skip_front(line, 1);
  while (!line.empty() && cells.size() < 8) {
    const auto bar = line.find('|');
    if (bar == std::string_view::npos) break;
    cells.push_back(slice(line, 0, bar));
    skip_front(line, bar + 1);
  }
  return cells;
}

std::optional<unsigned> table_number(std::string_view word) {
  unsigned number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool whole = problem == std::errc{} && end == word.data() + word.size();
  return whole && number <= kMostIndex ? std::optional{number} : std::nullopt;
}

std::size_t slash_in(const Words& words) {
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), "/") - words.begin());
}

std::string_view behind(std::string_view line, std::string_view label) {
  const auto found = line.find(label);
  if (found == std::string_view::npos) return {};
  const auto words = words_of(slice(line, found + label.size()), 1);
  return words.empty() ? std::string_view{} : words.front();
}

class TableReading {
 public:
  Result<SmiLog> run(std::string_view text, std::string_view file) {
    while (!text.empty()) line(next_line(text));
    finish_gpu();
    rounds_.finish_round();
    if (rounds_.stream().rounds() == 0) {
      return Error{Error::Kind::kInvalid,
                   std::string{file} + ": holds the frame of an nvidia-smi table, but no line of a GPU"};
    }
    return rounds_.stream().finish("nvidia-smi table log", "", driver_);
  }

 private:
  enum class Part : std::uint8_t { kOutside, kGpus, kMig, kProcesses };

  void line(std::string_view line) {
    const auto cells = table_cells(line);
    if (cells.empty()) {
      if (trimmed(line).starts_with('+')) finish_gpu();
      if (const auto time = clock_.read(line)) {
        finish_gpu();
        rounds_.at(time);
        part_ = Part::kOutside;
      }
      return;
    }
    if (line.find("NVIDIA-SMI") != std::string_view::npos) {
      finish_gpu();
      rounds_.finish_round();
      if (driver_.empty()) driver_ = printable(behind(line, "Driver Version:"));
      part_ = Part::kGpus;
    } else if (cells.size() == 1) {
      finish_gpu();
      if (line.find("Processes:") != std::string_view::npos) part_ = Part::kProcesses;
      if (line.find("MIG devices:") != std::string_view::npos) part_ = Part::kMig;
    } else if (part_ == Part::kMig) {
      mig_row(cells);
    } else if (cells.size() == 3 && part_ != Part::kProcesses) {
      gpu_row(cells);
    } else if (cells.size() == 3 && line.find("Bus-Id") != std::string_view::npos) {
      part_ = Part::kGpus;
    }
  }

  void gpu_row(const std::vector<std::string_view>& cells) {
    const auto left = words_of(cells[0]);
    const bool address = cells[1].find(':') != std::string_view::npos;
    const auto index = left.empty() ? std::nullopt : table_number(left.front());
    if (index && address) {
      finish_gpu();
      gpu_.emplace();
      gpu_->gpu.index = *index;
      gpu_->gpu.name = name_of(left);
      if (const auto middle = words_of(cells[1], 1); !middle.empty())
        gpu_->gpu.pci_bus_id = printable(std::string{middle.front()});
      gpu_->put("ecc_errors_uncorrected_volatile_total", trimmed(cells[2]));
      std::erase_if(gpu_->unread, [](const auto&) { return true; });  // counted below, by measured values
      values_ = false;
    } else if (gpu_ && !values_) {
      values_ = true;
      values_row(left, words_of(cells[1]), words_of(cells[2]));
    } else if (gpu_ && trimmed(cells[2]) == "Enabled") {
      gpu_->gpu.mig_enabled = true;
    }
  }

  // "0  Tesla V100-SXM2...  On": persistence mode or the driver model follows the name.
  static std::string name_of(const Words& words) {
    static constexpr std::array<std::string_view, 8> kModes{"On", "Off", "WDDM", "TCC", "MCDM", "WDM", "N/A", "ERR!"};
    const bool mode = words.size() > 2 && std::find(kModes.begin(), kModes.end(), words.back()) != kModes.end();
    std::string name;
    for (std::size_t i = 1; i + (mode ? 1 : 0) < words.size(); ++i)
      name += (name.empty() ? "" : " ") + std::string{words[i]};
    return printable(name);
  }

  // "30%   45C    P2   320W / 450W", "10240MiB / 24564MiB", "97%      Default"
  void values_row(const Words& left, const Words& middle, const Words& right) {
    const auto power = slash_in(left);
    if (power >= 4 && power + 1 < left.size()) {
      gpu_->put("fan_speed", left[0]);
      gpu_->put("temperature_gpu", left[1]);
      gpu_->put("pstate", left[2]);
      gpu_->put("power_draw", left[power - 1]);
      gpu_->put("power_limit", left[power + 1]);
    } else if (left.size() >= 3) {
      gpu_->put("fan_speed", left[0]);
      gpu_->put("temperature_gpu", left[1]);
      gpu_->put("pstate", left[2]);
    }
    const auto memory = slash_in(middle);
    if (memory >= 1 && memory + 1 < middle.size()) {
      gpu_->put("memory_used", middle[memory - 1]);
      gpu_->put("memory_total", middle[memory + 1]);
    }
    if (!right.empty()) gpu_->put("utilization_gpu", right.front());
  }

  // "0    7   0   0  |      1MiB /  4864MiB | 14      0 |  1   0    0    0    0"
  void mig_row(const std::vector<std::string_view>& cells) {
    const auto ids = words_of(cells[0]);
    const auto memory = words_of(cells[1]);
    const auto slash = slash_in(memory);
    if (ids.size() != 4 || slash < 1 || slash + 1 >= memory.size()) return;
    const auto index = table_number(ids[0]);
    const auto instance = table_number(ids[3]);
    auto* gpu = index ? rounds_.current(*index) : nullptr;
    if (!gpu || !instance) return;
    LogReading values;
    values.put("memory_used", memory[slash - 1]);
    values.put("memory_total", memory[slash + 1]);
    gpu->mig_enabled = true;
    gpu->mig.push_back({.index = *instance,
                        .name = "",
                        .uuid = "",
                        .gpu_instance = table_number(ids[1]),
                        .compute_instance = table_number(ids[2]),
                        .memory_used = values.gpu.memory_used,
                        .memory_total = values.gpu.memory_total});
  }

  void finish_gpu() {
    if (gpu_ && values_) rounds_.add(*std::move(gpu_));
    gpu_.reset();
  }

  Rounds rounds_;
  smi::LineClock clock_;
  std::string driver_;
  Part part_ = Part::kOutside;
  std::optional<LogReading> gpu_;
  bool values_ = false;  // of that GPU were read
};

}  // namespace

bool is_smi_table(std::string_view text) {
  const auto has = [&](std::string_view piece) { return text.find(piece) != std::string_view::npos; };
  return has("Pwr:Usage/Cap") || (has("| NVIDIA-SMI ") && has("Driver Version:") && has("MiB /"));
}

Result<SmiLog> read_smi_table(std::string_view text, std::string_view file) {
  return TableReading{}.run(text, file);
}

}  // namespace gputop::gpu_log
