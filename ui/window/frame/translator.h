#pragma once

#include <QTranslator>

#include <string_view>

namespace headscope::ui {

/// Texts of functions outside classes are listed under their namespace, whatever context they name
/// themselves; so what is not found under a context is looked up there.
class Translator : public QTranslator
{
    Q_OBJECT

public:
    using QTranslator::QTranslator;

    /// The bytes of a .qm file, which must outlive this. False when they are none.
    bool use(std::string_view compiled);

    QString translate(const char* context, const char* text, const char* disambiguation,
                      int number) const override;
};

} // namespace headscope::ui
