// Keeps a rehearsed program from writing what is the user's, whatever language it writes in: its folders are overlaid
// where the system lets us, and the kernel refuses the rest (Landlock). Python's own writes are turned aside before that
// (lens, rehearsal/files.py).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gputop {

class WriteGuard {
 public:
  // Below `scratch` may be written. The folders to overlay are the working one and the home, where nothing else is
  // mounted below them: an overlay would hide that.
  explicit WriteGuard(const std::filesystem::path& scratch);

  // In the child, before its program: system calls only. What is in force is written to report(): a letter, and the
  // overlaid folders, a line each. In those Python writes like everybody else (lens, rehearsal/files.py).
  void enter() const;
  [[nodiscard]] const std::string& report() const { return report_; }

  // Removes what the overlays leave: folders that not even their owner may look into.
  void clear() const;

  // What C code could still have written, for people; "" where it could not.
  [[nodiscard]] std::string gap() const;

 private:
  struct Overlay {
    std::string folder;
    std::string line;  // for the report
    std::string options;
  };
  // Which of overlays_ stand, one bit each.
  [[nodiscard]] unsigned overlay_folders() const;
  [[nodiscard]] bool refuse_the_rest(unsigned standing) const;

  std::string scratch_;
  std::string report_;
  std::string working_;
  std::string user_map_;
  std::string group_map_;
  std::vector<Overlay> overlays_;
};

// Those of `folders` that an overlay can stand in for, outermost only; `mounts` is the text of /proc/self/mountinfo.
std::vector<std::string> overlaid_folders(const std::vector<std::string>& folders, std::string_view mounts, const std::string& scratch);

}  // namespace gputop
