// Incremental SGR: see pen.hpp.
#include "term/pen.hpp"

#include <array>
#include <string_view>

namespace gputop::term {
namespace {

struct Code {
  std::uint8_t attribute;
  std::string_view on;
  std::string_view off;
};
constexpr std::array<Code, 7> kCodes{{{Pen::kBold, "1", "22"},
                                      {Pen::kDim, "2", "22"},
                                      {Pen::kItalic, "3", "23"},
                                      {Pen::kUnderline, "4", "24"},
                                      {Pen::kBlink, "5", "25"},
                                      {Pen::kInverse, "7", "27"},
                                      {Pen::kStrike, "9", "29"}}};

void add(std::string& parameters, std::string_view parameter) {
  if (!parameters.empty()) parameters += ';';
  parameters += parameter;
}

void add_set(std::string& parameters, unsigned attributes) {
  for (const auto& code : kCodes) {
    if ((attributes & code.attribute) != 0) add(parameters, code.on);
  }
}

std::string incremental(const Pen& from, const Pen& to) {
  std::string parameters;
  unsigned removed = from.attributes & ~to.attributes;
  unsigned added = to.attributes & ~from.attributes;
  constexpr unsigned kWeight = Pen::kBold | Pen::kDim;
  if ((removed & kWeight) != 0) {  // 22 ends both, so the remaining one is set again
    add(parameters, "22");
    removed &= ~kWeight;
    added |= to.attributes & kWeight;
  }
  for (const auto& code : kCodes) {
    if ((removed & code.attribute) != 0) add(parameters, code.off);
  }
  add_set(parameters, added);
  if (from.foreground != to.foreground) add(parameters, to.foreground.Print(false));
  if (from.background != to.background) add(parameters, to.background.Print(true));
  return parameters;
}

std::string from_scratch(const Pen& to) {
  if (to == Pen{}) return {};
  std::string parameters = "0";
  add_set(parameters, to.attributes);
  if (to.foreground != ftxui::Color{}) add(parameters, to.foreground.Print(false));
  if (to.background != ftxui::Color{}) add(parameters, to.background.Print(true));
  return parameters;
}

}  // namespace

void change_pen(std::string& out, const Pen& from, const Pen& to) {
  if (from == to) return;
  std::string parameters = incremental(from, to);
  // A reset can only be shorter for a change that removes something.
  const ftxui::Color own;
  const bool takes_away = (from.attributes & ~to.attributes) != 0 || (from.foreground != own && to.foreground == own) ||
                          (from.background != own && to.background == own);
  if (takes_away) {
    if (std::string whole = from_scratch(to); whole.size() < parameters.size()) parameters = std::move(whole);
  }
  out += "\x1b[";
  out += parameters;
  out += 'm';
}

}  // namespace gputop::term
