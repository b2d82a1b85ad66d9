// One file about to be replaced: checked, its successor written beside it, exchanged on commit.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "gputop/patch/file_patch.hpp"
#include "patch/file_io.hpp"

namespace gputop::patch {

// Owns the temporary file beside the target until it is committed.
class Replacement {
 public:
  // Checks the file and writes its successor: nothing that can be seen has changed yet.
  static Result<Replacement> prepare(const FileEdit& edit, const Consent& consent);

  Replacement(Replacement&& other) noexcept;
  Replacement& operator=(Replacement&&) = delete;
  ~Replacement();

  // A copy of the old bytes under the first free NAME.backup.
  Result<std::filesystem::path> back_up() const;

  // The successor takes the name, if what has it is still what was read; else nothing has happened.
  Status commit();
  // After a commit that must not stand: the old file takes its name again.
  Status take_back();

  [[nodiscard]] const std::filesystem::path& target() const { return target_; }

 private:
  Replacement() = default;
  [[nodiscard]] Status check_unchanged(const std::filesystem::path& path) const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;  // the successor; after an exchange the predecessor
  std::string before_;
  struct stat about_ {};
  bool exchanged_ = false;  // commit swapped the two names, so that it can be swapped back
};

}  // namespace gputop::patch
