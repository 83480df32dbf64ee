#pragma once

#include <QString>

#include <exception>

namespace headscope::ui {

/// What a person reads when `error` was caught: one sentence and what to do.
QString errorSentence(const std::exception& error);

} // namespace headscope::ui
