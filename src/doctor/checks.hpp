// The checks' functions and the words they share.
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

// What one GPU adds to a check that looks at each of them.
struct GpuFinding {
  Level level = Level::kOk;
  std::string found;  // reads on after "GPU 3: "; "": nothing worth a word
};
using GpuLook = std::function<std::optional<GpuFinding>(const GpuReading& gpu)>;  // nullopt: this GPU does not say

// The worst of all GPUs, with each that is not well named. `well` is said when none is worse than ok; a GPU that does
// not say makes the check unknown only when no other does say. `cost`, `fix` and `needs_root` are kept for what is not
// well.
Verdict each_gpu(const Machine& machine, const GpuLook& look, std::string well, Verdict otherwise);

// The one GPU's index in the fix's place ("nvidia-smi -i {gpu} …"), of the first GPU that is not well.
std::string with_gpu(std::string fix, unsigned gpu);

// "1-3,8" → 4; nullopt when it is no CPU list.
std::optional<unsigned> cpus_in_list(const std::string& list);
// Every CPU of `part` is in `whole`; nullopt when one of them is no CPU list.
std::optional<bool> list_within(const std::string& part, const std::string& whole);

std::optional<double> setting_number(const Machine& machine, std::string_view knob);
std::optional<double> environment_number(const Machine& machine, std::string_view name);

}  // namespace gputop::doctor::checks
