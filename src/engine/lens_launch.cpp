#include "gputop/engine/lens_launch.hpp"

#include "gputop/base/output.hpp"
#include "gputop/config/assets.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/lens/injection.hpp"
#include "gputop/lens/isolation.hpp"
#include "gputop/run/run_dir.hpp"

namespace gputop {
namespace {

constexpr std::string_view kEmbedded = "src/lens/";

std::vector<LensFile> lens_files() {
  std::vector<LensFile> files;
  for (const auto path : assets_under(kEmbedded)) files.push_back({path.substr(kEmbedded.size()), *asset(path)});
  return files;
}

}  // namespace

std::string why_no_lens(bool wanted, const std::vector<std::string>& job) {
  if (!wanted) return "lens not available: --no-lens";
  if (process_environment()("GPUTOP_LENS") == "0") return "lens not available: GPUTOP_LENS=0";
  if (const auto option = isolating_option(job)) {
    return "lens not available: isolated mode (python " + *option + " does not look at PYTHONPATH or sitecustomize)";
  }
  return {};
}

Status put_lens(const std::filesystem::path& directory) {
  return write_lens(run::lens_folder(directory), lens_files());
}

void add_lens(run::LaunchRequest& request, const std::string& overrides) {
  request.prepare = [overrides](const std::filesystem::path& directory) {
    const auto written = put_lens(directory);
    if (!written) {
      complain("lens not available: " + written.error().message);
      return std::vector<std::pair<std::string, std::string>>{};
    }
    return lens_environment({.folder = run::lens_folder(directory),
                             .socket = run::lens_socket(directory),
                             .python_path = process_environment()("PYTHONPATH").value_or(""),
                             .overrides = overrides});
  };
}

}  // namespace gputop
