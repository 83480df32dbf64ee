#include "ui/pages/weights/weights_side_panel.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/charts/bars/spectrum.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <limits>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

int asIndex(std::int64_t value)
{
    return static_cast<int>(std::min<std::int64_t>(value, std::numeric_limits<int>::max()));
}

/// The selected weight, once its line has been read.
std::optional<float> valueAt(const WeightLinePtr& line, const WeightsOptions& options)
{
    if (!line)
        return std::nullopt;
    const qint64 index = line->isColumn ? options.column : options.row;
    const auto along = static_cast<std::size_t>(line->isColumn ? options.row : options.column);
    if (line->isColumn != options.isColumn || line->index != index || along >= line->values.size())
        return std::nullopt;
    return line->values[along];
}

} // namespace

WeightsSidePanel::WeightsSidePanel(QWidget* parent)
    : QWidget(parent)
    , m_title(heading({}, this))
    , m_direction(new SegmentBar(this))
    , m_row(new QSpinBox(this))
    , m_column(new QSpinBox(this))
    , m_token(new ChoiceBox(this))
    , m_value(new TextLabel({}, TextRole::Title, Tone::Text, this))
    , m_lineText(new TextLabel({}, TextRole::Body, Tone::Text2, this))
    , m_nearTitle(caption(tr("Nearest tokens, by cosine"), this))
    , m_near(new BarsWidget(this))
    , m_edit(new WeightEditBox(this))
    , m_spectrum(new SpectrumWidget(this))
    , m_spectrumText(new TextLabel({}, TextRole::Body, Tone::Text2, this))
{
    m_direction->setAccessibleName(tr("Describe the row or the column"));
    m_direction->setSegments({{tr("Row"), {}}, {tr("Column"), {}}});
    m_row->setAccessibleName(tr("Row"));
    m_column->setAccessibleName(tr("Column"));
    m_token->setPurpose(tr("Token of the sentence"));
    m_token->setToolTip(tr("Selects the row or column of a token of the sentence"));
    m_near->setAccessibleName(tr("Nearest tokens, by cosine"));
    m_spectrum->setAccessibleName(tr("Singular values"));
    for (TextLabel* label : {m_title, m_lineText, m_spectrumText})
        label->setWordWrap(true);
    columnOf(8,
             {m_title, makePlace(), m_token, m_value, m_lineText, m_nearTitle, m_near,
              Placed::gap(8), heading(tr("Edit"), this), m_edit, Placed::gap(8),
              heading(tr("Singular values"), this), m_spectrum, m_spectrumText, Placed::space()},
             this);
    connectPlace();
}

QLayout* WeightsSidePanel::makePlace()
{
    return columnOf(
        8, {rowOf(8, {m_direction, Placed::space()}), rowOf(8, {{m_row, 1}, {m_column, 1}})});
}

void WeightsSidePanel::connectPlace()
{
    connect(m_direction, &SegmentBar::currentChanged, this,
            [this](int index) { emit directionChosen(index == 1); });
    const auto choosePlace = [this] { emit placeChosen(m_row->value(), m_column->value()); };
    connect(m_row, &QSpinBox::valueChanged, this, choosePlace);
    connect(m_column, &QSpinBox::valueChanged, this, choosePlace);
    connect(m_token, &QComboBox::activated, this,
            [this](int index) { choose(m_token->itemData(index).toLongLong()); });
    connect(m_near, &BarsWidget::barActivated, this, [this](int index) {
        const auto place = static_cast<std::size_t>(index);
        if (m_line && place < m_line->near.size())
            choose(m_line->near[place].row);
    });
}

void WeightsSidePanel::choose(qint64 index)
{
    const bool isRow = m_matrix.tokenAxis == WeightMatrix::Axis::Rows;
    emit placeChosen(isRow ? index : m_options.row, isRow ? m_options.column : index);
}

void WeightsSidePanel::show(const WeightsMeasurement& measurement, const WeightsOptions& options,
                            const std::vector<TokenId>& tokens, const LoadedModel& model)
{
    m_matrix = measurement.subject().matrix;
    m_options = options;
    m_line = measurement.line();
    showPlace(m_matrix, options);
    showTokens(m_matrix, options, tokens, model);
    showLine(measurement, options, model);
    m_edit->show(m_matrix, options, valueAt(m_line, options));
    m_spectrum->setValues(measurement.singularValues());
    const QString note = measurement.spectrumNote();
    m_spectrum->setVisible(!measurement.singularValues().empty());
    m_spectrumText->setText(note.isEmpty() ? spectrumText(measurement.singularValues()) : note);
}

void WeightsSidePanel::showPlace(const WeightMatrix& matrix, const WeightsOptions& options)
{
    const QSignalBlocker row(m_row);
    const QSignalBlocker column(m_column);
    m_row->setRange(0, asIndex(matrix.rows - 1));
    m_column->setRange(0, asIndex(matrix.columns - 1));
    m_row->setValue(asIndex(options.row));
    m_column->setValue(asIndex(options.column));
    m_row->setPrefix(tr("row "));
    m_column->setPrefix(tr("column "));
    m_row->setEnabled(!matrix.isVector());
    m_direction->setCurrent(options.isColumn ? 1 : 0);
    m_direction->setSegmentEnabled(1, !matrix.isVector());
}

void WeightsSidePanel::showTokens(const WeightMatrix& matrix, const WeightsOptions& options,
                                  const std::vector<TokenId>& tokens, const LoadedModel& model)
{
    const bool hasTokens = matrix.tokenAxis != WeightMatrix::Axis::None && !tokens.empty();
    m_token->setVisible(hasTokens);
    if (!hasTokens)
        return;
    const QSignalBlocker blocker(m_token);
    m_token->clear();
    for (const TokenId id : tokens)
        m_token->addItem(tr("\u201C%1\u201D, token %2").arg(labelOf(id, model)).arg(id), id);
    const bool isRow = matrix.tokenAxis == WeightMatrix::Axis::Rows;
    m_token->setCurrentIndex(
        m_token->findData(static_cast<TokenId>(isRow ? options.row : options.column)));
    m_token->setPlaceholderText(tr("Token of the sentence\u2026"));
}

void WeightsSidePanel::showLine(const WeightsMeasurement& measurement,
                                const WeightsOptions& options, const LoadedModel& model)
{
    const qint64 index = options.isColumn ? options.column : options.row;
    m_title->setText(lineName(m_matrix, options.isColumn, index, model));
    const std::optional<float> value = valueAt(m_line, options);
    m_value->setText(value ? signedNumber(double{*value}, 4) : QStringLiteral("\u2026"));
    m_value->setToolTip(measurement.subject().minus
                            ? tr("Weight of B minus A, in the selected cell")
                            : tr("Weight in the selected cell"));
    m_lineText->setText(m_line ? lineText(*m_line) : QString());
    const std::vector<Bar> near = m_line ? nearBars(*m_line, model) : std::vector<Bar>();
    m_nearTitle->setVisible(!near.empty());
    m_near->setVisible(!near.empty());
    BarsOptions barsOptions;
    barsOptions.largest = 1.0;
    m_near->setOptions(barsOptions);
    m_near->setBars(near);
}

} // namespace headscope::ui
