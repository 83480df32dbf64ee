#include "ui/views/origin_view.h"

#include "core/base/error.h"
#include "ui/views/empty_state.h"
#include "ui/views/origin_model.h"
#include "ui/views/shown_pattern.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/segments.h"
#include "ui/workers/error_sentence.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kShownTerms = 24; ///< in a figure

QString words(const char* text)
{
    return QCoreApplication::translate("headscope::ui::OriginView", text);
}

Run runOf(const Looking& looking)
{
    return looking.shown == Run::A ? Run::A : Run::B;
}

QString nameOf(const NumberRef& number)
{
    return QString::fromStdString(toString(number));
}

/// "W[3, 5]" of a long way, for the buttons above.
QString shortName(const NumberRef& number)
{
    QString name = nameOf(number);
    if (number.kind == NumberRef::Kind::Activation)
        name.remove(QStringLiteral("blocks.")).remove(QStringLiteral("hook_"));
    return name;
}

Derivation derivationOf(const Looking& looking, const NumberRef& number)
{
    const Run run = runOf(looking);
    return derive(*looking.trace(run), *looking.model(run).model, number);
}

std::vector<NumberRef> pathOf(const QJsonObject& options)
{
    std::vector<NumberRef> path;
    for (const QJsonValue& step : options[QLatin1String("path")].toArray()) {
        const QJsonObject cell = step.toObject();
        const auto key = parseTraceKey(cell[QLatin1String("site")].toString().toStdString());
        if (!key)
            return path;
        NumberRef number{NumberRef::Kind::Activation, *key, {}, {}};
        for (const QJsonValue& index : cell[QLatin1String("index")].toArray())
            number.index.push_back(index.toInteger());
        path.push_back(std::move(number));
    }
    return path;
}

NumberTable tableOf(const Derivation& derivation)
{
    NumberTable table;
    table.name = words("operands");
    std::vector<float> values;
    for (const Term& term : derivation.terms) {
        QStringList names;
        for (int column = 0; column < OriginModel::kFactors; ++column) {
            const bool there = column < static_cast<int>(term.factors.size());
            const auto index = static_cast<std::size_t>(column);
            values.push_back(there ? static_cast<float>(term.factors[index].value) : 1.0F);
            if (there)
                names << nameOf(term.factors[index].of);
        }
        values.push_back(static_cast<float>(term.value));
        table.rows << names.join(QStringLiteral(" \u00D7 "));
    }
    table.columns = {words("operand"), words("times"), words("times"), words("term")};
    table.values = HeatmapMatrix::copyOf(std::move(values), static_cast<int>(table.rows.size()),
                                         OriginModel::kFactors + 1);
    return table;
}

std::vector<Bar> barsOf(const Derivation& derivation)
{
    std::vector<Term> terms = derivation.terms;
    std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
        return std::abs(a.value) > std::abs(b.value);
    });
    terms.resize(std::min<std::size_t>(terms.size(), kShownTerms));
    std::vector<Bar> bars;
    for (const Term& term : terms) {
        QStringList factors;
        for (const Factor& factor : term.factors)
            factors << QString::fromStdString(factor.name);
        Bar bar;
        bar.label = factors.join(QStringLiteral(" \u00D7 "));
        bar.value = term.value;
        bars.push_back(std::move(bar));
    }
    return bars;
}

QString constantsText(const Derivation& derivation)
{
    QStringList parts;
    for (const Factor& constant : derivation.constants)
        parts << QStringLiteral("%1 = %2").arg(QString::fromStdString(constant.name),
                                               exactNumber(constant.value));
    return parts.join(QStringLiteral("   "));
}

} // namespace

std::optional<NumberRef> selectedNumber(const Looking& looking)
{
    const Run run = runOf(looking);
    if (!looking.trace(run))
        return std::nullopt;
    const TokenPair pair = resolve(looking.selection, *looking.trace(run));
    if (pair.query < 0)
        return std::nullopt;
    return NumberRef{NumberRef::Kind::Activation,
                     patternKey(looking.selection.part, looking.selection.layer),
                     {},
                     {looking.selection.head, pair.query, pair.key}};
}

