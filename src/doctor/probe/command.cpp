// What the command itself says: its data folder, its image size, how many processes it starts here.
#include <algorithm>
#include <array>
#include <charconv>

#include "doctor/probe/probes.hpp"

namespace gputop::doctor {
namespace {

// The value of --name VALUE, --name=VALUE, name=VALUE; dashes and underscores are equivalent.
std::optional<std::string> value_of(const std::vector<std::string>& command, std::string_view name) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    std::string word = command[i];
    const auto equals = word.find('=');
    std::string key = word.substr(0, equals);
    const bool flag = key.starts_with('-');
    key.erase(0, key.find_first_not_of('-') == std::string::npos ? key.size() : key.find_first_not_of('-'));
    for (auto& c : key) c = c == '_' ? '-' : c;
    if (key != name) continue;
    if (equals != std::string::npos) return word.substr(equals + 1);
    if (flag && i + 1 < command.size()) return command[i + 1];
  }
  return std::nullopt;
}

Reading<unsigned> number_of(const std::vector<std::string>& command, std::string_view name) {
  const auto text = value_of(command, name);
  unsigned value = 0;
  if (!text) return std::nullopt;
  const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (problem != std::errc{} || end != text->data() + text->size() || value == 0) return std::nullopt;
  return value;
}

template <std::size_t Count>
Reading<unsigned> first_number(const std::vector<std::string>& command,
                               const std::array<std::string_view, Count>& names) {
  for (const auto name : names) {
    if (const auto number = number_of(command, name)) return number;
  }
  return std::nullopt;
}

}  // namespace

void probe_command(const ProbeOptions& options, Machine& machine) {
  constexpr std::array<std::string_view, 8> kSides{"imgsz",     "img-size",        "image-size", "input-size",
                                                   "crop-size", "train-crop-size", "resolution", "img"};
  constexpr std::array<std::string_view, 3> kRanks{"nproc-per-node", "num-processes", "num-gpus"};
  machine.has_command = !options.command.empty();
  machine.image_side = first_number(options.command, kSides);
  machine.ranks = first_number(options.command, kRanks);
  machine.launcher_sets_threads = std::any_of(options.command.begin(), options.command.end(), [](const std::string& word) {
    const auto name = std::filesystem::path{word}.filename().string();
    return name == "torchrun" || name == "accelerate" || word == "torch.distributed.run" || word == "torch.distributed.launch";
  });
}

std::filesystem::path data_of_command(const std::vector<std::string>& command) {
  constexpr std::array<std::string_view, 12> kNames{"data",        "data-dir",     "data-path",  "data-root",
                                                    "dataset-dir", "dataset-path", "dataset",    "root",
                                                    "train-dir",   "train-data",   "train-path", "datadir"};
  std::error_code error;
  for (const auto name : kNames) {
    const auto value = value_of(command, name);
    if (value && !value->empty() && std::filesystem::is_directory(*value, error)) return *value;
  }
  return {};
}

}  // namespace gputop::doctor
