// The sections of a findings report that have something to work out.
#pragma once

#include "gputop/report/findings.hpp"
#include "report/document.hpp"

namespace gputop::report {

Section readings_section(const Findings& found);  // utilisation, memory, power, temperature, and the sensors' errors
Section throughput_section(const Findings& found);
Section breakdown_section(const Findings& found);
Section diagnosis_section(const Findings& found);
Section recommendations_section(const Findings& found);
Section changes_section(const Findings& found);

std::string mebibytes(Bytes bytes);  // "6141"
// The one that came nearest to its memory's end; nullptr: no memory was read.
const GpuFindings* fullest_gpu(const Findings& found);

}  // namespace gputop::report
