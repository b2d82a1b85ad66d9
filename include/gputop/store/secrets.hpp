// Command lines go into recordings, and recordings get passed around: what looks like a secret on one is masked first.
#pragma once

#include <string>
#include <string_view>

namespace gputop {

// The command with "***" in place of: values of arguments and assignments named like a secret (--token X, --api-key=X,
// db_password=X, HF_TOKEN=X), whatever follows "Bearer", user information in URLs, and words shaped like the keys of
// well known services (hf_…, sk-…, ghp_…, AKIA…). Pure; masking a masked command changes nothing.
std::string mask_secrets(std::string_view command);

}  // namespace gputop
