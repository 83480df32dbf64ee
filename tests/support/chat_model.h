#pragma once

#include "core/model/pass/tracer.h"

#include <string>

namespace headscope::test {

/// Template of tests/data/chat: "chatml", "headers" ...
std::string chatTemplateSource(const std::string& name);

/// The tiny decoder with 512 positions, the special tokens of ChatML, and a chat template.
LoadedModel chatModel(const std::string& templateSource = chatTemplateSource("chatml"));

} // namespace headscope::test
