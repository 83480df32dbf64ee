#pragma once

#include "core/text/tokenizers/tokenizer.h"
#include "ui/window/frame/application.h"

#include <QString>

#include <string>
#include <vector>

namespace headscope::ui {

struct KeystrokeBenchmarkOptions
{
    std::string model; ///< empty: the first of ApplicationServices::builtinModels
    int tokens = 32;   ///< the sentence grows key by key until it has at least so many
    int rounds = 3;    ///< how often the whole sentence is typed
    QSize size{1440, 900};
};

/// Milliseconds, measured on this machine in the real window.
struct KeystrokeBenchmark
{
    std::string model;
    std::string device;    ///< where attention ran
    std::string platform;  ///< "offscreen", "xcb"
    int tokens = 0;        ///< of the full sentence
    int keys = 0;          ///< keystrokes measured, all rounds
    double medianMs = 0.0; ///< key press -> its own picture painted
    double p95Ms = 0.0;
    double maximumMs = 0.0;
    double startToFirstHeatmapMs = 0.0; ///< window constructed, model loaded, first pattern painted
    std::vector<double> keyMs;          ///< every keystroke, in order
};

/// As many words as give at least `tokens` tokens.
QString sentenceOf(int tokens, const Tokenizer& tokenizer);

/// Types into a real window and waits for the picture of each key. Creates the QApplication (a
/// window must not exist yet); without a display set QT_QPA_PLATFORM=offscreen first. Throws Error.
KeystrokeBenchmark runKeystrokeBenchmark(int& argc, char** argv, ApplicationServices services,
                                         const KeystrokeBenchmarkOptions& options);

} // namespace headscope::ui
