// The data folder: its file system, its disk, and how fast a file can be read past the page cache. Reads only, at most
// 64 MiB and 0.3 s; abandons a read that hangs (a network file system) after 1 s.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <thread>

#include "doctor/probe/probes.hpp"
#include "gputop/base/descriptor.hpp"

namespace gputop::doctor {
namespace {

using namespace std::chrono_literals;
constexpr auto kPatience = 300ms;
constexpr std::size_t kBlock = std::size_t{4} << 20U;
constexpr std::size_t kMost = std::size_t{64} << 20U;
constexpr std::uint64_t kLargeEnough = std::uint64_t{4} << 20U;
constexpr int kEntries = 2000;  // examined to find a large file

struct Mount {
  std::string filesystem;
  std::string device;  // "8:1"
};

// The line of mountinfo whose mount point is the longest prefix of `folder`.
Mount mount_of(const std::string& mountinfo, const std::string& folder) {
  Mount best;
  std::size_t length = 0;
  std::size_t begin = 0;
  while (begin < mountinfo.size()) {
    const auto end = std::min(mountinfo.find('\n', begin), mountinfo.size());
    const std::string line = mountinfo.substr(begin, end - begin);
    begin = end + 1;
    std::vector<std::string> words;
    for (std::size_t at = 0; at < line.size();) {
      const auto blank = std::min(line.find(' ', at), line.size());
      words.push_back(line.substr(at, blank - at));
      at = blank + 1;
    }
    std::size_t dash = 0;
    while (dash < words.size() && words[dash] != "-") ++dash;
    if (words.size() < 5 || dash + 1 >= words.size()) continue;
    const auto& point = words[4];
    const bool holds = point == "/" || folder == point || folder.starts_with(point + "/");
    if (holds && point.size() >= length) {
      length = point.size();
      best = {words[dash + 1], words[2]};
    }
  }
  return best;
}

Reading<bool> spins(const Files& files, const std::string& device) {
  const std::string folder = "/sys/dev/block/" + device;
  auto text = files.text(folder + "/queue/rotational");
  if (!text) text = files.text(folder + "/../queue/rotational");  // a partition has its disk's
  if (!text) return std::nullopt;
  return *text == "1";
}

std::filesystem::path large_file(const std::filesystem::path& folder) {
  std::filesystem::path found;
  std::uintmax_t size = kLargeEnough;
  std::error_code error;
  int seen = 0;
  const auto until = std::chrono::steady_clock::now() + kPatience;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  for (std::filesystem::recursive_directory_iterator entry{folder, options, error}, end;
       !error && entry != end && seen < kEntries && std::chrono::steady_clock::now() < until;
       entry.increment(error), ++seen) {
    std::error_code ignored;
    if (entry.depth() > 3) entry.disable_recursion_pending();
    if (!entry->is_regular_file(ignored) || entry->is_symlink(ignored)) continue;
    if (::access(entry->path().c_str(), R_OK) != 0) continue;
    const auto bytes = entry->file_size(ignored);
    if (!ignored && bytes >= size) {
      size = bytes;
      found = entry->path();
      if (size >= kMost) break;
    }
  }
  return found;
}

void measure(const std::filesystem::path& folder, DataFacts& data) {
  const auto file = large_file(folder);
  if (file.empty()) {
    data.speed_unknown = "no readable file of 4 MiB or more was found quickly";
    return;
  }
  const Descriptor opened{::open(file.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOFOLLOW)};
  if (!opened) {
    data.speed_unknown =
        errno == EINVAL ? "its file system cannot bypass the page cache" : "a file of it could not be opened";
    return;
  }
  const std::unique_ptr<void, decltype(&std::free)> buffer{std::aligned_alloc(4096, kBlock), &std::free};
  const auto begin = std::chrono::steady_clock::now();
  std::size_t total = 0;
  auto now = begin;
  while (buffer && total < kMost && now - begin < kPatience) {
    const auto got = ::read(opened.get(), buffer.get(), kBlock);
    if (got <= 0) break;
    total += static_cast<std::size_t>(got);
    now = std::chrono::steady_clock::now();
  }
  if (total < kLargeEnough) {
    data.speed_unknown = "a file could not be read past the page cache";
    return;
  }
  data.read_speed = BytesPerSecond{static_cast<double>(total) / std::chrono::duration<double>(now - begin).count()};
}

DataFacts look_at(const Files& files, const std::filesystem::path& folder, bool quietly) {
  DataFacts data;
  std::error_code error;
  const auto real = std::filesystem::canonical(folder, error);
  if (error) return data;
  data.folder = real.string();
  const auto mount = mount_of(files.text("/proc/self/mountinfo").value_or(""), data.folder);
  data.filesystem = mount.filesystem;
  struct stat status {};
  if (::stat(real.c_str(), &status) == 0) {
    data.rotational = spins(files, std::to_string(major(status.st_dev)) + ":" + std::to_string(minor(status.st_dev)));
  }
  if (quietly) {
    data.speed_unknown = "not beside a run";
  } else {
    measure(real, data);
  }
  return data;
}

}  // namespace

void probe_data(const Files& files, const std::filesystem::path& folder, bool quietly, Machine& machine) {
  constexpr auto kWholePatience = 1s;
  auto promise = std::make_shared<std::promise<DataFacts>>();
  auto answer = promise->get_future();
  try {
    std::thread{[promise, files, folder, quietly] { promise->set_value(look_at(files, folder, quietly)); }}.detach();
  } catch (const std::system_error&) {
    return;  // no thread could be started: unknown
  }
  if (answer.wait_for(kWholePatience) == std::future_status::ready) {
    machine.data = answer.get();
  } else {
    machine.data.folder = folder.string();
    machine.data.hangs = true;
  }
}

}  // namespace gputop::doctor
