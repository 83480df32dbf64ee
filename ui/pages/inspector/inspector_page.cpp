#include "ui/pages/inspector/inspector_page.h"

#include "core/analysis/derivation/pair_explanation.h"
#include "core/analysis/lens/next_token.h"
#include "core/analysis/scores/pattern_scores.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/maps/map_content.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/readable.h"

#include <QGridLayout>
#include <QStyle>
#include <QVBoxLayout>

#include <cmath>
#include <numbers>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kMargin = 24;
constexpr int kShownKeys = 4;
constexpr int kShownPredictions = 5;
constexpr int kFewerPredictions = 3; // Number of predictions in a low window.
constexpr int kLowWindow = 700;      // Inspector height (px) below which a window counts as low.
constexpr int kTokenWidth = 72;      // Width of one token in the pair line (px).
constexpr int kLeastToken = 40;      // Narrower tokens cannot be told apart.

void addLine(QVBoxLayout& column)
{
    column.addSpacing(16);
    column.addWidget(new Hairline(Qt::Horizontal, column.parentWidget()));
    column.addSpacing(16);
}

TextLabel* addFact(QGridLayout& grid, const QString& name)
{
    const int row = grid.rowCount();
    auto* value = new TextLabel({}, TextRole::Body, Tone::Text);
    grid.addWidget(new TextLabel(name, TextRole::Body, Tone::Text3), row, 0);
    grid.addWidget(value, row, 1, Qt::AlignRight);
    return value;
}

QString elided(const TextLabel& label, const QString& text, int width = kTokenWidth)
{
    return label.fontMetrics().elidedText(text, Qt::ElideRight, width);
}

int neededWidth(const TextLabel& label, const QString& text)
{
    return std::min(label.fontMetrics().horizontalAdvance(text) + 1, kTokenWidth);
}

QString shortNumber(double value)
{
    return number(value, value == std::round(value) ? 0 : 3);
}

/// Enough digits to check the quotient of two such numbers.
QString termNumber(double value)
{
    return number(value, value >= 1000.0 ? 0 : value >= 1.0 ? 2 : 4);
}

/// Equation, as large as fits the panel.
void showFormula(FormulaWidget& widget, const Math& formula, int room)
{
    widget.setFormula(formula, fittingPixels(formula, 17.0, room, Theme::of(widget)));
}

/// Equation: q.k / root d_k = dot / root = score.
Math scoreFormula(const PairExplanation& explanation)
{
    using namespace math;
    const auto size = static_cast<qlonglong>(explanation.queryVector.size());
    const QString numbers = " = " + number(explanation.dot, 2) + " / " +
                            shortNumber(1.0 / explanation.scale) + " = " +
                            number(explanation.score, 3);
    return row({variable("q", Role::Query), text("\u00B7"), variable("k", Role::Key), text(" / "),
                root(text(QString::number(size))), text(numbers)});
}

/// Equation: e^score / sum = weight; the largest score of the row is subtracted where e^score is
/// unreadable.
Math weightFormula(const PairExplanation& explanation)
{
    using namespace math;
    constexpr double kReadable = 12.0;
    const bool shifted = std::abs(explanation.largest) > kReadable;
    const double factor = shifted ? 1.0 : std::exp(explanation.largest);
    const QString exponent =
        shifted ? number(explanation.score, 2) + " \u2212 " + number(explanation.largest, 2)
                : number(explanation.score, 3);
    return row({scripts(variable("e"), text(exponent)),
                text(" / \u03A3 = " + termNumber(explanation.exponential * factor) + " / " +
                     termNumber(explanation.sum * factor) + " = "),
                strong(readoutNumber(explanation.weight))});
}

/// Equation of a cell of several tokens: sum of their weights / divisor = weight.
Math mergedFormula(const ShownPair& shown, const HeatmapMatrix& tokens)
{
    constexpr int kListed = 4;
    QStringList weights;
    double sum = 0.0;
    for (const int query : shown.queries()) {
        for (const int key : shown.keys()) {
            sum += tokens.at({query, key});
            weights << readoutNumber(tokens.at({query, key}));
        }
    }
    const double divisor = shown.weight() > 0.0 ? sum / shown.weight() : 1.0;
    const QString terms = weights.size() <= kListed
                              ? QStringLiteral("(%1)").arg(weights.join(QStringLiteral(" + ")))
                              : InspectorPage::tr("sum of %1 weights").arg(weights.size());
    return math::row({math::text(QStringLiteral("%1 / %2 = ").arg(terms, shortNumber(divisor))),
                      math::strong(readoutNumber(shown.weight()))});
}

