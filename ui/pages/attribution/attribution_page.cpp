#include "ui/pages/attribution/attribution_page.h"

#include "core/base/error.h"
#include "ui/pages/shared/choice_bars.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/charts/line_chart_widget.h"
#include "ui/widgets/controls/segments.h"

#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>

namespace headscope::ui {

AttributionPage::~AttributionPage()
{
    m_stopParts.request_stop();
    m_stopInputs.request_stop();
}

void AttributionPage::connectWidgets()
{
    connect(m_token, &QComboBox::currentIndexChanged, this, [this] {
        m_options.token = m_token->currentData().toInt();
        refresh({});
    });
    connect(m_other, &QComboBox::currentIndexChanged, this, [this] {
        m_options.other = m_other->currentData().toInt();
        refresh({});
    });
    connect(m_typed, &QLineEdit::returnPressed, this, &AttributionPage::chooseTyped);
    connect(m_run, &SegmentBar::currentChanged, this,
            [this](int index) { session().setShownRun(static_cast<Run>(index)); });
    connect(m_order, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.sorted = index == 0;
        refreshContent();
    });
    connect(m_bars, &BarsWidget::barActivated, this, [this](int index) {
        const auto place = static_cast<std::size_t>(index);
        if (place >= m_content.rows.size())
            return;
        const LogitPart& part = m_content.rows[place].part;
        if (part.kind == LogitPartKind::Head)
            chooseHead({part.layer, part.head, part.cross});
    });
    connect(m_map, &HeatmapWidget::cellActivated, this, [this](HeatmapCell cell) {
        const auto& head = m_content.mapHeads[static_cast<std::size_t>(cell.row)]
                                             [static_cast<std::size_t>(cell.column)];
        if (head)
            chooseHead(*head);
    });
    connect(m_map, &HeatmapWidget::cellOpened, this, [this] {
        session().activateHead(m_content.head.layer, m_content.head.head);
        emit pageWanted(QStringLiteral("head"));
    });
    connect(m_inputs, &HeatmapWidget::cellActivated, this, [this](HeatmapCell cell) {
        m_content.inputs.current = cell;
        m_inputs->setCurrentCell(cell);
    });
}

// ---------------------------------------------------------------------------- what a person means

void AttributionPage::chooseHead(const LogitHead& head)
{
    m_options.head = head;
    refresh({});
}

/// A single token: of two spellings the one that the model expects more.
std::optional<TokenId> AttributionPage::tokenNamed(const QString& text) const
{
    const Looking looking = session().looking();
    const auto& tokenizer = looking.model().tokenizer;
    const auto target = attributionTarget(looking, m_options);
    if (!tokenizer || !target || text.isEmpty())
        return std::nullopt;
    const auto logits = looking.trace()->find({Site::Logits, 0});
    std::optional<TokenId> best;
    for (const QString& spelling : {text, QLatin1Char(' ') + text}) {
        const TokenSequence tokens = tokenizer->encode(spelling.toStdString(), false);
        if (tokens.size() != 1 || tokens.tokens[0].id >= logits->shape()[1])
            continue;
        const TokenId id = tokens.tokens[0].id;
        if (!best || logits->view()(target->position, id) > logits->view()(target->position, *best))
            best = id;
    }
    return best;
}

/// "mat", or "mat - rug" for the two against each other.
void AttributionPage::chooseTyped()
{
    const QStringList words = m_typed->text().split(QStringLiteral(" - "), Qt::SkipEmptyParts);
    if (words.isEmpty())
        return;
    std::vector<TokenId> ids;
    for (const QString& word : words) {
        const auto id = tokenNamed(word.trimmed());
        if (!id) {
            emit messageWanted(tr("\u201C%1\u201D is no single token of this model: choose a "
                                  "shorter word.")
                                   .arg(word.trimmed()));
            return;
        }
        ids.push_back(*id);
    }
    m_options.token = ids[0];
    m_options.other = ids.size() > 1 ? ids[1] : -1;
    m_typed->clear();
    refresh({});
}

bool AttributionPage::escape()
{
    if (m_options.other >= 0)
        m_options.other = -1;
    else if (m_options.head)
        m_options.head.reset();
    else
        return false;
    refresh({});
    return true;
}

// ------------------------------------------------------------------------------------- following

