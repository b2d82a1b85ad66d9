// shared_memory — /dev/shm must hold the batches that loader workers pass on.
#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {
namespace {

struct Need {
  double bytes;
  std::string words;  // "8 workers × 2 batches of 256 images of 224²"
};

// What the workers of all ranks hold at once: float images of the size that the command names, or tokens.
std::optional<Need> need(const Machine& machine) {
  const auto workers = setting_number(machine, "workers");
  const auto batch = setting_number(machine, "batch_size");
  if (!workers || !batch || *workers < 1 || *batch < 1) return std::nullopt;
  const double ahead = setting_number(machine, "prefetch").value_or(2);  // PyTorch's default
  const double ranks = machine.ranks.value_or(1);
  double sample = 0;
  std::string of;
  if (machine.image_side) {
    constexpr double kChannels = 3;
    constexpr double kFloat = 4;
    sample = static_cast<double>(*machine.image_side) * *machine.image_side * kChannels * kFloat;
    of = " images of " + std::to_string(*machine.image_side) + "²";
  } else if (const auto tokens = setting_number(machine, "seq")) {
    constexpr double kTensors = 3;  // ids, mask, labels
    constexpr double kLong = 8;
    sample = *tokens * kTensors * kLong;
    of = " sequences of " + format_number(*tokens, 0);
  } else {
    return std::nullopt;
  }
  return Need{*workers * ahead * ranks * *batch * sample,
              (ranks > 1 ? format_number(ranks, 0) + " ranks × " : "") + format_number(*workers, 0) + " workers × " +
                  format_number(ahead, 0) + " batches of " + format_number(*batch, 0) + of};
}

}  // namespace

Verdict shared_memory(const Machine& machine) {
  if (!machine.host || !machine.host->shm_total) return unknown("there is no /dev/shm");
  const Bytes total = *machine.host->shm_total;
  const Bytes used = machine.host->shm_used.value_or(Bytes{0});
  const std::string size = format_bytes(total) + ", " + format_bytes(used) + " used";
  const std::string fix =
      machine.container
          ? "docker run --shm-size=8g (or --ipc=host); Kubernetes: an emptyDir with medium: Memory at /dev/shm"
          : "mount -o remount,size=50% /dev/shm";
  const std::string cost = "loader workers die with \"Bus error\" or \"unable to write to file\"";
  const bool mountable = !machine.container;
  constexpr Bytes kContainerDefault{std::uint64_t{64} << 20U};
  const auto workers = setting_number(machine, "workers");
  if (total <= kContainerDefault && (!machine.has_command || workers.value_or(1) > 0)) {
    return {workers.value_or(0) > 0 ? Level::kBad : Level::kWarn,
            size + (machine.container ? " (a container's default)" : ""), cost, fix, mountable};
  }
  if (total.value() > 0 && used / total > 0.9)
    return {Level::kBad, size, cost, "remove old files from it: ls -l /dev/shm", false};
  if (const auto wanted = need(machine)) {
    const double room = static_cast<double>(total.value()) - static_cast<double>(used.value());
    const std::string words =
        "; " + wanted->words + " need about " + format_bytes(Bytes{static_cast<std::uint64_t>(wanted->bytes)});
    if (wanted->bytes > room) return {Level::kBad, size + words, cost, fix + "; or fewer workers", mountable};
    return ok(size + words);
  }
  return ok(size);
}

}  // namespace gputop::doctor::checks
