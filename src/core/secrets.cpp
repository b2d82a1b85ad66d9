#include "gputop/core/secrets.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"

namespace gputop {
namespace {

constexpr std::string_view kMask = "***";

bool is_name(char c) {
  return is_alnum(c) || c == '_' || c == '-' || c == '.';
}

bool equal_words(std::string_view a, std::string_view lower_case) {
  return std::equal(a.begin(), a.end(), lower_case.begin(), lower_case.end(),
                    [](char x, char y) { return to_lower(x) == y; });
}

template <std::size_t kSize>
bool is_one_of(std::string_view word, const std::array<std::string_view, kSize>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view other) { return word == other; });
}

// "--hfAuth-token" → hf auth token
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool hump = i > 0 && is_upper(char_at(name, i)) && !is_upper(char_at(name, i - 1));
    if ((!is_alnum(char_at(name, i)) || hump) && !words.back().empty()) words.emplace_back();
    if (is_alnum(char_at(name, i))) words.back() += to_lower(char_at(name, i));
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// A name is secret if it ends like one. max_tokens, tokenizer, token_ids and password_file do not; eos_token belongs to
// a tokenizer.
bool is_secret_name(std::string_view name) {
  static constexpr std::array<std::string_view, 18> kSecret{
      "token",     "password",  "passwd",        "pass",        "passphrase", "secret",
      "secrets",   "apikey",    "credential",    "credentials", "bearer",     "authtoken",
      "secretkey", "accesskey", "authorization", "auth",        "pw",         "pat"};
  static constexpr std::array<std::string_view, 11> kKeyOf{
      "api", "access", "secret", "private", "auth", "account", "wandb", "hf", "storage", "encryption", "license"};
  static constexpr std::array<std::string_view, 8> kTokenOf{"eos", "bos", "pad", "unk", "cls", "sep", "mask", "image"};
  const auto words = words_of(name);
  if (words.empty()) return false;
  const std::string_view last = words.back();
  const std::string_view before = words.size() > 1 ? std::string_view{words[words.size() - 2]} : std::string_view{};
  if (last == "token" && is_one_of(before, kTokenOf)) return false;
  if (last == "key") return is_one_of(before, kKeyOf) || name == "--key" || name == "-key";
  return is_one_of(last, kSecret);
}

// For "user:password" in one word, as curl and others take it.
bool names_a_login(std::string_view name) {
  return name == "-u" || name == "--user" || name == "--proxy-user";
}

// "-p" is a password for some programs and a port, a share or a folder for others; those are recognizable.
bool is_port_or_path(std::string_view value) {
  constexpr std::size_t kLongestNumber = 5;
  const auto word = slice(value, 0, value.find(' '));
  const bool number = word.size() <= kLongestNumber && word.find_first_not_of("0123456789.") == std::string_view::npos;
  const auto colon = word.find(':');
  const bool ports = colon != std::string_view::npos && word.find_first_not_of("0123456789:") == std::string_view::npos;
  return number || ports || word.starts_with('/') || word.starts_with("./") || word.starts_with("../") ||
         word.starts_with("~/");
}

// Where the password of "user:password" begins; npos if it is something else, as in "1000:1000" or "train.py".
std::size_t password_start(std::string_view login) {
  const auto colon = login.find(':');
  const auto user = slice(login, 0, colon);
  if (colon == std::string_view::npos || user.empty() || colon + 1 == login.size() ||
      user.find_first_of(" /") != std::string_view::npos ||
      login.find_first_not_of("0123456789:") == std::string_view::npos)
    return std::string_view::npos;
  return colon + 1;
}

// Where the password of "-uUSER:PASSWORD" begins, as curl takes it without a blank; npos if it is something else.
std::size_t attached_password_start(std::string_view word) {
  if (!word.starts_with("-u") || word.find("://") != std::string_view::npos) return std::string_view::npos;
  const auto password = password_start(slice(word, 2));
  return password == std::string_view::npos ? password : 2 + password;
}

bool is_secret_assignment(std::string_view word, std::size_t equals) {
  const auto name = slice(word, 0, equals);
  return equals + 1 < word.size() && std::all_of(name.begin(), name.end(), is_name) && is_secret_name(name);
}

// The length of a well-known service's key that begins here; 0 if there is none.
std::size_t key_length(std::string_view text) {
  static constexpr std::array<std::string_view, 22> kPrefixes{
      "hf_",   "sk-",   "sk_live_", "sk_test_", "ghp_", "gho_",   "ghs_",      "ghu_", "ghr_", "github_pat_", "glpat-",
      "xoxb-", "xoxp-", "xoxa-",    "AKIA",     "ASIA", "nvapi-", "dckr_pat_", "npm_", "r8_",  "AIza",        "eyJ"};
  for (const auto prefix : kPrefixes) {
    if (slice(text, 0, prefix.size()) != prefix) continue;
    const auto rest = slice(text, prefix.size());
    const auto end = std::find_if_not(rest.begin(), rest.end(), [](char c) { return is_name(c); });
    const std::string_view body = slice(rest, 0, static_cast<std::size_t>(end - rest.begin()));
    const auto run = static_cast<std::size_t>(std::find_if_not(body.begin(), body.end(), is_alnum) - body.begin());
    const bool mixed_run = std::any_of(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(run), is_digit);
    const bool mixed = std::any_of(body.begin(), body.end(), is_digit);
    // hf_finetune_v2.py is a script: a key is long, or has digits and no early punctuation.
    if (run >= 16 || (run >= 8 && mixed_run) || (body.size() >= 20 && mixed && prefix != "hf_")) {
      return prefix.size() + body.size();
    }
  }
  return 0;
}