AttributionPage::Key AttributionPage::keyOf(const Looking& looking) const
{
    return {looking.a,
            looking.b,
            looking.modelA.model,
            looking.modelB.model,
            looking.shown,
            attributionTarget(looking, m_options),
            m_options.head};
}

void AttributionPage::refresh(ChangeSet)
{
    const Looking looking = session().looking();
    refreshRuns(*m_run, looking);
    m_order->setCurrent(m_options.sorted ? 0 : 1);
    wantParts(looking);
    wantInputs(looking);
    refreshContent();
}

/// On the other thread: the last picture stays meanwhile.
void AttributionPage::wantParts(const Looking& looking)
{
    const Key key = keyOf(looking);
    if (key == m_partsKey)
        return;
    m_partsKey = key;
    m_stopParts.request_stop();
    m_stopParts = {};
    m_waitsForParts = looking.trace() != nullptr;
    if (!m_waitsForParts) {
        m_parts = {};
        return;
    }
    m_thread.run([this, looking, options = m_options, stop = m_stopParts.get_token()] {
        if (stop.stop_requested())
            return;
        auto parts = attributionParts(looking, options);
        m_path.send([this, looking, parts = std::move(parts), stop] {
            if (stop.stop_requested())
                return;
            m_parts = parts;
            m_computed = looking;
            m_waitsForParts = false;
            refreshContent();
        });
    });
}

void AttributionPage::wantInputs(const Looking& looking)
{
    Key key = keyOf(looking);
    key.head.reset();
    if (key == m_inputsKey)
        return;
    m_inputsKey = key;
    m_stopInputs.request_stop();
    m_stopInputs = {};
    m_inputNumbers = {};
    m_waitsForInputs = key.target.has_value();
    if (!m_waitsForInputs)
        return;
    m_thread.run([this, looking, options = m_options, stop = m_stopInputs.get_token()] {
        const auto tell = [this, stop](double fraction) {
            m_path.send([this, fraction, stop] {
                if (!stop.stop_requested() && m_waitsForInputs)
                    m_inputsNote->setText(
                        tr("Following the gradients: %1 %").arg(number(100.0 * fraction, 0)));
            });
        };
        try {
            if (stop.stop_requested())
                return;
            auto inputs = attributionInputs(looking, options, stop, tell);
            m_path.send([this, inputs = std::move(inputs), stop] {
                if (stop.stop_requested())
                    return;
                m_inputNumbers = inputs;
                m_waitsForInputs = false;
                refreshContent();
            });
        } catch (const Cancelled&) {
            return; // something else is asked
        }
    });
}

void AttributionPage::refreshContent()
{
    if (m_waitsForParts && !session().text().isEmpty() && !m_content.rows.empty())
        return; // the last picture stays
    m_content = {};
    if (!session().text().isEmpty() && !m_waitsForParts)
        m_content = attributionContent(m_computed, m_options, m_parts, m_inputNumbers);
    m_title->setText(m_content.target);
    m_sum->setText(sumWords());
    refreshChoices();
    refreshBars();
    refreshInputs();
    refreshEmptyState();
}

QString AttributionPage::sumWords() const
{
    if (m_content.rows.empty())
        return {};
    return tr("%1 parts add up to %2; the model's own number is %3.")
        .arg(m_content.rows.size())
        .arg(number(m_content.sum, 4), number(m_content.logit, 4));
}

void AttributionPage::refreshChoices()
{
    const auto target =
        m_content.rows.empty() ? std::nullopt : attributionTarget(m_computed, m_options);
    const auto fill = [&](ChoiceBox& box, const QString& first, TokenId chosen) {
        const QSignalBlocker blocker(box);
        box.clear();
        box.addItem(first, -1);
        for (const AttributionChoice& choice : m_content.tokens)
            box.addItem(choice.label, choice.id);
        box.setCurrentIndex(std::max(box.findData(chosen), 0));
        box.setEnabled(target.has_value());
    };
    const QString likeliest =
        target && m_options.token < 0
            ? tr("likeliest: %1").arg(labelOf(target->token, m_computed.model()))
            : tr("the likeliest");
    fill(*m_token, likeliest, m_options.token);
    fill(*m_other, tr("minus nothing"), m_options.other);
    for (int row = 1; row < m_other->count(); ++row)
        m_other->setItemText(row, tr("minus %1").arg(m_other->itemText(row)));
    m_typed->setEnabled(target.has_value());
}