Math hiddenFormula()
{
    return math::row({math::text(InspectorPage::tr("hidden by the mask: ")), math::strong("0")});
}

/// Positions of a row's or column's tokens, such as "4" or "4\u20136".
QString positionsText(const std::vector<int>& tokens)
{
    if (tokens.empty())
        return {};
    const QString first = QString::number(tokens.front());
    return tokens.size() == 1 ? first : QStringLiteral("%1\u2013%2").arg(first).arg(tokens.back());
}

} // namespace

InspectorPage::InspectorPage(Session& session, QWidget* parent) : SessionPanel(session, parent)
{
    auto* scroll = transparentScroll(makeContent(), this);
    scroll->setAccessibleName(tr("Inspector"));
    makeReadable(*scroll, QAccessible::Grouping);
    columnOf(0, {scroll}, this);
}

QWidget* InspectorPage::makeContent()
{
    auto* content = new QWidget;
    auto* outer = new QVBoxLayout(content);
    outer->setContentsMargins(kMargin, 16, kMargin, 16);
    outer->setSpacing(0);
    addTitle(*outer);
    m_readings = new QWidget(content);
    auto* column = columnOf(0, {}, m_readings);
    addPair(*column);
    addOrigin(*column);
    addPrediction(*column);
    addFacts(*column);
    addReminder(*column);
    outer->addWidget(m_readings);
    outer->addStretch(1);
    return content;
}

void InspectorPage::addTitle(QVBoxLayout& column)
{
    m_title = new TextLabel({}, TextRole::Title);
    m_subtitle = paragraph({}, TextRole::Body, Tone::Text3);
    column.addWidget(m_title);
    column.addWidget(m_subtitle);
}

void InspectorPage::addPair(QVBoxLayout& column)
{
    addLine(column);
    m_queryToken = new TextLabel({}, TextRole::Sentence, Tone::Accent);
    m_queryIndex = new TextLabel({}, TextRole::Caption, Tone::Text3);
    m_keyToken = new TextLabel({}, TextRole::Sentence, Tone::Key);
    m_keyIndex = new TextLabel({}, TextRole::Caption, Tone::Text3);
    m_figure = new TextLabel({}, TextRole::Figure);
    m_queryToken->setStrong(true);
    m_keyToken->setStrong(true);
    m_pairLine = rowOf(4, {m_queryToken, m_queryIndex, Placed::gap(4),
                           new TextLabel("\u2192", TextRole::Sentence, Tone::Text2), Placed::gap(4),
                           m_keyToken, m_keyIndex, Placed::space(), m_figure});
    m_keys = new BarsWidget;
    m_keys->setAccessibleName(tr("Keys that this query attends to most"));
    m_rest = new TextLabel({}, TextRole::Body, Tone::Text3);
    column.addLayout(m_pairLine);
    column.addWidget(m_keys);
    column.addWidget(m_rest);
}

void InspectorPage::addOrigin(QVBoxLayout& column)
{
    addLine(column);
    m_originTitle = new TextLabel({}, TextRole::Body, Tone::Text2);
    m_originTitle->setStrong(true);
    m_scoreFormula = new FormulaWidget;
    m_scoreFormula->setAccessibleName(tr("Where the score comes from"));
    m_weightFormula = new FormulaWidget;
    m_weightFormula->setAccessibleName(tr("Where the weight comes from"));
    m_replaced = paragraph({}, TextRole::Body, Tone::Warn);
    column.addWidget(m_originTitle);
    column.addSpacing(8);
    column.addWidget(m_scoreFormula);
    column.addSpacing(4);
    column.addWidget(m_weightFormula);
    column.addWidget(m_replaced);
}

void InspectorPage::addPrediction(QVBoxLayout& outer)
{
    m_predictionPart = new QWidget;
    outer.addWidget(m_predictionPart);
    QVBoxLayout& column = *columnOf(0, {}, m_predictionPart);
    addLine(column);
    auto* title = new TextLabel(tr("Next token"), TextRole::Body, Tone::Text2);
    title->setStrong(true);
    m_after = new TextLabel({}, TextRole::Caption, Tone::Text3);
    m_prediction = new BarsWidget;
    m_prediction->setAccessibleName(tr("Most likely next tokens"));
    m_prediction->setOptions({1.0, 3, 0.0, {}});
    column.addLayout(rowOf(kStyleSpacing, {title, Placed::space(), m_after}));
    column.addWidget(m_prediction);
}

void InspectorPage::addFacts(QVBoxLayout& column)
{
    addLine(column);
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(4);
    m_entropy = addFact(*grid, tr("Entropy of the row"));
    m_rowSum = addFact(*grid, tr("Row sum"));
    m_firstToken = addFact(*grid, tr("Mean on the first token"));
    column.addLayout(grid);
}

