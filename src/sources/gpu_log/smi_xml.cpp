// nvidia-smi -q -x: one document, or several in one file.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "sources/gpu_log/lines.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/gpu_log/query_fields.hpp"
#include "sources/gpu_log/readers.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::gpu_log {
namespace {

constexpr std::size_t kDeepest = 32;

// Decodes "&amp;" and the other entities that occur in names and values.
std::string unescaped(std::string_view text) {
  std::string plain{text};
  for (const auto& [code, sign] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}}) {
    for (auto at = plain.find(code); at != std::string::npos; at = plain.find(code, at + 1))
      plain.replace(at, std::string_view{code}.size(), sign);
  }
  return plain;
}

class XmlReading {
 public:
  Result<SmiLog> run(std::string_view text, std::string_view file) {
    while (!text.empty()) {
      const auto begin = std::min(text.find('<'), text.size());
      value_ = slice(text, 0, begin);
      skip_front(text, begin);
      if (text.empty()) break;
      const auto end = text.starts_with("<!--") ? text.find("-->") : text.find('>');
      if (end == std::string_view::npos) {
        cut_ = true;
        break;
      }
      tag(slice(text, 1, end - 1));
      skip_front(text, end + 1);
    }
    cut_ = cut_ || inside_;
    rounds_.finish_round();
    if (rounds_.stream().rounds() == 0) {
      return Error{Error::Kind::kInvalid,
                   std::string{file} + (cut_ ? ": XML of nvidia-smi that is cut off before its first GPU ends"
                                             : ": XML of nvidia-smi, but holds no reading of a GPU")};
    }
    auto log = rounds_.stream().finish("nvidia-smi -q -x log", "", driver_);
    if (cut_) log.notes.emplace_back("the last document is cut off");
    return log;
  }

 private:
  void tag(std::string_view tag) {
    if (tag.empty() || first_char(tag) == '?' || first_char(tag) == '!') return;
    if (first_char(tag) == '/') return close(trimmed(slice(tag, 1)));
    if (last_char(tag) == '/') return;
    const auto name = slice(tag, 0, tag.find_first_of(" \t\r\n"));
    if (name == "nvidia_smi_log") {  // also if the previous one is cut off
      path_.clear();
      gpu_.reset();
      rounds_.at(std::nullopt);
      position_ = 0;
      inside_ = true;
    } else if (name == "gpu" && !gpu_) {
      gpu_.emplace();
      path_.clear();
      const auto id = tag.find("id=\"");
      bus_ =
          id == std::string_view::npos ? std::string{} : unescaped(slice(tag, id + 4, tag.find('"', id + 4) - id - 4));
    } else if (path_.size() < kDeepest) {
      path_.push_back(name);
    }
  }

  void close(std::string_view name) {
    if (name == "nvidia_smi_log") inside_ = false;
    if (name == "gpu" && gpu_ && (path_.empty() || path_.back() != name)) return finish_gpu();
    if (path_.empty() || path_.back() != name) return;
    const auto value = unescaped(trimmed_value());
    if (gpu_) {
      std::string path;
      for (const auto& part : path_) path += (path.empty() ? "" : "/") + std::string{part};
      gpu_->take(path, value);
    } else if (name == "timestamp") {
      rounds_.at(clock_.read(value));
    } else if (name == "driver_version" && driver_.empty()) {
      driver_ = printable(value);
    }
    path_.pop_back();
  }

  [[nodiscard]] std::string_view trimmed_value() const {
    const auto begin = value_.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || value_.size() > 4096) return {};
    return slice(value_, begin, value_.find_last_not_of(" \t\r\n") - begin + 1);
  }

  void finish_gpu() {
    if (!gpu_->empty()) {
      auto reading = gpu_->reading(position_);
      reading.gpu.pci_bus_id = printable(bus_);
      rounds_.add(std::move(reading));
    }
    ++position_;
    gpu_.reset();
    path_.clear();
  }

  Rounds rounds_;
  smi::LogClock clock_;
  std::string driver_;
  std::string bus_;
  std::string_view value_;  // before the tag
  std::vector<std::string_view> path_;
  std::optional<QueriedGpu> gpu_;
  unsigned position_ = 0;
  bool inside_ = false;
  bool cut_ = false;
};

}  // namespace

bool is_smi_xml(std::string_view text) {
  return text.find("<nvidia_smi_log") != std::string_view::npos;
}

Result<SmiLog> read_smi_xml(std::string_view text, std::string_view file) {
  return XmlReading{}.run(text, file);
}

}  // namespace gputop::gpu_log
