#include "gputop/sources/nvml_source.hpp"

#include <utility>

#include "sources/nvml/engine.hpp"

namespace gputop {
namespace {

class NvmlSource final : public Source {
 public:
  explicit NvmlSource(NvmlOptions options) : engine_(std::make_shared<nvml::Engine>(std::move(options))) {}
  ~NvmlSource() override { engine_->stop(); }

  [[nodiscard]] std::string_view name() const override { return "nvml"; }
  void start(Instant now, Sink sink) override { engine_->start(now, std::move(sink)); }
  void tick(Instant now) override { engine_->tick(now); }
  void stop() override { engine_->stop(); }

 private:
  std::shared_ptr<nvml::Engine> engine_;
};

}  // namespace

std::unique_ptr<Source> make_nvml_source(NvmlOptions options) {
  return std::make_unique<NvmlSource>(std::move(options));
}

}  // namespace gputop
