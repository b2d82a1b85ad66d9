// Masks what looks like a secret on a command line. Command lines go into recordings, snapshots and lists, which people
// share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gputop {

// The command with "***" in place of: values of arguments and assignments with a secret's name (--token X, --api-key=X,
// db_password=X, HF_TOKEN=X, -p X), whatever follows "Bearer", the password of a login (-u user:X), user information in
// URLs, and words that look like the keys of well-known services (hf_…, sk-…, ghp_…, AKIA…). Pure and idempotent.
std::string mask_secrets(std::string_view command);
// The same for a command already split into words, where a secret may contain blanks.
std::vector<std::string> mask_arguments(const std::vector<std::string>& argv);

}  // namespace gputop
