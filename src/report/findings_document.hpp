// Findings as a document: the sections that Markdown and HTML share.
#pragma once

#include "gputop/report/findings.hpp"
#include "report/document.hpp"

namespace gputop {

Document findings_document(const Findings& findings);

}  // namespace gputop
