#include "ui/pages/lens/lens_figure.h"

#include "core/base/error.h"
#include "ui/widgets/tr.h"
#include "ui/workers/training/lens_trainer.h"

#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {

QString captionOf(const LensReadout& readout, bool tuned)
{
    QString words =
        tuned ? tr("Prediction at each stage of the residual stream: a trained affine map, "
                   "final norm and unembedding (tuned lens).")
              : tr("Prediction at each stage of the residual stream: final norm and unembedding "
                   "(logit lens).");
    words += QLatin1Char(' ') + measureMeaning(readout.choice.measure) + QStringLiteral(". ") +
             lensLegend(readout).title + QLatin1Char('.');
    if (readout.view.shown != Variant::A)
        words += QLatin1Char(' ') + tr("Dot: top-1 token differs from A.");
    return words;
}

NumberTable tableOf(const LensReadout& readout, const LensContent& content)
{
    std::vector<float> values;
    for (int row = 0; row < content.rows(); ++row)
        for (int stage = 0; stage < content.columns(); ++stage)
            values.push_back(static_cast<float>(readout.valueAt({row, stage})));
    return {readout.choice.toJson()["measure"].toString(), content.rowLabels, content.columnLabels,
            HeatmapMatrix::copyOf(std::move(values), content.rows(), content.columns())};
}

} // namespace

Figure lensFigure(const LensReadout& readout)
{
    constexpr double kLegend = 52.0;
    constexpr double kLegendWidth = 320.0;
    const bool tuned = readout.choice.tuned;
    Figure figure = figureOf(readout.view, tuned ? tr("Tuned lens") : tr("Logit lens"));
    const LensContent content = lensGridContent(readout);
    if (content.rows() == 0)
        return figure;
    const ColourBarContent legend = lensLegend(readout);
    figure.caption = captionOf(readout, tuned);
    figure.size = [content](const Theme& theme) {
        const QSizeF grid = lensSize(content, theme);
        return QSizeF(std::max(grid.width(), kLegendWidth * theme.scale()),
                      grid.height() + kLegend * theme.scale());
    };
    figure.paint = [content, legend](QPainter& painter, const QRectF& area, const Theme& theme,
                                     const FigureTarget&) {
        const double below = kLegend * theme.scale();
        const QRectF grid = area.adjusted(0, 0, 0, -below);
        paintLens(painter, LensLayout(grid, content, theme), content, theme);
        paintColourBar(
            painter,
            {area.x(), area.bottom() - below + 8.0, kLegendWidth * theme.scale(), below - 8.0},
            legend, theme);
    };
    figure.numbers = {tableOf(readout, content)};
    return figure;
}

/// A tuned lens is loaded from its file; without one, nothing is drawn.
Figure lensFigure(const ViewSnapshot& view, const QJsonObject& options)
{
    const LensChoice choice = LensChoice::fromJson(options);
    TunedLensPtr tuned;
    if (choice.tuned && view.modelA.model) {
        const auto file = findTunedLens(tunedLensFolders(view.modelA, ownLensFolder()));
        if (!file)
            throw Error("no tuned lens was trained for this model", view.modelA.name,
                        "Train one on the Lens page, or use the logit lens");
        tuned = std::make_shared<const TunedLens>(loadTunedLens(*file, *view.modelA.model));
    }
    return lensFigure(LensReadout{
        std::make_shared<const LensReading>(readLens(lensJob(view, choice, tuned))), view, choice});
}

} // namespace headscope::ui
