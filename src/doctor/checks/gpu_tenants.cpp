// gpu_tenants — a desktop, a browser or another user's program also uses the GPU.
#include <algorithm>
#include <array>
#include <string_view>

#include "doctor/checks.hpp"
#include "gputop/core/format.hpp"

namespace gputop::doctor::checks {
namespace {

bool is_desktop(std::string_view name) {
  constexpr std::array<std::string_view, 14> kNames{
      "Xorg",    "Xwayland", "gnome-shell", "kwin_wayland", "kwin_x11", "plasmashell", "chrome",
      "firefox", "chromium", "code",        "cinnamon",     "mutter",   "compiz",      "sddm-greeter"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace

Verdict gpu_tenants(const Machine& machine) {
  if (machine.gpus.empty()) return unknown("no GPU to check");
  if (!machine.tenants)
    return unknown("the driver does not list processes here" +
                   std::string{machine.container ? " (inside a container)" : ""});
  if (!machine.host_processes.value_or(false))
    return unknown("the driver's process ids are the host's, which cannot be seen here");
  std::string desktop;
  std::string others;
  const auto add = [](std::string& list, const GpuTenant& tenant) {
    list += (list.empty() ? "GPU " : "; GPU ") + std::to_string(tenant.gpu) + ": " + printable(tenant.name) + " (" +
            std::to_string(tenant.pid) + ")";
    if (tenant.memory) list += " " + format_bytes(*tenant.memory);
  };
  for (const auto& tenant : *machine.tenants) {
    if (tenant.name.empty() || tenant.state == 'Z') continue;  // handled by gpu_leftovers
    if (is_desktop(tenant.name)) {
      add(desktop, tenant);
    } else if (tenant.uid && *tenant.uid != machine.uid) {
      add(others, tenant);
    }
  }
  if (desktop.empty() && others.empty()) return ok("nobody else");
  const std::string both = desktop + (desktop.empty() || others.empty() ? "" : "; ") + others;
  return {Level::kWarn, both, "they hold GPU memory, and their kernels take turns with the run's",
          !desktop.empty() ? "stop the desktop while you train: systemctl isolate multi-user.target"
                           : "pick another GPU (CUDA_VISIBLE_DEVICES), or ask them",
          !desktop.empty()};
}

}  // namespace gputop::doctor::checks
