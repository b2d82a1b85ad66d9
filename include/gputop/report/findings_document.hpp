// Findings as a document: the sections that Markdown and HTML have in common.
#pragma once

#include "gputop/report/document.hpp"
#include "gputop/report/findings.hpp"

namespace gputop {

Document findings_document(const Findings& findings);

}  // namespace gputop
