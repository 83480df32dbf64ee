#pragma once

#include "core/lessons/lesson_numbers.h"

#include <QStringList>
#include <QWidget>

namespace headscope::ui {

/// A worked example to walk: the step bar, finished matrices in small, the present ones large, the
/// equation with live numbers, and the buttons beneath. The page "example" and lessons share it.
class ExampleStage : public QWidget
{
public:
    explicit ExampleStage(QWidget* parent = nullptr);

    /// What is shown and where the person is. Emits nothing; `done` beyond the end is the end.
    void setState(ExampleState state);
    const ExampleState& state() const; ///< with the person's edits

    void highlight(const QStringList& names); ///< matrices or stages, by name or title
    void hideControls(const QStringList& names); ///< "stages", "back", "next", "play", "place",
                                                 ///< "edit" (no cell can be edited)

    void next();
    void back();
    void restart();
    void finish();
    void jumpTo(int stage); ///< to its first number
    void setPlaying(bool on);

signals:
    void changed(); ///< the person edited an input: state() is another calculation
    void stepped(); ///< the person moved on, back or elsewhere
};

} // namespace headscope::ui
