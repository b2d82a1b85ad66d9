// Several files as one change: see file_patch.hpp.
#include "gputop/patch/file_patch.hpp"

#include <fcntl.h>

#include <cerrno>

#include "patch/file_io.hpp"
#include "patch/replacement.hpp"
#include "patch/temporary_name.hpp"

namespace gputop::patch {
namespace {

// Commits in order; when one fails, those before it are taken back. `restored`: everything is as it was.
Status commit_all(std::vector<Replacement>& replacements, bool& restored) {
  restored = true;
  for (std::size_t i = 0; i < replacements.size(); ++i) {
    const auto done = replacements[i].commit();
    if (done) continue;
    Error error = done.error();
    for (std::size_t k = i; k-- > 0;) {
      if (const auto back = replacements[k].take_back(); !back) {
        restored = false;
        error.message += "; and " + replacements[k].target().string() + " could not be put back (" +
                         back.error().message + "): its .backup has the old text";
      }
    }
    return error;
  }
  return success();
}

Result<std::vector<Replacement>> prepare_all(std::span<const FileEdit> edits, const Consent& consent) {
  std::vector<Replacement> replacements;
  for (const auto& edit : edits) {
    auto replacement = Replacement::prepare(edit, consent);
    if (!replacement) return replacement.error();
    replacements.push_back(*std::move(replacement));
  }
  return replacements;
}

}  // namespace

Result<std::vector<PatchedFile>> patch_files(std::span<const FileEdit> edits, const Consent& consent) {
  auto replacements = prepare_all(edits, consent);
  if (!replacements) return replacements.error();
  std::vector<PatchedFile> patched;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    auto backup = (*replacements)[i].back_up();
    if (!backup) {
      for (const auto& file : patched) ::unlink(file.backup.c_str());  // nothing was changed: they are of no use
      return backup.error();
    }
    patched.push_back({(*replacements)[i].target(), edits[i].before, edits[i].after, *std::move(backup)});
  }
  bool restored = false;
  if (auto done = commit_all(*replacements, restored); !done) {
    for (const auto& file : patched) {
      if (restored) ::unlink(file.backup.c_str());
    }
    return done.error();
  }
  return patched;
}

Status unpatch_files(std::span<const PatchedFile> files, const Consent& consent) {
  std::vector<FileEdit> edits;
  for (auto file = files.rbegin(); file != files.rend(); ++file)
    edits.push_back({file->path, file->after, file->before});
  auto replacements = prepare_all(edits, consent);
  if (!replacements) return replacements.error();
  bool restored = false;
  return commit_all(*replacements, restored);
}

Status create_file(const std::filesystem::path& path, const std::string& text) {
  const auto temporary = temporary_name(path);
  const Descriptor file{::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)};
  if (!file) return failed("writing beside", path);
  auto done = write_all(file.get(), text, path);
  if (done && ::link(temporary.c_str(), path.c_str()) == -1) done = failed("creating", path);
  ::unlink(temporary.c_str());
  return done;
}

}  // namespace gputop::patch
