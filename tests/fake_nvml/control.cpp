#include "fake_nvml/control.hpp"

#include "fake_nvml/fake.hpp"

using fake_nvml::Fake;

FAKE_NVML_EXPORT const char* fakeNvmlLoad(const char* text) {
  static auto& wrong = *new std::string;
  wrong = Fake::get().load(text);
  return wrong.empty() ? nullptr : wrong.c_str();
}

FAKE_NVML_EXPORT void fakeNvmlSetTime(double seconds) {
  Fake::get().set_time(seconds);
}

FAKE_NVML_EXPORT unsigned long long fakeNvmlCalls(const char* pattern) {
  return Fake::get().calls(pattern);
}

FAKE_NVML_EXPORT unsigned long long fakeNvmlDeadUses() {
  return Fake::get().dead_uses();
}
