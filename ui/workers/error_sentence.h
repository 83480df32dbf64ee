#pragma once

#include <QString>

#include <exception>

namespace headscope::ui {

/// User-readable sentence for `error`: what happened and what to do.
QString errorSentence(const std::exception& error);

} // namespace headscope::ui
