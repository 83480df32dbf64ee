#include "ui/pages/architecture/architecture_figure.h"

#include "core/model/config/size_report.h"
#include "core/model/model.h"
#include "ui/pages/architecture/architecture_paint.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/widgets/tr.h"

namespace headscope::ui {

namespace {

constexpr double kWidth = 1240.0;

ArchitectureFocus focusOf(const ViewSnapshot& view)
{
    ArchitectureFocus focus;
    focus.part = view.selection.part;
    focus.layer = view.selection.layer;
    if (const TracePtr& trace = view.trace()) {
        focus.tokens = static_cast<int>(trace->tokens().size());
        focus.sourceTokens = static_cast<int>(trace->sourceTokens().size());
    }
    return focus;
}

NumberTable numbersOf(const ModelParts& parts)
{
    NumberRows rows;
    for (const ArchitectureBox& box : parts.boxes)
        rows.add(box.spoken.isEmpty() ? box.name : box.spoken + ": " + box.name,
                 {static_cast<double>(box.parameters)});
    return rows.table("parameters", {"parameters"});
}

} // namespace

ArchitectureContent architectureContent(const ViewSnapshot& view)
{
    ArchitectureContent content;
    const LoadedModel& model = view.model();
    if (!model.model)
        return content;
    content.parts = architectureOf(model.model->config(), focusOf(view));
    content.counted = static_cast<std::int64_t>(model.model->parameters().parameterCount());
    const SizeReport sizes = sizeReport(model.model->config());
    content.fractions = {{tr("Embeddings"), sizes.embeddings},
                         {tr("Attention"), sizes.attention},
                         {tr("Feed-forward"), sizes.feedForward},
                         {tr("Norms"), sizes.norms},
                         {tr("Heads"), sizes.heads}};
    return content;
}

Figure architectureFigure(const ViewSnapshot& view, const QJsonObject&)
{
    Figure figure = figureOf(view, tr("Architecture"));
    const ArchitectureContent content = architectureContent(view);
    if (content.parts.boxes.empty())
        return figure;
    figure.caption = tr("Data flow of the model with the output shape and parameter count of "
                        "each part; %1 in all. The grey line is the residual stream.")
                         .arg(count(content.counted));
    figure.size = [content](const Theme& theme) {
        const double width = kWidth * theme.scale();
        return QSizeF(width, ArchitectureLayout(width, content, theme).height());
    };
    figure.paint = [content](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget&) {
        paintArchitecture(painter, area.topLeft(), ArchitectureLayout(area.width(), content, theme),
                          content, theme);
    };
    figure.numbers.push_back(numbersOf(content.parts));
    return figure;
}

} // namespace headscope::ui
