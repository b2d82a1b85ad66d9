#include "sources/host/cgroup_groups.hpp"

#include "sources/host/kernel_file.hpp"
#include "sources/host/text_scan.hpp"

namespace gputop::host {
namespace {

bool lists(std::string_view controllers, std::string_view wanted) {
  TextScan scan{controllers};
  while (!scan.done()) {
    if (scan.until(',') == wanted) return true;
  }
  return false;
}

std::vector<std::string> folders_up(const std::string& mount, std::string_view path) {
  std::vector<std::string> folders;
  if (path == "/.." || path.starts_with("/../")) path = {};
  while (!path.empty() && path != "/") {
    if (auto folder = mount + std::string{path}; exists(folder)) folders.push_back(std::move(folder));
    path = path.substr(0, path.rfind('/'));
  }
  folders.push_back(mount);
  return folders;
}

// The unified hierarchy, alone or next to those of version 1.
std::string unified_mount(const std::string& root) {
  for (auto mount : {root, root + "/unified"}) {
    if (exists(mount + "/cgroup.controllers")) return mount;
  }
  return {};
}

}  // namespace

CgroupChain find_cgroup_chain(std::string_view membership, const std::string& root, std::string_view controller) {
  std::string_view unified_path;
  bool in_unified = false;
  TextScan lines{membership};
  while (!lines.done()) {
    TextScan line{lines.line()};
    line.until(':');  // the hierarchy's number
    const auto controllers = line.until(':');
    const auto path = line.rest();
    if (controllers.empty()) {
      unified_path = path;
      in_unified = true;
      continue;
    }
    if (!lists(controllers, controller)) continue;
    // Mounted under the names of all its controllers ("cpu,cpuacct"), or just this one.
    for (const auto name : {controllers, controller}) {
      const auto mount = root + "/" + std::string{name};
      if (exists(mount)) return {1, folders_up(mount, path)};
    }
  }
  const auto mount = unified_mount(root);
  if (!in_unified || mount.empty()) return {};
  return {2, folders_up(mount, unified_path)};
}

}  // namespace gputop::host
