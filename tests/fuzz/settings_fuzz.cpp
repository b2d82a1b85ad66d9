// libFuzzer: any bytes as each of the files that a user may write for gputop, and as a training configuration to
// estimate.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gputop/config/advisor_file.hpp"
#include "gputop/config/assets.hpp"
#include "gputop/config/estimator_tables.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/config/settings_file.hpp"
#include "gputop/config/theme_file.hpp"
#include "gputop/config/training_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop;
  if (size < 1) return 0;
  const std::string_view text{reinterpret_cast<const char*>(data) + 1, size - 1};
  static const auto table = parse_knobs(asset("configs/knobs.yaml").value_or(""), "knobs.yaml").table;
  switch (data[0] % 7) {
    case 0: {
      const auto loaded = parse_settings(text, "config.yaml");
      const auto edited = edit_settings(text, loaded.settings);
      if (edited && !loaded.problems.empty()) break;
      // What was read is what is there: nothing is to be changed but keys that were missing.
      if (edited && parse_settings(*edited, "config.yaml").settings.theme != loaded.settings.theme) std::abort();
      break;
    }
    case 1: static_cast<void>(theme_base(text)), static_cast<void>(parse_theme(text, "theme.yaml", Theme{})); break;
    case 2: static_cast<void>(parse_advisor(text, "advisor.yaml", {})); break;
    case 3: static_cast<void>(parse_knobs(text, "knobs.yaml")); break;
    case 4: {
      ModelTable models;
      static_cast<void>(read_models(text, "models.yaml", models));
      break;
    }
    case 5: {
      GpuTable gpus;
      static_cast<void>(read_gpus(text, "gpus.yaml", gpus));
      break;
    }
    default:
      for (const auto* file : {"train.yaml", "train.json", "train.toml", "train.py"})
        static_cast<void>(parse_training_file(text, file, table));
  }
  return 0;
}
