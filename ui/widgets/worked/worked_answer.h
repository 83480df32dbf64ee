#pragma once

#include "ui/widgets/worked/worked_picture.h"

namespace headscope::ui {

/// What becomes of a number that a person worked out by hand.
struct WorkedAnswer
{
    enum class Verdict {
        Right,
        Close,      ///< the right way, badly rounded
        Wrong,      ///< the sentence says how wrong, or what was done instead
        Unreadable, ///< no number
    };

    Verdict verdict = Verdict::Wrong;
    QString sentence;

    bool isRight() const { return verdict == Verdict::Right; }
};

/// A number as people type it: 0.37, 0,37, -1e-3, 1/2, √2/2, sqrt(2)/2, -inf. None for anything
/// else.
std::optional<double> readAnswer(const QString& typed);

/// Judges a number for the result of a step. Two decimals are enough, or two digits of a small
/// number.
WorkedAnswer checkAnswer(const WorkedExample& example, std::size_t step, const QString& typed);

/// "Which number belongs in Output, sat, dim 1?"
QString questionOf(const WorkedExample& example, std::size_t step);

/// How to find the result of a step, without giving it away.
QString hintOf(const WorkedStep& step);

} // namespace headscope::ui