void AttributionPage::refreshBars()
{
    std::vector<Bar> bars;
    for (const AttributionRow& row : m_content.rows) {
        Bar bar;
        bar.label = row.label;
        bar.value = row.value;
        bar.words = signedNumber(row.value, 3);
        const bool isHead = row.part.kind == LogitPartKind::Head;
        bar.role = isHead                                ? Role::Accent
                   : row.part.kind == LogitPartKind::Mlp ? Role::Value
                                                         : Role::Plain;
        bar.subject =
            isHead && LogitHead{row.part.layer, row.part.head, row.part.cross} == m_content.head;
        bars.push_back(bar);
    }
    m_bars->setBars(std::move(bars));
    m_map->setContent(m_content.map);
    ColourBarContent legend;
    legend.scale = m_content.map.scale;
    legend.title = tr("Part of the logit, up to the largest of these");
    m_legend->setContent(legend);
    m_course->setContent(m_content.course);
    const bool shown = !m_content.rows.empty();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_mapTitle, m_map, m_legend, m_course,
                                                           m_sourcesTitle, m_sources})
        widget->setVisible(shown && !m_content.map.matrix.isEmpty());
    LogitPart head;
    head.layer = m_content.head.layer;
    head.head = m_content.head.head;
    head.cross = m_content.head.cross;
    const QString name = nameOf(head);
    m_sourcesTitle->setText(m_content.sourcesProblem.isEmpty()
                                ? tr("Sources of %1").arg(name)
                                : tr("%1. %2").arg(name, m_content.sourcesProblem));
    m_sources->setBars(m_content.sources);
}

void AttributionPage::refreshInputs()
{
    m_inputs->setContent(m_content.inputs);
    const bool shown = !m_content.rows.empty();
    m_inputsTitle->setVisible(shown);
    m_inputs->setVisible(shown && !m_content.inputs.matrix.isEmpty());
    m_inputsNote->setVisible(shown);
    if (!m_waitsForInputs)
        m_inputsNote->setText(m_content.inputsNote);
}

void AttributionPage::refreshEmptyState()
{
    const bool noModel = session().isBlank();
    const bool noText = session().text().isEmpty();
    const bool noLogits = !m_waitsForParts && session().shownTrace() && m_content.rows.empty() &&
                          m_content.problem.isEmpty();
    m_empty->setVisible(noModel || noText || noLogits || !m_content.problem.isEmpty());
    if (noModel)
        m_empty->setTexts(tr("No model is open"),
                          tr("Open a checkpoint, or take a built-in model from the Model menu."),
                          {});
    else if (noText)
        m_empty->askForText(session(), tr("Type a sentence above: what makes its next token "
                                          "appears here."));
    else if (noLogits)
        m_empty->setTexts(tr("There is no logit to take apart"),
                          tr("This trace holds no logits that can be compared."), {});
    else
        m_empty->setTexts(tr("This logit cannot be taken apart"), m_content.problem, {});
}

// ------------------------------------------------------------------------------------------- page

Figure AttributionPage::figure() const
{
    return attributionFigure(session().looking(), options());
}

void AttributionPage::focusMain()
{
    m_map->setFocus(Qt::OtherFocusReason);
}

QJsonObject AttributionPage::options() const
{
    return m_options.toJson();
}

void AttributionPage::setOptions(const QJsonObject& options)
{
    m_options = AttributionOptions::fromJson(options);
    refresh({});
}

QString AttributionPage::hint() const
{
    return tr("The query token is where the logit stands \u00B7 Click or arrows: a head's sources "
              "\u00B7 Enter: that head \u00B7 Ctrl+Enter: the logit's origin");
}

MaybeNumber AttributionPage::numberAt(std::optional<QPoint>) const
{
    const auto target =
        m_content.rows.empty() ? std::nullopt : attributionTarget(m_computed, m_options);
    if (!target || target->other)
        return std::nullopt;
    return ShownNumber{cellNumber({Site::Logits, 0}, {target->position, target->token}),
                       runOf(m_computed)};
}

QString AttributionPage::noNumberWords() const
{
    return tr("A difference of two logits has two origins: take the contrast away to see one.");
}

} // namespace headscope::ui
