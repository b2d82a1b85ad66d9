// The cards that can be simulated, from their data sheets.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "gputop/core/closest_word.hpp"
#include "gputop/sources/sim_physics.hpp"

namespace gputop {
namespace {

using namespace literals;

constexpr std::array<SimCard, 5> kCards{{
    {.name = "RTX 3090",
     .product = "NVIDIA GeForce RTX 3090",
     .memory = 24576_MiB,
     .reserved = 317_MiB,
     .capability = {8, 6},
     .fp32_tflops = 35.6,
     .tf32_tflops = 35.6,
     .half_tflops = 71,
     .bandwidth = 936e9,
     .link = 25e9,
     .power_limit = 350_W,
     .max_power_limit = 366_W,
     .idle_power = 25_W,
     .sm_clock = 1860_MHz,
     .idle_sm_clock = 210_MHz,
     .memory_clock = 9751_MHz,
     .idle_memory_clock = 405_MHz,
     .slowdown = 95_celsius},
    {.name = "RTX 4050",
     .product = "NVIDIA GeForce RTX 4050 Laptop GPU",
     .memory = 6141_MiB,
     .reserved = 264_MiB,
     .capability = {8, 9},
     .fp32_tflops = 12.1,
     .tf32_tflops = 12.1,
     .half_tflops = 24.2,
     .bandwidth = 192e9,
     .link = 12.5e9,
     .power_limit = 115_W,
     .max_power_limit = 115_W,
     .idle_power = 5_W,
     .sm_clock = 2370_MHz,
     .idle_sm_clock = 210_MHz,
     .memory_clock = 8001_MHz,
     .idle_memory_clock = 405_MHz,
     .slowdown = 97_celsius,
     .pcie_width = 8},
    {.name = "A100 80GB",
     .product = "NVIDIA A100-SXM4-80GB",
     .memory = 81920_MiB,
     .reserved = 667_MiB,
     .capability = {8, 0},
     .fp32_tflops = 19.5,
     .tf32_tflops = 156,
     .half_tflops = 312,
     .bandwidth = 2039e9,
     .link = 25e9,
     .power_limit = 400_W,
     .max_power_limit = 400_W,
     .idle_power = 60_W,
     .sm_clock = 1410_MHz,
     .idle_sm_clock = 210_MHz,
     .memory_clock = 1593_MHz,
     .idle_memory_clock = 1593_MHz,
     .slowdown = 89_celsius,
     .nvlinks = 12,
     .datacenter = true},
    {.name = "RTX 3070",
     .product = "NVIDIA GeForce RTX 3070",
     .memory = 8192_MiB,
     .reserved = 226_MiB,
     .capability = {8, 6},
     .fp32_tflops = 20.3,
     .tf32_tflops = 20.3,
     .half_tflops = 40.6,
     .bandwidth = 448e9,
     .link = 25e9,
     .power_limit = 220_W,
     .max_power_limit = 240_W,
     .idle_power = 15_W,
     .sm_clock = 1905_MHz,
     .idle_sm_clock = 210_MHz,
     .memory_clock = 7001_MHz,
     .idle_memory_clock = 405_MHz,
     .slowdown = 95_celsius},
    {.name = "T4",
     .product = "Tesla T4",
     .memory = 15360_MiB,
     .reserved = 266_MiB,
     .capability = {7, 5},
     .fp32_tflops = 8.1,
     .half_tflops = 65,
     .bandwidth = 320e9,
     .link = 12e9,
     .power_limit = 70_W,
     .max_power_limit = 70_W,
     .idle_power = 10_W,
     .sm_clock = 1590_MHz,
     .idle_sm_clock = 300_MHz,
     .memory_clock = 5000_MHz,
     .idle_memory_clock = 405_MHz,
     .slowdown = 93_celsius,
     .pcie_generation = 3,
     .datacenter = true},
}};

bool same_text(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::span<const SimCard> sim_cards() {
  return kCards;
}

const SimCard& default_sim_card() {
  return kCards.front();
}

Result<SimCard> find_sim_card(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& card : kCards) {
    if (same_text(card.name, name) || same_text(card.product, name)) return card;
    names.push_back(card.name);
  }
  std::string message = "no simulated card is called \"" + std::string{name} + "\"";
  if (const auto meant = closest_word(name, names)) message += "; did you mean \"" + std::string{*meant} + "\"?";
  message += " (known:";
  for (const auto known : names) message += " \"" + std::string{known} + "\"";
  return Error{Error::Kind::kNotFound, message + ")"};
}

}  // namespace gputop
