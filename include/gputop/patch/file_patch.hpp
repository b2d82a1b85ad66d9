// Files changed safely: each is the old one or the new one at every moment, several are changed together or not at all,
// and nothing is overwritten that changed meanwhile.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"

namespace gputop::patch {

struct FileEdit {
  std::filesystem::path path;
  std::string before;  // what was read, and what the edit was made for
  std::string after;
};

// What the user has agreed to.
struct Consent {
  bool links = false;    // follow symbolic links, one name of several of a file
  bool foreign = false;  // files that belong to somebody else
  bool outside = false;  // files outside the project
};

struct PatchedFile {
  std::filesystem::path path;  // with links followed
  std::string before;
  std::string after;
  std::filesystem::path backup;
};

// All or none: when one cannot be written, those before it are put back. The bytes that were there are kept beside each
// file as NAME.backup, or NAME.backup.1 and so on: never over another. Mode, owner and extended attributes stay.
//
// kPermission: a file is a link or another's, and there was no consent. kInvalid: it is read-only, or no file.
// kMismatch: a file is not what was read any more. Killed at any moment, each file is the old one or the new one.
Result<std::vector<PatchedFile>> patch_files(std::span<const FileEdit> edits, const Consent& consent = {});

// Puts back what was there, unless somebody has changed a file since. The backups stay.
Status unpatch_files(std::span<const PatchedFile> files, const Consent& consent = {});

// A file that must not be there yet, atomically.
Status create_file(const std::filesystem::path& path, const std::string& text);

}  // namespace gputop::patch
