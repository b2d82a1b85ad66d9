// What sessions and servers are tested with: an interface without colors, and a source without readings.
#pragma once

#include "gputop/core/source.hpp"
#include "gputop/sources/host_source.hpp"
#include "gputop/ui/interface.hpp"

namespace gputop::test {

inline ui::Interface plain_interface() {
  return ui::Interface{Settings{}, Theme{}, term::ColorDepth::kMono, ui::GlyphSet::kBraille, ui::Identity{.uid = 1000}};
}

struct NoSource final : Source {
  [[nodiscard]] std::string_view name() const override { return "none"; }
  void start(Instant, Sink) override {}
  void tick(Instant) override {}
  void stop() override {}
};

}  // namespace gputop::test
