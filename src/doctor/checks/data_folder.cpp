// data_folder — where the data is, and how fast it can be read.
#include <algorithm>
#include <array>
#include <string_view>

#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {

Verdict data_folder(const Machine& machine) {
  const auto& data = machine.data;
  if (data.hangs) {
    return {Level::kBad, printable(data.folder) + " did not answer within 1 s", "a run that reads from it stalls",
            "check the network file system behind it: df, mount", false};
  }
  if (data.folder.empty() || data.filesystem.empty()) return unknown("the file system of the data folder is not known");
  constexpr std::array<std::string_view, 8> kRemote{"nfs",        "nfs4", "cifs",         "smb2",
                                                    "fuse.sshfs", "9p",   "fuse.gcsfuse", "fuse.s3fs"};
  const bool remote = std::find(kRemote.begin(), kRemote.end(), data.filesystem) != kRemote.end();
  // A virtual disk reports that it rotates, whatever is behind it.
  const bool spins = data.rotational.value_or(false) && machine.cpu.virtual_machine == false;
  std::string found = printable(data.folder) + " on " + data.filesystem + (spins ? ", a hard disk" : "");
  found += data.read_speed ? ", reads " + format_rate(*data.read_speed) : ", speed not measured: " + data.speed_unknown;
  constexpr BytesPerSecond kSlow{150e6};
  const bool slow = data.read_speed && *data.read_speed < kSlow;
  const std::string cost =
      "if the training data is there: the first epoch waits for it, later ones too if it does not fit into RAM";
  const std::string fix = "copy the data to a local SSD or, if it fits, to /dev/shm before the run";
  if (slow || (!data.read_speed && (remote || spins))) return {Level::kWarn, found, cost, fix, false};
  return ok(found);
}

}  // namespace gputop::doctor::checks
