// The probes, on folders that stand for a machine: whole, in parts, and with nothing in them.
#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "gputop/doctor/probe.hpp"
#include "support/temporary_directory.hpp"
#include "unit/doctor/machines.hpp"

namespace gputop::doctor {
namespace {

namespace fs = std::filesystem;

struct Root {
  test::TemporaryDirectory folder;
  [[nodiscard]] fs::path here() const { return folder.path(); }

  void write(const std::string& path, const std::string& text) const {
    const auto file = here() / path;
    fs::create_directories(file.parent_path());
    std::ofstream{file, std::ios::binary} << text;
  }
  void script(const std::string& path, const std::string& text) const {
    write(path, text);
    ::chmod((here() / path).c_str(), 0755);
  }
  void link(const std::string& path, const std::string& target) const {
    fs::create_directories((here() / path).parent_path());
    fs::create_symlink(target, here() / path);
  }
  [[nodiscard]] Machine look(std::vector<std::string> command = {}, bool quietly = true) const {
    Machine machine;
    machine.gpus = {healthy_gpu(0), healthy_gpu(1)};
    machine.gpus[0].pci_bus_id = "00000000:3B:00.0";
    machine.gpus[1].pci_bus_id = "../../etc";
    machine.gpus[0].processes = std::vector<GpuProcess>{{.pid = 42, .memory_used = 1_GiB}};
    const auto programs = (here() / "bin").string();
    probe({.root = folder.path(),
           .command = std::move(command),
           .data = folder.path(),
           .environment = [programs](std::string_view name) -> std::optional<std::string> {
             if (name == "PATH") return programs;
             if (name == "OMP_NUM_THREADS") return "3";
             return std::nullopt;
           },
           .quietly = quietly},
          machine);
    return machine;
  }
};

// The configuration space of a bridge whose first extended capability is ACS, with this control word.
std::string bridge(unsigned control, bool root = true) {
  std::string bytes(root ? 4096 : 64, '\0');
  if (!root) return bytes;
  bytes[0x100] = 0x01;  // some other capability, then ACS at 0x150
  bytes[0x102] = 0x01;
  bytes[0x103] = 0x15;
  bytes[0x150] = 0x0D;
  bytes[0x156] = static_cast<char>(control);
  return bytes;
}

}  // namespace

TEST_CASE("probe: a machine's folders become facts", "[doctor]") {
  const Root root;
  root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  root.write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
  root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate\n");
  root.write("sys/devices/system/cpu/cpu0/cpufreq/energy_performance_preference", "balance_power\n");
  root.write("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "nonsense\n");
  root.write("proc/cpuinfo", "flags\t\t: fpu vme hypervisor lahf_lm\n");
  root.write("sys/devices/system/node/node0/cpulist", "0-15\n");
  root.write("sys/devices/system/node/node1/cpulist", "16-31\n");
  root.write("proc/sys/kernel/numa_balancing", "1\n");
  root.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  root.write("proc/self/status", "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-3,8\nMems_allowed:\t1\n");
  root.write("sys/class/iommu/dmar0/x", "");
  root.write("proc/1/comm", "systemd\n");
  root.link("proc/self/ns/pid", "pid:[4026531836]");
  root.write("proc/42/comm", "python3\n");
  root.write("proc/42/stat", "42 (a) b) Z 1 2 3");
  root.write("sys/devices/pci0000:3a/0000:3a:00.0/config", bridge(0x1d));
  root.write("sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/numa_node", "1\n");
  root.write("sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/local_cpulist", "16-31\n");
  root.write("sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/vendor", "0x10de\n");
  root.write("sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/class", "0x030200\n");
  root.write("sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/iommu_group/type", "DMA-FQ\n");
  root.link("sys/bus/pci/devices/0000:3b:00.0", "../../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0");
  const auto machine = root.look();
  CHECK(machine.cpu.governors == std::vector<std::string>{"powersave", "performance"});
  CHECK(machine.cpu.drivers == std::vector<std::string>{"intel_pstate"});
  CHECK(machine.cpu.preferences == std::vector<std::string>{"balance_power"});
  CHECK(machine.cpu.virtual_machine == true);
  CHECK(machine.numa.nodes == std::vector<std::string>{"0-15", "16-31"});
  CHECK(machine.numa.balancing == true);
  CHECK(machine.transparent_pages == "madvise");
  CHECK(machine.affinity == "0-3,8");
  CHECK(machine.iommu_on == true);
  CHECK(machine.host_processes == true);
  CHECK(machine.nvidia_devices == 1U);
  CHECK(machine.environment.at("OMP_NUM_THREADS") == "3");
  CHECK(machine.limits.known);
  CHECK_FALSE(machine.container);
  REQUIRE(machine.places.size() == 2);
  CHECK(machine.places[0].numa_node == 1);
  CHECK(machine.places[0].local_cpus == "16-31");
  CHECK(machine.places[0].iommu_domain == "DMA-FQ");
  CHECK(machine.places[0].acs_redirects == true);
  CHECK_FALSE(machine.places[1].numa_node);
  REQUIRE(machine.tenants);
  REQUIRE(machine.tenants->size() == 1);
  CHECK(machine.tenants->front().name == "python3");
  CHECK(machine.tenants->front().state == 'Z');
}

TEST_CASE("probe: without /proc and /sys nothing is known, and nothing is made up", "[doctor]") {
  const Root root;
  const auto machine = root.look();
  CHECK(machine.cpu.governors.empty());
  CHECK_FALSE(machine.cpu.virtual_machine);
  CHECK(machine.numa.nodes.empty());
  CHECK_FALSE(machine.numa.balancing);
  CHECK_FALSE(machine.transparent_pages);
  CHECK_FALSE(machine.affinity);
  CHECK_FALSE(machine.iommu_on);
  CHECK_FALSE(machine.host_processes);
  CHECK_FALSE(machine.nvidia_devices);
  CHECK(machine.data.filesystem.empty());
  for (const auto id : {"cpu_governor", "gpu_numa", "numa_balancing", "transparent_huge_pages", "iommu", "acs",
                        "gpu_tenants", "gpu_leftovers", "data_folder", "cuda_versions"}) {
    CAPTURE(id);
    CHECK(to_string(look(machine, id).level) == "unknown");
  }
}

TEST_CASE("probe: a bridge's settings need root, and one without ACS redirects nothing", "[doctor]") {
  for (const auto& [config, redirects] : {std::pair{bridge(0x1d), Reading<bool>{true}},
                                          {bridge(0x01), Reading<bool>{false}},
                                          {std::string(256, '\0'), Reading<bool>{false}},
                                          {bridge(0, false), Reading<bool>{}}}) {
    const Root root;
    root.write("sys/devices/pci0000:3a/0000:3a:00.0/config", config);
    root.write("sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/numa_node", "-1\n");
    root.link("sys/bus/pci/devices/0000:3b:00.0", "../../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0");
    const auto machine = root.look();
    CHECK(machine.places[0].acs_redirects == redirects);
    CHECK_FALSE(machine.places[0].numa_node);  // -1: the firmware does not say
  }
}

TEST_CASE("probe: containers are known by what they leave, other process ids by their namespace", "[doctor]") {
  const Root docker;
  docker.write(".dockerenv", "");
  docker.write("proc/1/comm", "bash\n");
  docker.link("proc/self/ns/pid", "pid:[4026532999]");
  CHECK(docker.look().container);
  CHECK(docker.look().host_processes == false);
  const Root image;  // a virtual machine whose disk was made of a container's image
  image.write(".dockerenv", "");
  image.write("proc/1/comm", "init\n");
  image.link("proc/self/ns/pid", "pid:[4026531836]");
  image.write("proc/self/mountinfo", "20 1 254:0 / / rw - ext4 /dev/vda rw\n");
  CHECK_FALSE(image.look().container);
  image.write("proc/self/mountinfo", "20 1 0:50 / / rw,relatime - overlay overlay rw\n");  // docker run --pid=host
  CHECK(image.look().container);
  const Root hidden;  // hidepid=2: the first process cannot be seen
  hidden.link("proc/self/ns/pid", "pid:[4026531836]");
  CHECK(hidden.look().host_processes == false);
}

TEST_CASE("probe: the lowest limit of processes in the control groups above this process", "[doctor]") {
  const Root second;
  second.write("proc/self/cgroup", "0::/a/b\n");
  second.write("sys/fs/cgroup/a/pids.max", "512\n");
  second.write("sys/fs/cgroup/a/b/pids.max", "max\n");
  CHECK(second.look().limits.group_processes == 512U);
  const Root first;  // of a container: its path is the host's, and only the mount's root exists
  first.write("proc/self/cgroup", "8:pids:/docker/0123\n4:memory:/docker/0123\n0::/\n");
  first.write("sys/fs/cgroup/pids/pids.max", "100\n");
  CHECK(first.look().limits.group_processes == 100U);
  CHECK_FALSE(Root{}.look().limits.group_processes);
}

TEST_CASE("probe: the mount that holds the data folder", "[doctor]") {
  const Root root;
  const auto here = fs::canonical(root.here()).string();
  root.write("proc/self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:5 / " + here +
                                        " rw shared:1 - nfs4 server:/x rw\n3 1 0:6 / " + here +
                                        "x rw - tmpfs none rw\ntorn line\n4 1\n");
  CHECK(root.look().data.filesystem == "nfs4");
}

TEST_CASE("probe: the command says its ranks and its images' size", "[doctor]") {
  const Root root;
  auto machine = root.look({"torchrun", "--nproc_per_node=4", "train.py", "--imgsz", "640"});
  CHECK(machine.ranks == 4U);
  CHECK(machine.image_side == 640U);
  CHECK(machine.has_command);
  CHECK(machine.launcher_sets_threads);
  machine = root.look({"python", "train.py", "imgsz=320", "--num_processes", "many"});
  CHECK(machine.image_side == 320U);
  CHECK_FALSE(machine.ranks);
  CHECK_FALSE(machine.launcher_sets_threads);
}

TEST_CASE("probe: a shim says which Python it stands for, and that one where its PyTorch is", "[doctor]") {
  const Root root;
  root.write("real/torch/__init__.py", "raise SystemExit('must not be imported')");
  root.write("real/torch/version.py",
             "from typing import Optional\n__version__ = '2.15.0+cu130'\ndebug = False\n"
             "cuda: Optional[str] = '13.0'\nhip: Optional[str] = None\n");
  const auto origin = (root.here() / "real/torch/__init__.py").string();
  root.script("bin/python3", "#!/bin/sh\nprintf '/real/bin/python3\\n" + origin + "\\nend\\n'\n");
  const auto machine = root.look({}, false);
  CHECK(machine.torch.python == "/real/bin/python3");
  CHECK(machine.torch.version == "2.15.0+cu130");
  CHECK(machine.torch.cuda == "13.0");
  CHECK(machine.torch.unknown.empty());
}

TEST_CASE("probe: a Python without PyTorch, a silent one, one that hangs, and none at all", "[doctor]") {
  const Root none;
  CHECK(none.look({}, false).torch.unknown == "no Python found");
  const Root plain;
  plain.script("bin/python3", "#!/bin/sh\nprintf '/usr/bin/python3\\n\\nend\\n'\n");
  CHECK(plain.look({}, false).torch.unknown.empty());
  CHECK(plain.look({}, false).torch.version.empty());
  const Root silent;
  silent.script("bin/python3", "#!/bin/sh\nexit 1\n");
  CHECK(silent.look({}, false).torch.unknown.find("did not say") != std::string::npos);
  const Root stuck;
  stuck.script("bin/python3", "#!/bin/sh\n/bin/sleep 1000\n");
  const auto begin = std::chrono::steady_clock::now();
  CHECK(stuck.look({}, false).torch.unknown.find("did not say") != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{100});  // it does not wait for the sleep
}

TEST_CASE("probe: a launcher's first line names its Python", "[doctor]") {
  const Root root;
  root.script("bin/python3", "#!/bin/sh\nprintf '/wrong\\n\\nend\\n'\n");
  root.script("venv/python3.13", "#!/bin/sh\nprintf '/right\\n\\nend\\n'\n");
  root.script("bin/torchrun", "#!" + (root.here() / "venv/python3.13").string() + "\nimport sys\n");
  CHECK(root.look({"torchrun", "train.py"}, false).torch.python == "/right");
  CHECK(root.look({"python3", "train.py"}, false).torch.python == "/wrong");
}

TEST_CASE("probe: a command that does not say which Python it starts is not taken for the shell's", "[doctor]") {
  const Root root;
  root.script("bin/python3", "#!/bin/sh\nprintf '/wrong\\n\\nend\\n'\n");
  root.script("bin/bash", "#!/bin/sh\n");
  root.script("bin/conda", "#!" + (root.here() / "bin/python3").string() + "\n");
  const auto unknown = [&](std::vector<std::string> command) { return root.look(std::move(command), false).torch.unknown; };
  CHECK(unknown({"bash", "python_train.sh"}) == "bash does not say which Python it starts");
  CHECK(unknown({"conda", "run", "-n", "env", "python3", "train.py"}).find("conda chooses the Python") == 0);
  CHECK(unknown({"nosuchprogram", "train.py"}) == "nosuchprogram was not found");
  CHECK(unknown({"python3.99", "train.py"}) == "python3.99 was not found");
  CHECK(unknown({"env", "X=1", "python3", "train.py"}).empty());
}

TEST_CASE("probe: a large file is read past the page cache, or why not is said", "[doctor]") {
  const Root root;
  CHECK(root.look({}, false).data.speed_unknown == "no readable file of 4 MiB or more was found quickly");
  root.write("large", std::string(std::size_t{8} << 20U, 'x'));
  const auto data = root.look({}, false).data;
  CHECK((data.read_speed.has_value() != !data.speed_unknown.empty()));
}

}  // namespace gputop::doctor