// Writes the mask in place of the value at `from` (a quoted one up to its closing quote). Returns where the value ends.
std::size_t mask_value(std::string_view text, std::size_t from, std::string& out) {
  if (from >= text.size() || char_at(text, from) == ' ') return from;
  std::size_t end = 0;
  if (slice(text, from).starts_with(kMask)) {
    end = from + kMask.size();  // already masked
  } else if (char_at(text, from) == '"' || char_at(text, from) == '\'') {
    const std::size_t closing = text.find(char_at(text, from), from + 1);
    end = closing == std::string_view::npos ? text.size() : closing + 1;
  } else {
    end = std::min(text.find(' ', from), text.size());  // a secret may contain any punctuation
  }
  out += kMask;
  return end;
}

// The URL's "://" ends at `from`: skips its user:password@ and returns where the host begins.
std::size_t user_information_end(std::string_view text, std::size_t from) {
  const std::size_t stop = text.find_first_of(" /?#\"'", from);
  const std::size_t at = slice(text, 0, stop).rfind('@');
  return at == std::string_view::npos || at < from ? from : at;
}

// Where the value of the name before `after` begins; npos if it has none here. An option's value may be the next word;
// any value may follow "=" or, as in a header or a dictionary, ":".
std::size_t value_start(std::string_view text, std::size_t after, bool option) {
  std::size_t i = after;
  while (i < text.size() && (char_at(text, i) == '"' || char_at(text, i) == '\'')) ++i;
  const bool equals = slice(text, i, 1) == "=";
  const bool colon = slice(text, i, 1) == ":" && slice(text, i, 3) != "://";
  if (equals || colon) ++i;
  const bool next_word = slice(text, i, 1) == " " && (colon || (option && !equals));
  if (!equals && !colon && !next_word) return std::string_view::npos;
  if (next_word) ++i;
  if (!equals && slice(text, i, 1) == "-") return std::string_view::npos;  // the next option
  return i;
}

// "Bearer " or "Basic " at the start: the secret is the word after it.
std::size_t scheme_length(std::string_view text) {
  for (const std::string_view scheme : {"bearer ", "basic "}) {
    if (equal_words(slice(text, 0, scheme.size()), scheme)) return scheme.size();
  }
  return 0;
}

}  // namespace

std::string mask_secrets(std::string_view command) {
  std::string out;
  out.reserve(command.size());
  std::size_t i = 0;
  while (i < command.size()) {
    const auto rest = slice(command, i);
    if (rest.starts_with("://")) {
      out += "://";
      i += 3;
      const std::size_t end = user_information_end(command, i);
      if (end > i) out += kMask;
      i = end;
    } else if (const std::size_t key = key_length(rest); key > 0) {
      out += kMask;
      i += key;
    } else if (!is_name(char_at(command, i))) {
      out += char_at(command, i++);
    } else {
      const std::size_t start = i;
      const auto attached = attached_password_start(slice(rest, 0, rest.find(' ')));
      if (attached != std::string_view::npos && (i == 0 || char_at(command, i - 1) == ' ')) {
        out += slice(rest, 0, attached);
        i = mask_value(command, i + attached, out);
        continue;
      }
      while (i < command.size() && is_name(char_at(command, i))) ++i;
      const std::string_view name = slice(command, start, i - start);
      out += name;
      const bool bearer = equal_words(name, "bearer");
      const bool login = names_a_login(name);
      if (!bearer && !login && name != "-p" && !is_secret_name(name)) continue;
      std::size_t value = value_start(command, i, bearer || first_char(name) == '-');
      if (value == std::string_view::npos || (name == "-p" && is_port_or_path(slice(command, value)))) continue;
      if (login) {
        const auto rest_of_it = slice(command, value);
        const auto password = password_start(slice(rest_of_it, 0, rest_of_it.find(' ')));
        if (password == std::string_view::npos) continue;
        value += password;
      }
      value += scheme_length(slice(command, value));
      out += slice(command, i, value - i);
      i = mask_value(command, value, out);
    }
  }
  return out;
}

std::vector<std::string> mask_arguments(const std::vector<std::string>& argv) {
  std::vector<std::string> masked;
  masked.reserve(argv.size());
  for (std::size_t i = 0; i < argv.size(); ++i) {
    const std::string_view name = i == 0 ? std::string_view{} : argv[i - 1];
    const bool option =
        name.starts_with('-') && !argv[i].starts_with('-') && std::all_of(name.begin(), name.end(), is_name);
    if (option && (is_secret_name(name) || (name == "-p" && !is_port_or_path(argv[i])))) {
      masked.emplace_back(kMask);  // the whole word, including blanks
    } else if (option && names_a_login(name) && password_start(argv[i]) != std::string_view::npos) {
      masked.push_back(slice(argv[i], 0, password_start(argv[i])) + std::string{kMask});
    } else if (const auto attached = attached_password_start(argv[i]); attached != std::string_view::npos) {
      masked.push_back(slice(argv[i], 0, attached) + std::string{kMask});
    } else if (const auto equals = argv[i].find('=');
               equals != std::string::npos && is_secret_assignment(argv[i], equals)) {
      masked.push_back(slice(argv[i], 0, equals + 1) + std::string{kMask});
    } else {
      // A secret may follow its name: "Authorization: Bearer" "X".
      const std::string before = std::string{name} + (i == 0 ? "" : " ");
      const auto both = mask_secrets(before + argv[i]);
      masked.push_back(both.starts_with(before) ? slice(both, before.size()) : mask_secrets(argv[i]));
    }
  }
  return masked;
}

}  // namespace gputop
