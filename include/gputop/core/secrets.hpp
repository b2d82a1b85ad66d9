// Command lines go into recordings, snapshots and lists, and those get passed around: what looks like a secret on one
// is masked first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gputop {

// The command with "***" in place of: values of arguments and assignments named like a secret (--token X, --api-key=X,
// db_password=X, HF_TOKEN=X, -p X), whatever follows "Bearer", the password of a login (-u user:X), user information in
// URLs, and words shaped like the keys of well known services (hf_…, sk-…, ghp_…, AKIA…). Pure; masking a masked
// command changes nothing.
std::string mask_secrets(std::string_view command);
// The same where the words are known apart: a secret may have blanks in it.
std::vector<std::string> mask_arguments(const std::vector<std::string>& argv);

}  // namespace gputop
