#include "ui/pages/qk/qk_page.h"

#include "ui/pages/qk/qk_number.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/widgets/attention/qk_widget.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

QkPage::QkPage(Session& session)
    : Page(session)
    , m_title(heading({}, this))
    , m_note(caption({}, this))
    , m_variant(new VariantBar(session, this))
    , m_order(new SegmentBar(this))
    , m_table(new QkWidget(this))
    , m_empty(new EmptyState(m_table))
{
    m_order->setSegments({{tr("In order"), tr("Dimensions as the model has them")},
                          {tr("Largest first"), tr("Dimensions by the size of q \u00D7 k")}});
    m_order->setAccessibleName(tr("Order of the dimensions"));
    auto* top = topRow(m_title, {m_variant, m_order}, m_note);
    top->setContentsMargins(8, 0, 8, 0);
    // the table's rows have 8 px of their own
    new PageFrame(*this, {top, {m_table, 1}}, 12, {16, 16, 16, 16});
    connect(m_order, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.largestFirst = index == 1;
        note(Change::Display);
    });
    connect(m_table, &QkWidget::keyChosen, this, [this](int key) {
        this->session().view().selectPair(this->session().pair().query, key);
    });
    connect(m_table, &QkWidget::numberOpened, this, [this] { traceNumber(); });
    connect(m_table, &QkWidget::queryMoved, this, &QkPage::moveQuery);
    connect(m_table, &QkWidget::channelPinned, this,
            [this] { m_options.channel = m_table->pinnedChannel(); });
    setMainWidget(*m_table);
}

void QkPage::moveQuery(int step)
{
    const TracePtr& trace = session().shownTrace();
    if (!trace)
        return;
    const int last = static_cast<int>(trace->queryTokens(session().selection().part).size()) - 1;
    session().view().selectPair(std::clamp(session().pair().query + step, 0, last), -1);
}

Figure QkPage::figure() const
{
    return qkFigure(session().viewSnapshot(), options());
}

QJsonObject QkPage::options() const
{
    return m_options.toJson();
}

void QkPage::setOptions(const QJsonObject& options)
{
    m_options = QkOptions::fromJson(options);
    m_order->setCurrent(m_options.largestFirst ? 1 : 0);
    m_table->pinChannel(m_options.channel);
    note(Change::Display);
}

QString QkPage::hint() const
{
    return tr("\u2191\u2193 key \u00B7 \u2190\u2192 dimension \u00B7 Shift+\u2191\u2193 query "
              "\u00B7 Click pins \u00B7 Enter, Ctrl+click: a number's origin");
}

MaybeNumber QkPage::numberAt(std::optional<QPoint> place) const
{
    return qkNumberAt(session().viewSnapshot(), *m_table, place);
}

bool QkPage::escape()
{
    if (!m_table->pinnedChannel())
        return false;
    m_options.channel.reset();
    m_table->pinChannel(std::nullopt);
    return true;
}

void QkPage::refresh(ChangeSet)
{
    const ViewSnapshot view = session().viewSnapshot();
    const bool blank = session().text().isEmpty() || !view.trace();
    QkContent content = blank ? QkContent{} : qkContent(view, m_options);
    const bool grouped =
        view.display.hidden().any() || view.display.grouping != TokenDisplay::Grouping::Pieces;
    m_title->setText(headTitle(view.selection));
    m_note->setText(grouped ? tr("Shown token by token: vectors belong to tokens, not to words")
                            : tr("%1 numbers in q and in each k").arg(content.columns()));
    m_note->setVisible(!content.isEmpty());
    m_order->setVisible(!content.isEmpty());
    m_empty->setVisible(content.isEmpty());
    if (session().models().isBlank())
        m_empty->askForModel();
    else if (blank)
        m_empty->askForText(session(),
                            tr("Type a sentence above: its queries and keys appear here."));
    else if (content.isEmpty())
        m_empty->setTexts(tr("Nothing to show"), qkProblem(view), {});
    m_table->setContent(std::move(content));
}

PageDescriptor QkPage::descriptor()
{
    return {
        .name = "qk",
        .title = tr("Query \u00B7 Key"),
        .question = tr("Why does this query attend to this key?"),
        .group = PageGroup::Inside,
        .mode = tr("Scores"),
        .icon = "<rect x='2.75' y='2.75' width='14.5' height='4' rx='1'/><rect x='2.75' "
                "y='13.25' width='14.5' height='4' rx='1' fill='@'/><path d='M10 8.5v3M8.5 "
                "10h3'/>",
        .help = tr(
            "How one weight is computed: query times key, dimension by dimension, then the scores of the whole row through scale, mask and softmax."),
        .terms = {"query", "key", "score", "scores"},
        .make = makePage<QkPage>,
        .figure = qkFigure};
}

} // namespace headscope::ui
