#include "ui/pages/attribution/attribution_controls.h"

#include "ui/pages/attribution/attribution_measurement.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/session/session.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"

#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kChoiceWidth = 190;

void fill(ChoiceBox& box, const QString& first, const AttributionContent& content, TokenId chosen)
{
    const QSignalBlocker blocker(box);
    box.clear();
    box.addItem(first, -1);
    for (const AttributionChoice& choice : content.tokens)
        box.addItem(choice.label, choice.id);
    box.setCurrentIndex(std::max(box.findData(chosen), 0));
    box.setEnabled(!content.rows.empty());
}

} // namespace

AttributionControls::AttributionControls(Session& session, AttributionMeasurement& measurement,
                                         QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_measurement(measurement)
    , m_token(new ChoiceBox(this))
    , m_other(new ChoiceBox(this))
    , m_typed(new QLineEdit(this))
    , m_variant(new VariantBar(session, this))
    , m_order(new SegmentBar(this))
{
    m_order->setSegments({{tr("Largest first"), tr("Order by magnitude of the contribution")},
                          {tr("Model order"), tr("From the embeddings to the last layer")}});
    m_order->setAccessibleName(tr("Order of the contributions"));
    setUpTokens();
    rowOf(12, {m_token, m_other, m_typed, Placed::space(), m_variant, m_order}, this);
    connectWidgets();
}

void AttributionControls::setUpTokens()
{
    m_token->setPurpose(tr("Target token"));
    m_other->setPurpose(tr("Contrast token"));
    for (ChoiceBox* box : {m_token, m_other})
        box->setFixedWidth(kChoiceWidth);
    m_typed->setPlaceholderText(tr("or type: mat - rug"));
    m_typed->setAccessibleName(tr("One token, or two with a minus between them"));
    m_typed->setToolTip(tr("One token, or two with \u201C - \u201D between them for the logit "
                           "difference"));
    m_typed->setFixedWidth(150);
}

void AttributionControls::connectWidgets()
{
    connect(m_token, &QComboBox::currentIndexChanged, this, [this] {
        AttributionOptions options = m_measurement.options();
        options.token = m_token->currentData().toInt();
        m_measurement.ask(options);
    });
    connect(m_other, &QComboBox::currentIndexChanged, this, [this] {
        AttributionOptions options = m_measurement.options();
        options.other = m_other->currentData().toInt();
        m_measurement.ask(options);
    });
    connect(m_typed, &QLineEdit::returnPressed, this, &AttributionControls::chooseTyped);
    connect(m_order, &SegmentBar::currentChanged, this, [this](int index) {
        AttributionOptions options = m_measurement.options();
        options.sorted = index == 0;
        m_measurement.ask(options);
    });
}

/// Parses a single token; of two spellings, the more probable one is chosen.
std::optional<TokenId> AttributionControls::tokenNamed(const QString& text) const
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const auto& tokenizer = view.model().tokenizer;
    const auto target = attributionTarget(view, m_measurement.options());
    if (!tokenizer || !target || text.isEmpty())
        return std::nullopt;
    const ActivationRows logits = view.trace()->findRows({Site::Logits, 0}, target->position);
    std::optional<TokenId> best;
    for (const QString& spelling : {text, QLatin1Char(' ') + text}) {
        const TokenSequence tokens = tokenizer->encode(spelling.toStdString(), false);
        if (tokens.size() != 1 || tokens.tokens[0].id >= logits.view.shape[1])
            continue;
        const TokenId id = tokens.tokens[0].id;
        if (!best || logits.view(0, id) > logits.view(0, *best))
            best = id;
    }
    return best;
}

/// Parses "mat", or "mat - rug" for the logit difference of two tokens.
void AttributionControls::chooseTyped()
{
    const QStringList words = m_typed->text().split(QStringLiteral(" - "), Qt::SkipEmptyParts);
    if (words.isEmpty())
        return;
    std::vector<TokenId> ids;
    for (const QString& word : words) {
        const auto id = tokenNamed(word.trimmed());
        if (!id) {
            emit messageWanted(tr("\u201C%1\u201D is not a single token of this model. Choose a "
                                  "shorter word.")
                                   .arg(word.trimmed()));
            return;
        }
        ids.push_back(*id);
    }
    AttributionOptions options = m_measurement.options();
    options.token = ids[0];
    options.other = ids.size() > 1 ? ids[1] : -1;
    m_typed->clear();
    m_measurement.ask(options);
}

void AttributionControls::refresh()
{
    m_order->setCurrent(m_measurement.options().sorted ? 0 : 1);
}

QString AttributionControls::mostLikelyText(const AttributionContent& content) const
{
    const ViewSnapshot& computed = m_measurement.computed();
    const auto target =
        content.rows.empty() ? std::nullopt : attributionTarget(computed, m_measurement.options());
    return target && m_measurement.options().token < 0
               ? tr("most likely: %1").arg(labelOf(target->token, computed.model()))
               : tr("most likely");
}

void AttributionControls::refreshTokens(const AttributionContent& content)
{
    const AttributionOptions& options = m_measurement.options();
    fill(*m_token, mostLikelyText(content), content, options.token);
    fill(*m_other, tr("no contrast"), content, options.other);
    for (int row = 1; row < m_other->count(); ++row)
        m_other->setItemText(row, tr("minus %1").arg(m_other->itemText(row)));
    m_typed->setEnabled(!content.rows.empty());
}

} // namespace headscope::ui
