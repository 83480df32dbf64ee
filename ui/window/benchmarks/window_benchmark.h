#pragma once

#include "core/text/tokenizers/tokenizer.h"
#include "ui/window/frame/application.h"

#include <QString>

#include <string>
#include <vector>

namespace headscope::ui {

struct KeystrokeBenchmarkOptions
{
    std::string model; ///< Model to open; empty: the first of ApplicationServices::builtinModels.
    int tokens = 32;   ///< Minimum length of the sentence, which grows key by key.
    int rounds = 3;    ///< Number of times the whole sentence is typed.
    QSize size{1440, 900};
};

/// Keystroke latency in ms, measured in the real window on this machine.
struct KeystrokeBenchmark
{
    std::string model;
    std::string device;    ///< Device that computed attention.
    std::string platform;  ///< Qt platform, such as "offscreen" or "xcb".
    int tokens = 0;        ///< Number of tokens in the full sentence.
    int keys = 0;          ///< Number of keystrokes measured in all rounds.
    double medianMs = 0.0; ///< Median time from key press to its painted result.
    double p95Ms = 0.0;
    double maximumMs = 0.0;
    /// Time from constructing the window to the first painted pattern.
    double startToFirstHeatmapMs = 0.0;
    std::vector<double> keyMs; ///< Latency of every keystroke, in order.
};

/// Sentence of just enough words for at least `tokens` tokens.
QString sentenceOf(int tokens, const Tokenizer& tokenizer);

/// Types into a real window and waits until the result of each key is painted. Creates the
/// QApplication, so no window may exist yet; without a display set QT_QPA_PLATFORM=offscreen first.
/// Throws Error.
KeystrokeBenchmark runKeystrokeBenchmark(int& argc, char** argv, ApplicationServices services,
                                         const KeystrokeBenchmarkOptions& options);

} // namespace headscope::ui
