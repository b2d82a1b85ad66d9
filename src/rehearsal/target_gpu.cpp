// The GPU an estimate is for: see estimate_input.hpp.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/rehearsal/estimate_input.hpp"
#include "gputop/stream/gpu_source.hpp"
#include "gputop/stream/one_reading.hpp"

namespace gputop {
namespace {

constexpr const char* kGive = "give --gpu-memory 24 (GiB) or --gpu \"RTX 3090\"";

std::optional<unsigned> gpu_number(const std::string& text) {
  const bool digits = !text.empty() && text.size() <= 3 &&
                      std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
  return digits ? std::optional{static_cast<unsigned>(std::stoul(text))} : std::nullopt;
}

// The one with the most free memory among those that say how much they have.
std::optional<TargetGpu> roomiest(const Model& model, std::optional<unsigned> index) {
  std::optional<TargetGpu> best;
  for (const auto& track : model.gpus) {
    const auto& gpu = track.now;
    if (index && gpu.index != *index) continue;
    if (!gpu.memory_total || !gpu.memory_used || *gpu.memory_total == Bytes{}) continue;
    const Bytes free = *gpu.memory_total > *gpu.memory_used ? *gpu.memory_total - *gpu.memory_used : Bytes{};
    if (best && free <= best->free) continue;
    best = TargetGpu{std::to_string(gpu.index) + " " + gpu.name, *gpu.memory_total, free, gpu.compute_capability};
    if (model.simulated) best->name += " (SIMULATED)";
  }
  return best;
}

}  // namespace

Result<std::vector<GpuCard>> compared_cards(const EstimateInput& input) {
  if (!input.request.gpu) return std::vector<GpuCard>{};
  const auto& text = *input.request.gpu;
  if (text == "all") return input.tables.gpus.cards;
  std::vector<GpuCard> cards;
  if (text.find(',') == std::string::npos) return cards;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto name = slice(rest, 0, rest.find(','));
    skip_front(rest, name.size() + 1);
    if (name.find_first_not_of(' ') == std::string_view::npos) continue;
    const auto card = find_gpu(input.tables.gpus, name);
    if (!card) return Error{Error::Kind::kInvalid, "--gpu: " + card.error().message};
    const bool twice = std::any_of(cards.begin(), cards.end(), [&](const GpuCard& known) { return known.name == card->name; });
    if (!twice) cards.push_back(*card);
  }
  if (cards.empty()) return Error{Error::Kind::kInvalid, "--gpu: \"" + printable(text) + "\" names no card"};
  return cards;
}

Result<std::optional<TargetGpu>> target_gpu(const WatchOptions& options,
                                            const EstimateInput& input,
                                            std::string& missing) {
  const auto& request = input.request;
  const auto without_neighbours = [&](TargetGpu gpu) -> Result<std::optional<TargetGpu>> {
    if (request.neighbours) gpu.free = gpu.free > *request.neighbours ? gpu.free - *request.neighbours : Bytes{};
    return std::optional{std::move(gpu)};
  };
  if (request.gpu_memory) {
    return without_neighbours(
        {format_bytes(*request.gpu_memory), *request.gpu_memory, *request.gpu_memory, std::nullopt});
  }
  const auto number = request.gpu ? gpu_number(*request.gpu) : std::nullopt;
  if (request.gpu && !number) {
    const auto card = find_gpu(input.tables.gpus, *request.gpu);
    if (!card) return Error{Error::Kind::kInvalid, "--gpu: " + card.error().message};
    return without_neighbours({card->name, card->memory, card->memory, card->capability});
  }
  auto source = make_gpu_source(options, Pace::kOnce);
  if (!source) return source.error();
  std::optional<TargetGpu> found;
  with_one_reading(*std::move(source), [&](const Model& model) {
    found = roomiest(model, number);
    if (found) return;
    if (number && !model.gpus.empty()) {
      missing = "no GPU " + std::to_string(*number) + " here reports its memory; " + kGive;
    } else {
      const auto& why = model.gpu_source.message;
      missing = "no GPU on this machine" + (why.empty() ? "" : " (" + printable(why) + ")") + "; " + kGive;
    }
  });
  if (!found) return std::optional<TargetGpu>{};
  return without_neighbours(*std::move(found));
}

std::optional<TargetGpu> gpu_of_this_machine(const WatchOptions& options, const EstimateInput& input) {
  auto here = input;
  if (here.request.gpu && !gpu_number(*here.request.gpu)) here.request.gpu.reset();
  here.request.gpu_memory.reset();
  std::string missing;
  auto found = target_gpu(options, here, missing);
  return found ? *std::move(found) : std::nullopt;
}

}  // namespace gputop