Figure originFigure(const Looking& looking, const QJsonObject& options)
{
    std::vector<NumberRef> path = pathOf(options);
    if (path.empty()) {
        if (const auto selected = selectedNumber(looking))
            path.push_back(*selected);
    }
    if (path.empty())
        throw Error("there is no number to trace", "origin", "Run a text through a model first");
    const Derivation derivation = derivationOf(looking, path.back());
    Figure figure = figureOf(looking, nameOf(path.back()));
    figure.caption = words("%1 = %2: %3. Operands by magnitude; bars are terms of the sum.")
                         .arg(nameOf(path.back()), exactNumber(derivation.recorded),
                              derivation.end.empty() ? QString::fromStdString(derivation.formula)
                                                     : QString::fromStdString(derivation.end));
    figure.numbers = {tableOf(derivation)};
    const std::vector<Bar> bars = barsOf(derivation);
    figure.size = [bars](const Theme& theme) {
        return QSizeF(560.0 * theme.scale(), barsHeight(bars, theme) + 56.0 * theme.scale());
    };
    figure.paint = [bars, derivation](QPainter& painter, const QRectF& area, const Theme& theme,
                                      const FigureTarget&) {
        painter.setFont(theme.font(TextRole::Body));
        painter.setPen(theme.text);
        painter.drawText(QRectF(area.x(), area.y(), area.width(), 24.0 * theme.scale()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         QStringLiteral("%1 = %2").arg(QString::fromStdString(derivation.formula),
                                                       exactNumber(derivation.recorded)));
        paintBars(painter, area.adjusted(0, 40.0 * theme.scale(), 0, 0), bars, {0.0, 4, 0.0, {}},
                  theme);
    };
    return figure;
}

OriginView::OriginView(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_way(new QHBoxLayout)
    , m_name(new TextLabel({}, TextRole::Body, Tone::Text2, this))
    , m_figure(new TextLabel({}, TextRole::Figure, Tone::Text, this))
    , m_formula(new TextLabel({}, TextRole::Stage, Tone::Text, this))
    , m_constants(new TextLabel({}, TextRole::Body, Tone::Text2, this))
    , m_check(new TextLabel({}, TextRole::Body, Tone::Ok, this))
    , m_order(new SegmentBar(this))
    , m_table(new QTableView(this))
    , m_model(new OriginModel(this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    for (TextLabel* label : {m_name, m_formula, m_constants, m_check})
        label->setWordWrap(true);
    m_order->setSegments({{tr("Largest first"), tr("By the size of the term")},
                          {tr("In order"), tr("As the formula has them")}});
    m_order->setAccessibleName(tr("Order of the operands"));
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Operands"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->setTabKeyNavigation(false);
    m_way->setSpacing(4);
    auto* line = new QHBoxLayout;
    line->addWidget(heading(tr("Operands"), this));
    line->addStretch(1);
    line->addWidget(m_order);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 12, 24, 12);
    column->setSpacing(8);
    column->addLayout(m_way);
    column->addWidget(m_name);
    column->addWidget(m_figure);
    column->addWidget(m_formula);
    column->addWidget(m_constants);
    column->addWidget(m_check);
    column->addWidget(new Hairline(Qt::Horizontal, this));
    column->addLayout(line);
    column->addWidget(m_table, 1);
    m_empty = new EmptyState(this);
    m_empty->setTexts(tr("No number yet"),
                      tr("Type a sentence; every weight of its attention can be traced here."), {});
    connectWidgets();
}

void OriginView::connectWidgets()
{
    connect(m_order, &SegmentBar::currentChanged, this, &OriginView::refreshNumber);
    const auto open = [this](const QModelIndex& index) {
        if (const Factor* factor = m_model->factorAt(index))
            goDown(NumberRef(factor->of));
    };
    connect(m_table, &QTableView::activated, this, open); // Enter, or a double click
}

void OriginView::trace(const NumberRef& number)
{
    m_follows = false;
    m_path = {number};
    refreshNumber();
}

void OriginView::goDown(const NumberRef& number)
{
    if (number.kind == NumberRef::Kind::Constant)
        return;
    m_path.push_back(number);
    refreshNumber();
    if (m_model->rowCount() > 0)
        m_table->setCurrentIndex(m_model->index(0, 0));
}

void OriginView::goUp()
{
    if (m_path.size() < 2)
        return;
    m_path.pop_back();
    refreshNumber();
}

bool OriginView::escape()
{
    const bool deep = m_path.size() > 1;
    if (deep) {
        goUp();
    } else if (!m_follows) {
        m_follows = true;
        note(Change::Selection);
        return true;
    }
    return deep;
}

Figure OriginView::figure() const
{
    return originFigure(session().looking(), options());
}

void OriginView::focusMain()
{
    m_table->setFocus(Qt::OtherFocusReason);
}

QJsonObject OriginView::options() const
{
    QJsonArray path;
    for (const NumberRef& number : m_path) {
        if (number.kind != NumberRef::Kind::Activation)
            break; // a parameter or norm is found again in one step
        QJsonArray index;
        for (const std::int64_t value : number.index)
            index.append(static_cast<qint64>(value));
        path.append(
            QJsonObject{{QStringLiteral("site"),
                         nameOf({number.kind, number.key, {}, {}}).remove(QStringLiteral("[]"))},
                        {QStringLiteral("index"), index}});
    }
    return m_follows && path.size() <= 1 ? QJsonObject()
                                         : QJsonObject{{QStringLiteral("path"), path}};
}

void OriginView::setOptions(const QJsonObject& options)
{
    m_path = pathOf(options);
    m_follows = m_path.empty();
    note(Change::Selection);
}

QString OriginView::hint() const
{
    return tr("Enter or a double click goes behind an operand \u00B7 Esc goes back");
}

void OriginView::showEvent(QShowEvent* event)
{
    session().askFor(this, {"*"});
    Page::showEvent(event);
}

void OriginView::hideEvent(QHideEvent* event)
{
    session().askFor(this, {});
    Page::hideEvent(event);
}

void OriginView::refresh(ChangeSet)
{
    const auto selected = selectedNumber(session().looking());
    if (m_follows && selected && (m_path.empty() || m_path.front() != *selected))
        m_path = {*selected};
    refreshNumber();
}

void OriginView::refreshWay()
{
    while (QLayoutItem* item = m_way->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t step = 0; step < m_path.size(); ++step) {
        auto* button = new QPushButton(shortName(m_path[step]), this);
        button->setAccessibleName(tr("Level %1: %2").arg(step).arg(nameOf(m_path[step])));
        button->setEnabled(step + 1 < m_path.size());
        connect(button, &QPushButton::clicked, this, [this, step] {
            m_path.resize(step + 1);
            refreshNumber();
        });
        m_way->addWidget(button);
    }
    m_way->addStretch(1);
}

void OriginView::refreshNumber()
{
    const Looking looking = session().looking();
    const bool ready =
        looking.trace(runOf(looking)) && !m_path.empty() && !session().text().isEmpty();
    m_empty->setVisible(!ready);
    m_table->setVisible(ready);
    if (!ready)
        return;
    try {
        m_derivation = derivationOf(looking, m_path.back());
    } catch (const std::exception&) { // the text became shorter than the cell's place
        m_follows = true;
        const auto selected = selectedNumber(looking);
        if (!selected)
            return;
        m_path = {*selected};
        m_derivation = derivationOf(looking, m_path.back());
    }
    refreshWay();
    m_name->setText(nameOf(m_path.back()));
    m_figure->setText(exactNumber(m_derivation.recorded));
    m_formula->setText(
        QString::fromStdString(m_derivation.end.empty() ? m_derivation.formula : m_derivation.end));
    m_constants->setText(constantsText(m_derivation));
    m_constants->setVisible(!m_derivation.constants.empty());
    const bool agrees = m_derivation.agrees();
    m_check->setTone(agrees ? Tone::Ok : Tone::Warn);
    m_check->setText(agrees ? tr("\u2713 recomputed from the operands: %1")
                                  .arg(exactNumber(m_derivation.recomputed))
                            : tr("! the operands give %1: an intervention put another number here")
                                  .arg(exactNumber(m_derivation.recomputed)));
    m_check->setVisible(m_derivation.end.empty());
    m_model->setTerms(m_derivation.terms, m_order->current() == 0);
    std::size_t factors = 1;
    for (const Term& term : m_derivation.terms)
        factors = std::max(factors, term.factors.size());
    for (int column = 0; column < OriginModel::kFactors; ++column)
        m_table->setColumnHidden(column, column >= static_cast<int>(factors));
}

} // namespace headscope::ui
