// nvidia-smi -q as text, in full or in part (-d), once or repeatedly: names and values in sections, by indentation.
#include <utility>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "sources/gpu_log/lines.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/gpu_log/query_fields.hpp"
#include "sources/gpu_log/readers.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::gpu_log {
namespace {

constexpr std::string_view kBegin = "NVSMI LOG";

std::string path_name(std::string_view name) {
  std::string path;
  for (const char c : trimmed(name)) {
    if (c == '.') continue;
    path += c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return path;
}

class QueryReading {
 public:
  Result<SmiLog> run(std::string_view text, std::string_view file) {
    while (!text.empty()) line(next_line(text));
    finish_gpu();
    rounds_.finish_round();
    if (rounds_.stream().rounds() == 0) {
      return Error{Error::Kind::kInvalid, std::string{file} +
                                              ": is of nvidia-smi -q, but holds no reading of a GPU (-d without "
                                              "UTILIZATION, MEMORY, POWER or TEMPERATURE?)"};
    }
    return rounds_.stream().finish("nvidia-smi -q log", "", driver_);
  }

 private:
  void line(std::string_view line) {
    if (line.find(kBegin) != std::string_view::npos) {
      finish_gpu();
      rounds_.at(std::nullopt);
      position_ = 0;
      return;
    }
    const auto text = trimmed(line);
    if (text.empty()) return;
    const auto indent = line.find_first_not_of(" \t");
    const auto colon =
        text.find(" : ") == std::string_view::npos && text.ends_with(" :") ? text.size() - 1 : text.find(" : ");
    if (indent == 0 && colon == std::string_view::npos && text.starts_with("GPU ")) {
      finish_gpu();
      sections_.clear();
      gpu_.emplace();
      bus_ = std::string{trimmed(slice(text, 4))};
      return;
    }
    if (colon == std::string_view::npos) return section(indent, text);
    const auto value = trimmed(slice(text, std::min(text.size(), colon + 2)));
    const auto name = trimmed(slice(text, 0, colon));
    if (indent == 0) return head(name, value);
    if (!gpu_) return;
    leave(indent);
    std::string path;
    for (const auto& [_, section] : sections_) path += section + "/";
    path += path_name(name);
    gpu_->take(path, value);
    sections_.emplace_back(indent, path_name(name));  // "HW Slowdown : Not Active" has subentries
  }

  void section(std::size_t indent, std::string_view text) {
    if (!gpu_ || indent == 0) return;
    leave(indent);
    if (sections_.size() < 8) sections_.emplace_back(indent, path_name(text));
  }
  void leave(std::size_t indent) {
    while (!sections_.empty() && sections_.back().first >= indent) sections_.pop_back();
  }

  void head(std::string_view name, std::string_view value) {
    if (name == "Timestamp") {
      finish_gpu();
      rounds_.at(clock_.read(value));
      position_ = 0;
    }
    if (name == "Driver Version" && driver_.empty()) driver_ = printable(std::string{value});
  }

  void finish_gpu() {
    if (gpu_ && !gpu_->empty()) {
      auto reading = gpu_->reading(position_);
      reading.gpu.pci_bus_id = printable(bus_);
      rounds_.add(std::move(reading));
    }
    if (gpu_) ++position_;
    gpu_.reset();
  }

  Rounds rounds_;
  smi::LogClock clock_;
  std::string driver_;
  std::string bus_;
  std::optional<QueriedGpu> gpu_;
  std::vector<std::pair<std::size_t, std::string>> sections_;  // with their indentation
  unsigned position_ = 0;                                      // of the GPU in this reading
};

}  // namespace

bool is_smi_query(std::string_view text) {
  return text.find(kBegin) != std::string_view::npos;
}

Result<SmiLog> read_smi_query(std::string_view text, std::string_view file) {
  return QueryReading{}.run(text, file);
}

}  // namespace gputop::gpu_log
