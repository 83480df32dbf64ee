#pragma once

#include "core/lessons/lesson_numbers.h"
#include "core/lessons/worked/example_inputs.h"
#include "ui/session/looking.h"

#include <QJsonObject>

#include <optional>

namespace headscope::ui {

inline constexpr const char* kYourSentence = "your-sentence"; ///< a head of the open model

/// What the page about worked examples remembers of itself.
struct ExampleOptions
{
    QString example = QStringLiteral("attention"); ///< of the catalogue, or kYourSentence
    std::map<std::string, std::string> set;        ///< what differs from where it begins
    std::size_t done = 0;
    bool isExact = false;
    bool isTrying = false;

    QJsonObject json() const;

    /// Unknown keys are ignored, as are values of other kinds.
    static ExampleOptions from(const QJsonObject& options);
};

/// What `inputs` sets besides `first`, as lessons and options write it: "Q[2,0]": "1.5".
std::map<std::string, std::string> exampleSettings(const ExampleInputs& first,
                                                   const ExampleInputs& inputs);

/// The inputs that an example begins with. Of a head of the open model: throws Error without a
/// trace that has it.
ExampleInputs firstInputs(const QString& example, const Looking& looking);

/// The example as the options have it: settings that do not fit are left out. Throws Error.
ExampleState stateOf(const ExampleOptions& options, const Looking& looking);

} // namespace headscope::ui