void InspectorPage::addReminder(QVBoxLayout& column)
{
    column.addSpacing(12);
    m_reminder = paragraph({}, TextRole::Caption, Tone::Text3);
    m_reminder->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_reminder->setAccessibleName(tr("A high attention weight is not proof of effect"));
    connect(m_reminder, &QLabel::linkActivated, this, [this] {
        const HeadId head = session().view().activeHead();
        const bool off = session().changes().isOff(head);
        session().document().setHeadOff(head, !off);
        if (!off)
            emit headSwitchedOff();
    });
    column.addWidget(m_reminder);
}

// ------------------------------------------------------------------------------------------
// contents

void InspectorPage::refresh(ChangeSet)
{
    refreshTitle();
    const TracePtr trace = session().shownTrace();
    const TokenPair pair = session().pair();
    const bool readable = trace && pair.query >= 0 && !session().text().isEmpty();
    m_readings->setVisible(readable);
    if (!readable)
        return;
    const Selection& selection = session().selection();
    const HeadReading reading{*trace, selection.layer, selection.head, selection.part};
    const ShownPair shown = shownPair(session().viewSnapshot(), pair);
    refreshPair(shown);
    refreshOrigin(reading, pair, shown);
    // It makes no predictions itself.
    const bool source = selection.part == AttentionKind::EncoderSelf;
    refreshPrediction(*trace, source ? static_cast<int>(trace->tokens().size()) - 1 : pair.query);
    refreshFacts(reading, shown);
    refreshReminder();
}

void InspectorPage::refreshTitle()
{
    m_title->setText(headTitle(session().selection()));
    const bool captured = session().isCaptured();
    m_subtitle->setVisible(session().model().model || captured);
    if (captured)
        m_subtitle->setText(tr("Captured elsewhere; changes are not available"));
    if (!session().model().model)
        return;
    const auto size = session().model().model->config().headDim();
    m_subtitle->setText(session().view().shownVariant() == Variant::B
                            ? tr("B: %1").arg(session().changes().describe())
                            : tr("Queries and keys of %1 dimensions").arg(size));
}

/// Width for contents beside a scroll bar, whether or not there is one.
int InspectorPage::room() const
{
    return width() - 2 * kMargin - style()->pixelMetric(QStyle::PM_ScrollBarExtent);
}

/// Width that the numbers of the pair leave to its tokens.
int InspectorPage::widthForTokens() const
{
    m_queryToken->clear();
    m_keyToken->clear();
    m_pairLine->invalidate();
    return std::max(room() - m_pairLine->minimumSize().width(), 0);
}

/// Shows the tokens of the pair. Positions of a long text, which the bars below repeat, give way.
void InspectorPage::showPair(const QString& query, const QString& key)
{
    const int ofQuery = neededWidth(*m_queryToken, query);
    const int ofKey = neededWidth(*m_keyToken, key);
    for (TextLabel* index : {m_queryIndex, m_keyIndex})
        index->show();
    int left = widthForTokens();
    if (left < std::min(ofQuery + ofKey, 2 * kLeastToken)) {
        for (TextLabel* index : {m_queryIndex, m_keyIndex})
            index->hide();
        left = widthForTokens();
    }
    const int first = std::min(ofQuery, std::max(left / 2, left - ofKey));
    m_queryToken->setText(elided(*m_queryToken, query, first));
    m_keyToken->setText(elided(*m_keyToken, key, std::min(ofKey, left - first)));
}

void InspectorPage::refreshPair(const ShownPair& shown)
{
    const ShownPattern& pattern = shown.pattern;
    m_queryIndex->setText(positionsText(shown.queries()));
    m_keyIndex->setText(positionsText(shown.keys()));
    m_figure->setText(shown.isShown() ? readoutNumber(shown.weight()) : QString());
    showPair(pattern.rowLabels.value(shown.cell.row),
             pattern.columnLabels.value(shown.cell.column));
    std::vector<Bar> bars;
    double rest = 0.0;
    int others = 0;
    for (const int column : shown.strongestColumns()) {
        const HeatmapCell cell{shown.cell.row, column};
        const double weight = pattern.matrix.at(cell);
        if (bars.size() >= kShownKeys) {
            others += pattern.mask.hides(cell, pattern.matrix) ? 0 : 1;
            rest += weight;
            continue;
        }
        const bool subject = column == shown.cell.column;
        bars.push_back({pattern.columnLabels.value(column),
                        weight,
                        {},
                        pattern.columnTokens[static_cast<std::size_t>(column)].front(),
                        subject ? Role::Key : Role::Plain,
                        {},
                        subject});
    }
    m_keys->setBars(std::move(bars));
    m_rest->setVisible(others > 0);
    m_rest->setText(tr("%1 more keys, total %2").arg(others).arg(readoutNumber(rest)));
}

