// The control groups this process is in: the folders whose limits apply to it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gputop::host {

// One controller's groups, the process's own first, then its parents up to the root. All of their limits apply.
struct CgroupChain {
  int version = 0;  // 0: no such controller here, 1 or 2
  std::vector<std::string> folders;
};

// `membership` is the text of /proc/self/cgroup, `root` is where the control groups are mounted. Inside a container the
// path may be a host path or lead out of the namespace ("/../.."). Missing parts are skipped; the mount's root always
// remains.
CgroupChain find_cgroup_chain(std::string_view membership, const std::string& root, std::string_view controller);

}  // namespace gputop::host
