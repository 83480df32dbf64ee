#pragma once

#include <QString>

namespace headscope::ui {

/// Initial sentence: one that suits what this built-in model learned, else a general one.
QString sampleSentence(const QString& model);

/// True for a sample sentence rather than the user's text.
bool isSampleSentence(const QString& text);

} // namespace headscope::ui
