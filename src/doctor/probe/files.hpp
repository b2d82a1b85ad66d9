// Small kernel files, below a root that tests can choose.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputop::doctor {

class Files {
 public:
  explicit Files(std::filesystem::path root) : root_(std::move(root)) {}

  // The file without its last newline; nullopt if it cannot be read. At most 64 KiB.
  [[nodiscard]] std::optional<std::string> text(std::string_view path) const;
  [[nodiscard]] std::optional<std::string> bytes(std::string_view path) const;  // as they are
  [[nodiscard]] bool exists(std::string_view path) const;
  // Names in a folder, sorted; empty if it cannot be read.
  [[nodiscard]] std::vector<std::string> names(std::string_view folder) const;
  [[nodiscard]] std::filesystem::path below_root(std::string_view path) const;

 private:
  std::filesystem::path root_;
};

}  // namespace gputop::doctor
