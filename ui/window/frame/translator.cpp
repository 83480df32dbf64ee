#include "ui/window/frame/translator.h"

#include <array>

namespace headscope::ui {
namespace {

/// Contexts under which lupdate lists texts of free functions: their namespace, or the class whose
/// tr() they call; classes known to Qt are looked up by qualified name. "std" is what lupdate takes for the
/// context of a function below a constant of type std::size_t.
constexpr std::array kElsewhere{"headscope::ui",
                                "LessonDraft",
                                "headscope::ui::BlankScreen",
                                "headscope::ui::Changes",
                                "headscope::ui::DistancePlot",
                                "headscope::ui::ForwardRunner",
                                "headscope::ui::Labels",
                                "headscope::ui::LineChartPlot",
                                "headscope::ui::Making",
                                "headscope::ui::MaskChange",
                                "headscope::ui::Measurement",
                                "headscope::ui::Mistakes",
                                "headscope::ui::ReportPages",
                                "headscope::ui::ReportPdf",
                                "headscope::ui::StackBuilder",
                                "headscope::ui::TokenRowsLayout",
                                "headscope::ui::latex::LatexReader",
                                "headscope::ui::latex::LatexText",
                                "std"};

} // namespace

bool Translator::use(std::string_view compiled)
{
    return !compiled.empty() &&
           load(reinterpret_cast<const uchar*>(compiled.data()), static_cast<int>(compiled.size()));
}

QString Translator::translate(const char* context, const char* text, const char* disambiguation,
                              int number) const
{
    QString found = QTranslator::translate(context, text, disambiguation, number);
    for (std::size_t index = 0; found.isNull() && index < kElsewhere.size(); ++index)
        found = QTranslator::translate(kElsewhere[index], text, disambiguation, number);
    return found;
}

} // namespace headscope::ui
