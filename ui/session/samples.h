#pragma once

#include <QString>

namespace headscope::ui {

/// Initial sentence: one that suits what this built-in model learned, else a general one.
QString sampleSentence(const QString& model);

/// The general sample sentence with its last word changed, so that "it" means something else.
QString changedSampleSentence();

/// True for a sample sentence rather than the user's text.
bool isSampleSentence(const QString& text);

} // namespace headscope::ui
