#include "gputop/sources/chosen_gpus.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace gputop {
namespace {

class ChosenGpus final : public Source {
 public:
  ChosenGpus(std::unique_ptr<Source> source, std::vector<unsigned> chosen)
      : source_(std::move(source)), chosen_(std::move(chosen)) {}

  [[nodiscard]] std::string_view name() const override { return source_->name(); }
  void start(Instant now, Sink sink) override {
    source_->start(now, [this, sink = std::move(sink)](Event event) { pass(std::move(event), sink); });
  }
  void tick(Instant now) override { source_->tick(now); }
  void stop() override { source_->stop(); }

 private:
  [[nodiscard]] bool wants(unsigned index) const { return std::ranges::find(chosen_, index) != chosen_.end(); }

  void pass(Event event, const Sink& sink) {
    if (const auto* happened = std::get_if<GpuHappened>(&event.payload); happened && !wants(happened->index)) return;
    if (auto* sampled = std::get_if<GpusSampled>(&event.payload)) {
      if (!std::exchange(compared_, true)) note_missing(event.at, sampled->gpus, sink);
      std::erase_if(sampled->gpus, [&](const GpuReading& gpu) { return !wants(gpu.index); });
    }
    sink(std::move(event));
  }

  void note_missing(Instant at, const std::vector<GpuReading>& gpus, const Sink& sink) const {
    for (const unsigned index : chosen_) {
      if (std::ranges::find(gpus, index, &GpuReading::index) != gpus.end()) continue;
      sink({at, Noted{Noted::Severity::kWarning, "--gpu: there is no GPU " + std::to_string(index) + ": " +
                                                     std::string{name()} + " has " + std::to_string(gpus.size()) +
                                                     ", numbered from 0"}});
    }
  }

  std::unique_ptr<Source> source_;
  std::vector<unsigned> chosen_;
  bool compared_ = false;
};

}  // namespace

std::unique_ptr<Source> make_chosen_gpus(std::unique_ptr<Source> source, std::vector<unsigned> chosen) {
  if (chosen.empty()) return source;
  return std::make_unique<ChosenGpus>(std::move(source), std::move(chosen));
}

}  // namespace gputop
