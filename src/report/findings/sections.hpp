// The sections of a findings report that compute something.
#pragma once

#include "gputop/report/findings.hpp"
#include "report/document.hpp"

namespace gputop::report {

Tone tone_of(const Finding& finding);
// "batch_size 8 → 32: 163.2 → 653.1 samples/s, 4.0× as fast (+300.8 % ± 0.7 %), kept".
std::string change_in_words(const Findings& found, const FoundChange& change);

Section readings_section(const Findings& found);  // busy, memory, power, temperature, and the sensors' errors
Section throughput_section(const Findings& found);
Section efficiency_section(const Findings& found);  // MFU, energy, cost
Section breakdown_section(const Findings& found);
Section diagnosis_section(const Findings& found);
Section recommendations_section(const Findings& found);
Section changes_section(const Findings& found);

std::string mebibytes(Bytes bytes);  // "6141"
// The GPU that came closest to full memory; nullptr: no memory was read.
const GpuFindings* fullest_gpu(const Findings& found);

}  // namespace gputop::report
