// A small machine in a temporary folder: the files of /proc, /sys and the control groups that a test writes.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/sources/host_source.hpp"

namespace gputop::host {

using namespace std::string_literals;  // arguments are separated by NULs

class Machine {
 public:
  Machine() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gputop-host-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    write("proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0\nbtime 1000000000\n");
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return (root_ / name).string(); }

  // In place, so that a file that is kept open shows the new text, as the kernel's do.
  void write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream{root_ / name, std::ios::binary} << text;
  }
  void make_folder(const std::string& name) const { std::filesystem::create_directories(root_ / name); }
  void remove(const std::string& name) const { std::filesystem::remove_all(root_ / name); }

  // The options to read this machine; every user is called "user<uid>" but 99, which has no name.
  [[nodiscard]] HostOptions options() const {
    return {.proc = path("proc"),
            .sys = path("sys"),
            .cgroup = path("cgroup"),
            .shm = path("shm"),
            .affinity = [] { return Reading<unsigned>{8}; },
            .user_name = [](std::uint64_t uid) { return uid == 99 ? "" : "user" + std::to_string(uid); }};
  }

 private:
  std::filesystem::path root_;
};

// A process of the machine, as /proc shows it.
struct FakeProcess {
  std::int64_t pid = 0;
  std::int64_t parent = 1;
  std::string name = "python";
  std::string command = "python\0train.py\0"s;
  char state = 'S';
  std::uint64_t user_ticks = 0;
  std::uint64_t system_ticks = 0;
  unsigned threads = 1;
  std::uint64_t start_ticks = 500;
  std::uint64_t resident_pages = 256;
  std::uint64_t uid = 1000;
  std::uint64_t involuntary_switches = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  bool io_readable = true;

  void write(const Machine& machine) const {
    const auto folder = "proc/" + std::to_string(pid);
    const auto n = [](std::uint64_t value) { return std::to_string(value) + " "; };
    machine.write(folder + "/stat",
                  std::to_string(pid) + " (" + name + ") " + state + " " + std::to_string(parent) +
                      " 1 1 0 -1 4194304 9 0 0 0 " + n(user_ticks) + n(system_ticks) + "7 7 20 0 " + n(threads) + "0 " +
                      n(start_ticks) + "1000000 " + n(resident_pages) +
                      "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    machine.write(folder + "/cmdline", command);
    machine.write(folder + "/status", "Name:\t" + name + "\nUid:\t" + std::to_string(uid) +
                                          "\t0\t0\t0\nvoluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t" +
                                          std::to_string(involuntary_switches) + "\n");
    if (io_readable) {
      machine.write(folder + "/io", "rchar: 999\nwchar: 999\nread_bytes: " + std::to_string(bytes_read) +
                                        "\nwrite_bytes: " + std::to_string(bytes_written) +
                                        "\ncancelled_write_bytes: 0\n");
    }
    machine.make_folder(folder + "/task/" + std::to_string(pid));
  }
};

// The source on a machine, ticked by hand.
class Ticked {
 public:
  explicit Ticked(HostOptions options) : source_(make_host_source(std::move(options))) {
    source_->start(Instant{}, [this](Event event) { events_.push_back(std::move(event)); });
  }

  HostReading host_at(double seconds) {
    tick(seconds);
    return std::get<HostSampled>(events_.at(events_.size() - 2).payload).host;
  }
  std::vector<ProcessReading> processes_at(double seconds) {
    tick(seconds);
    return std::get<ProcessesSampled>(events_.back().payload).processes;
  }
  void tick(double seconds) { source_->tick(at_seconds(seconds)); }

  HostSource& source() { return *source_; }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }

 private:
  std::vector<Event> events_;
  std::unique_ptr<HostSource> source_;
};

}  // namespace gputop::host