void InspectorPage::refreshOrigin(const HeadReading& reading, const TokenPair& pair,
                                  const ShownPair& shown)
{
    const AttentionCell cell{
        reading.layer, reading.head,          pair.query,
        pair.key,      stackOf(reading.part), reading.part == AttentionKind::Cross};
    const LoadedModel model = session().viewSnapshot().model();
    const auto explanation = explainPair(reading.trace, cell, model.model.get());
    m_originTitle->setText(tr("Where %1 comes from").arg(m_figure->text()));
    m_originTitle->setVisible(explanation || !session().isCaptured());
    m_scoreFormula->setVisible(explanation && !shown.isMerged());
    m_weightFormula->setVisible(explanation || shown.isMerged());
    m_replaced->setVisible(explanation && !shown.isMerged() && explanation->isReplaced());
    if (shown.isMerged())
        return showFormula(*m_weightFormula, mergedFormula(shown, patternOf(reading)), room());
    if (!explanation)
        return;
    showFormula(*m_scoreFormula, scoreFormula(*explanation), room());
    showFormula(*m_weightFormula,
                explanation->masked ? hiddenFormula() : weightFormula(*explanation), room());
    m_replaced->setText(tr("An intervention replaces the computed %1 with %2.")
                            .arg(readoutNumber(explanation->weight), m_figure->text()));
}

void InspectorPage::refreshPrediction(const Trace& trace, int query)
{
    m_compact = height() < kLowWindow;
    const LoadedModel model = session().viewSnapshot().model();
    const QString token = labelsOf(trace.tokens(), model).value(query);
    const bool inPlace = model.model && !model.model->config().hasDecoder();
    m_after->setText((inPlace ? tr("at \u201C%1\u201D") : tr("after \u201C%1\u201D"))
                         .arg(elided(*m_after, token)));
    std::vector<Bar> bars;
    const int wanted = m_compact ? kFewerPredictions : kShownPredictions;
    for (const Candidate& next : nextTokens(trace, query, wanted, nullptr)) {
        const bool first = bars.empty();
        bars.push_back({labelOf(next.id, session().model()),
                        next.probability,
                        {},
                        {},
                        Role::Accent,
                        {},
                        first});
    }
    m_predictionPart->setVisible(!bars.empty()); // An encoder may have no language head.
    m_prediction->setBars(std::move(bars));
}

namespace {

/// "0.612 + sink 0.388", or the sum alone where there is no sink.
QString sumAndSinkText(double sum, const ShownPair& shown)
{
    const auto row = static_cast<std::size_t>(shown.cell.row);
    const std::vector<float>& sink = shown.pattern.sink;
    if (row >= sink.size() || std::isnan(sink[row]))
        return number(sum, 3);
    return InspectorPage::tr("%1 + sink %2").arg(number(sum, 3), number(double{sink[row]}, 3));
}

} // namespace

void InspectorPage::refreshFacts(const HeadReading& reading, const ShownPair& shown)
{
    const HeatmapMatrix pattern = patternOf(reading);
    double sum = 0.0;
    double nats = 0.0;
    for (int column = 0; column < shown.pattern.matrix.columns; ++column) {
        const double weight = shown.pattern.matrix.at({shown.cell.row, column});
        sum += weight;
        nats -= weight > 0.0 ? weight * std::log(weight) : 0.0;
    }
    const double first =
        pattern.rows == pattern.columns
            ? firstTokenMass({pattern.values.get(), {pattern.rows, pattern.columns}})
            : std::numeric_limits<double>::quiet_NaN();
    m_entropy->setText(tr("%1 bits").arg(number(nats / std::numbers::ln2, 2)));
    m_rowSum->setText(sumAndSinkText(sum, shown));
    m_firstToken->setText(std::isnan(first) ? QStringLiteral("\u2013") : number(first, 2));
}

void InspectorPage::refreshReminder()
{
    const bool off = session().changes().isOff(session().view().activeHead());
    m_reminder->setVisible(!session().isCaptured());
    m_reminder->setText(
        off ? tr("This head is ablated in B. <a href=\"on\">Restore it</a>.")
            : tr("A high attention weight is not proof of effect. <a href=\"off\">Ablate this "
                 "head</a> and watch the prediction."));
}

} // namespace headscope::ui
