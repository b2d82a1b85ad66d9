#include "ui/no_gpus.hpp"

#include <algorithm>
#include <string_view>

#include "gputop/core/format.hpp"
#include "ui/text.hpp"

namespace gputop::ui {
namespace {

struct NextStep {
  std::string_view command;
  std::string_view what;
};
constexpr NextStep kNextSteps[] = {{"gputop --demo", "all of it, on a simulated GPU"},
                                   {"gputop -- CMD", "a run's CPU, memory and output"},
                                   {"gputop report LOG", "a GPU log of another machine"}};
constexpr std::size_t kCommandColumns = 19;

}  // namespace

NoGpus no_gpus(const Model& model, int width) {
  if (!model.gpus.empty() || model.gpu_source.state != SourceStatus::State::kUnavailable) return {};
  const auto inner = static_cast<std::size_t>(std::max(8, width));
  NoGpus said{.why = wrapped("no GPU: " + printable(model.gpu_source.message), static_cast<int>(inner)), .next = {}};
  if (model.run) return said;
  for (const auto& step : kNextSteps) {
    std::string line{step.command};
    if (kCommandColumns + step.what.size() <= inner) {
      line += std::string(kCommandColumns - line.size(), ' ') + std::string{step.what};
    }
    said.next.push_back(std::move(line));
  }
  return said;
}

}  // namespace gputop::ui
