#pragma once

#include <QTranslator>

#include <string_view>

namespace headscope::ui {

/// Translator that looks up texts missing in their context under the namespace, where lupdate lists
/// the texts of functions outside classes.
class Translator : public QTranslator
{
    Q_OBJECT

public:
    using QTranslator::QTranslator;

    /// Uses a compiled .qm file, whose bytes must outlive this object. False when it is invalid.
    bool use(std::string_view compiled);

    QString translate(const char* context, const char* text, const char* disambiguation,
                      int number) const override;
};

} // namespace headscope::ui
