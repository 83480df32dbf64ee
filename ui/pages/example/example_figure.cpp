#include "ui/pages/example/example_figure.h"

#include "ui/pages/example/example_options.h"
#include "ui/widgets/worked/worked_paint.h"

#include <QCoreApplication>

#include <cmath>
#include <limits>

namespace headscope::ui {

namespace {

constexpr double kWidth = 860.0;
constexpr double kTallest = 1200.0;
constexpr double kGap = 16.0;

QString tr(const char* text)
{
    return QCoreApplication::translate("WorkedExample", text);
}

QRectF below(const QRectF& area, const Theme& theme)
{
    return area.adjusted(0.0, stepBarHeight(theme) + kGap, 0.0, 0.0);
}

QSizeF wantedSize(const WorkedPicture& picture, const Theme& theme)
{
    const QRectF area(0.0, 0.0, kWidth * theme.scale(), kTallest * theme.scale());
    const WorkedLayout layout(below(area, theme), picture, theme);
    return {area.width(), stepBarHeight(theme) + kGap + layout.height() + 8.0};
}

QStringList texts(const std::vector<std::string>& labels)
{
    QStringList all;
    for (const std::string& label : labels)
        all << QString::fromStdString(label);
    return all;
}

NumberTable tableOf(const WorkedPicture& picture, int index)
{
    const WorkedMatrix& matrix = picture.matrix(index);
    std::vector<float> values;
    for (int row = 0; row < matrix.rows(); ++row)
        for (int column = 0; column < matrix.columns(); ++column)
            values.push_back(picture.isFilled({index, row, column})
                                 ? static_cast<float>(matrix.values[matrix.at(row, column)])
                                 : std::numeric_limits<float>::quiet_NaN());
    return {QString::fromStdString(matrix.name), texts(matrix.rowLabels),
            texts(matrix.columnLabels),
            HeatmapMatrix::copyOf(std::move(values), matrix.rows(), matrix.columns())};
}

StepBarContent stagesOf(const WorkedPicture& picture)
{
    StepBarContent content;
    for (const WorkedStage& stage : picture.example->stages) {
        content.titles << QString::fromStdString(stage.title);
        content.complete += stage.firstStep + stage.steps <= picture.done ? 1 : 0;
    }
    content.now = picture.stage();
    return content;
}

} // namespace

Figure exampleFigure(const WorkedPicture& picture, const StepBarContent& stages)
{
    Figure figure;
    if (picture.isEmpty())
        return figure;
    WorkedPicture shown = picture;
    shown.cursor.reset();
    StepBarContent bar = stages;
    bar.focused.reset();
    bar.hovered.reset();
    figure.title = QString::fromStdString(picture.example->title);
    figure.subtitle =
        tr("Worked example, %1 of %2 numbers").arg(picture.done).arg(picture.example->steps.size());
    figure.caption = describeStep(shown);
    figure.size = [shown](const Theme& theme) { return wantedSize(shown, theme); };
    figure.paint = [shown, bar](QPainter& painter, const QRectF& area, const Theme& theme,
                                const FigureTarget&) {
        const double height = stepBarHeight(theme);
        paintStepBar(painter, QRectF(area.x(), area.y(), area.width(), height), bar, theme);
        const WorkedLayout layout(below(area, theme), shown, theme);
        paintWorked(painter, layout, shown, workedRings(layout, shown, theme), theme);
    };
    for (int matrix = 0; matrix < static_cast<int>(picture.example->matrices.size()); ++matrix)
        figure.numbers.push_back(tableOf(shown, matrix));
    return figure;
}

Figure exampleFigure(const Looking& looking, const QJsonObject& options)
{
    const ExampleOptions wanted = ExampleOptions::from(options);
    const ExampleState state = stateOf(wanted, looking);
    WorkedPicture picture;
    picture.example = std::make_shared<const WorkedExample>(state.example);
    picture.done = options.contains("done") ? state.done : state.example.steps.size();
    picture.isExact = wanted.isExact;
    picture.isAsking = wanted.isTrying;
    return exampleFigure(picture, stagesOf(picture));
}

} // namespace headscope::ui
