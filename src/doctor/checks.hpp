// The checks' functions and their shared texts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "gputop/doctor/doctor.hpp"

namespace gputop::doctor::checks {

#define CHECK(id, title) Verdict id(const Machine& machine);
#include "doctor/checks.def"
#undef CHECK

inline Verdict ok(std::string found) {
  return {Level::kOk, std::move(found), {}, {}, false};
}
inline Verdict unknown(std::string why) {
  return {Level::kUnknown, std::move(why), {}, {}, false};
}

// One GPU's contribution to a check that covers all of them.
struct GpuFinding {
  Level level = Level::kOk;
  std::string found;  // continues "GPU 3: "; "": nothing to report
};
using GpuLook =
    std::function<std::optional<GpuFinding>(const GpuReading& gpu)>;  // nullopt: this GPU does not report it

// The worst result of all GPUs; names each that is not ok. `well` is the text if none is worse than ok. A GPU without
// data makes the check unknown only if no other GPU has data. `cost`, `fix` and `needs_root` apply only to what is not
// ok.
Verdict each_gpu(const Machine& machine, const GpuLook& look, std::string well, Verdict otherwise);

// Inserts the index of the first GPU that is not ok into the fix ("nvidia-smi -i {gpu} …").
std::string with_gpu(std::string fix, unsigned gpu);

// "1-3,8" → 4; nullopt if it is not a CPU list.
std::optional<unsigned> cpus_in_list(const std::string& list);
// Every CPU of `part` is in `whole`; nullopt if one of them is not a CPU list.
std::optional<bool> list_within(const std::string& part, const std::string& whole);

std::optional<double> setting_number(const Machine& machine, std::string_view knob);
std::optional<double> environment_number(const Machine& machine, std::string_view name);

}  // namespace gputop::doctor::checks
