#include "engine/slurm_ender.hpp"

#include <fcntl.h>

#include <array>
#include <chrono>
#include <ctime>

#include "gputop/base/descriptor.hpp"
#include "gputop/base/files.hpp"
#include "gputop/base/answer.hpp"
#include "gputop/job/slurm_end.hpp"

namespace gputop {
namespace {

constexpr std::chrono::milliseconds kSlurmPatience{1000};

std::string local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  std::array<char, 32> text{};
  if (::localtime_r(&now, &parts) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts)};
}

}  // namespace

std::optional<std::string> slurm_as_ender(pid_t sender, const std::optional<JobJoined>& job) {
  const auto path = "/proc/" + std::to_string(sender) + "/comm";
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  const auto name = file ? read_whole(file.get(), 64) : std::nullopt;
  if (!name || !name->starts_with("slurm")) return std::nullopt;
  if (!job || job->launcher != "slurm" || job->rank.value_or(0) != 0) return "Slurm";
  const auto answer = answer_of({"scontrol", "show", "job", "--oneliner", job->id}, kSlurmPatience);
  const auto why = answer ? job::why_slurm_ends_it(*answer, local_time()) : std::string{};
  return why.empty() ? "Slurm" : "Slurm: " + why;
}

}  // namespace gputop
