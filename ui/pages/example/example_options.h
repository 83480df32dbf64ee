#pragma once

#include "core/lessons/lesson_numbers.h"
#include "core/lessons/worked/example_inputs.h"
#include "ui/session/view_snapshot.h"

#include <QJsonObject>

namespace headscope::ui {

/// Id of the example built from a head of the open model.
inline constexpr const char* kYourSentence = "your-sentence";

/// Persistent options of the worked-example page.
struct ExampleOptions
{
    QString example = QStringLiteral("attention"); ///< Id in the catalogue, or kYourSentence.
    std::map<std::string, std::string> set;        ///< Inputs that differ from the initial ones.
    std::size_t done = 0;
    bool isExact = false;
    bool isTrying = false;

    QJsonObject json() const;

    /// Parses options; ignores unknown keys and values of other types.
    static ExampleOptions from(const QJsonObject& options);
};

/// Values of `inputs` that differ from `first`, as lessons and options write them: "Q[2,0]": "1.5".
std::map<std::string, std::string> exampleSettings(const ExampleInputs& first,
                                                   const ExampleInputs& inputs);

/// Initial inputs of an example. For a head of the open model: throws Error without a trace that
/// contains it.
ExampleInputs firstInputs(const QString& example, const ViewSnapshot& view);

/// Example with the options applied; settings that do not fit are skipped. Throws Error.
ExampleState stateOf(const ExampleOptions& options, const ViewSnapshot& view);

} // namespace headscope::ui
