#pragma once

#include "core/lessons/worked/exact_form.h"

#include <string>

namespace headscope {

std::string latexOf(const ExactNumber::Form& form);
std::string textOf(const ExactNumber::Form& form);

} // namespace headscope
