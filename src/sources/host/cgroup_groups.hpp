// Which control groups this process is in: the folders whose limits bind it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gputop::host {

// One controller's groups, the process' own first and then its parents up to the root: every one of them binds it.
struct CgroupChain {
  int version = 0;  // 0: no such controller here, 1 or 2
  std::vector<std::string> folders;
};

// `membership` is the text of /proc/self/cgroup, `root` where the control groups are mounted. Inside a container the
// path may be one of the host's, or lead out of the namespace ("/../.."): what of it is not there is left out, the
// mount's root stays.
CgroupChain find_cgroup_chain(std::string_view membership, const std::string& root, std::string_view controller);

}  // namespace gputop::host
