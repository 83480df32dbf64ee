#include "ui/pages/next_token/next_token_page.h"

#include "ui/pages/next_token/fill_in_controls.h"
#include "ui/pages/next_token/next_token_strip.h"
#include "ui/pages/next_token/next_token_table.h"
#include "ui/pages/next_token/sampling_controls.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/session/masked_words.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/token_strip.h"

#include <QJsonObject>
#include <QKeyEvent>

#include <algorithm>

namespace headscope::ui {

namespace {

// A tall page lists more candidates.
constexpr int kLeastRows = 12;
constexpr int kLeastCandidates = 8; ///< Of a masked word, above the tokens to mask.
constexpr int kMostRows = 40;
constexpr double kTableRow = 34.0;     ///< Logical pixels, with the row of A and B.
constexpr double kAroundTable = 330.0; ///< Height of everything else on the page.

} // namespace

NextTokenPage::NextTokenPage(Session& session)
    : Page(session)
    , m_generator(session, this)
    , m_controls(new SamplingControls(session, m_generator, this))
    , m_fillIn(new FillInControls(session, this))
    , m_title(heading({}, this))
    , m_figure(new TextLabel({}, TextRole::Figure, TextLabel::Tone::Text, this))
    , m_facts(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_kept(new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text3, this))
    , m_table(new NextTokenTable(this))
    , m_stripTitle(heading({}, this))
    , m_strip(new GeneratedStrip(this))
    , m_words(new TokenStrip(this))
    , m_stripHint(caption({}, this))
    , m_empty(new EmptyState(m_table))
{
    setFocusPolicy(Qt::ClickFocus);
    setAccessibleName(tr("Next token"));
    new PageFrame(*this, {{rowOf(40, {m_controls, m_fillIn, {makeMain(), 1}}), 1}});
    connect(&m_generator, &TokenGenerator::predicted, this, &NextTokenPage::refreshContent);
    connect(&m_generator, &TokenGenerator::changed, this, &NextTokenPage::refreshState);
    connect(m_table, &NextTokenTable::rowOpened, this, &NextTokenPage::openRow);
    connect(m_strip, &GeneratedStrip::rewindWanted, this, &NextTokenPage::rewind);
    connectFillIn();
    setOptions({}); // Sets the sliders to the settings.
    setMainWidget(*m_table);
}

QLayout* NextTokenPage::makeFigureRow()
{
    return rowOf(16, {m_figure, {m_facts, 1}});
}

QLayout* NextTokenPage::makeMain()
{
    m_table->setMinimumHeight(240);
    return columnOf(8, {m_title, makeFigureRow(), m_table, m_kept, Placed::gap(8),
                        new Hairline(Qt::Horizontal, this), m_stripTitle, m_strip, m_words,
                        m_stripHint, Placed::space()});
}

void NextTokenPage::connectFillIn()
{
    m_words->setOpensChips(true);
    m_words->setAccessibleName(tr("Tokens to mask"));
    connect(m_words, &TokenStrip::queryChosen, this,
            [this](int index) { session().view().selectPair(index, -1); });
    connect(m_words, &TokenStrip::chipOpened, this, &NextTokenPage::maskToken);
    connect(m_table, &NextTokenTable::currentChanged, this,
            [this] { m_fillIn->setContent(content(), m_table->current()); });
    connect(&session(), &Session::tokensChanged, this, &NextTokenPage::refreshWords);
    connect(&session(), &Session::selectionChanged, this, &NextTokenPage::refreshWords);
    connect(&session(), &Session::modelChanged, this, &NextTokenPage::refreshKind);
    refreshKind();
}

bool NextTokenPage::fillsIn() const
{
    return MaskedWords::of(session()).obstacle().isEmpty();
}

/// An encoder fills in words where a decoder continues the text.
void NextTokenPage::refreshKind()
{
    const bool fills = fillsIn();
    m_controls->setVisible(!fills);
    m_fillIn->setVisible(fills);
    m_strip->setVisible(!fills);
    m_words->setVisible(fills);
    m_stripTitle->setText(fills ? tr("Text") : tr("Generated"));
    m_stripHint->setText(fills ? tr("Click a token to mask it, and again to put the word back; "
                                    "Return does the same.")
                               : tr("Click a generated token to return to the text before it; "
                                    "Backspace removes the last one."));
    refreshWords();
    fitRows();
}

void NextTokenPage::refreshWords()
{
    const Tokenizer* tokenizer = session().model().tokenizer.get();
    if (!fillsIn() || !tokenizer)
        return;
    const TokenSequence& tokens = session().document().tokens();
    m_words->setChips(tokenChips(tokens, *tokenizer),
                      std::min(static_cast<int>(tokens.size()), session().models().longestText()),
                      session().textTokens());
    m_words->setQuery(session().pair().query);
}

void NextTokenPage::maskToken(int index)
{
    session().view().selectPair(index, -1);
    if (!MaskedWords::of(session()).toggle(index))
        emit session().noteRaised(MaskedWords::of(session()).obstacle(index));
}

bool NextTokenPage::writeCandidate()
{
    return m_fillIn->writeCandidate();
}

/// A candidate for a mask token is written; any other number shows its origin.
void NextTokenPage::openRow()
{
    if (!fillsIn() || !MaskedWords::of(session()).isMask(content().position))
        traceNumber();
    else
        writeCandidate();
}

GenerationSettings NextTokenPage::generationSettings() const
{
    GenerationSettings settings;
    settings.sampling = m_generator.settings();
    settings.seed = static_cast<std::uint64_t>(m_controls->seed());
    settings.maxTokens = m_controls->tokens();
    return settings;
}

bool NextTokenPage::sampleOne()
{
    return m_generator.sampleOne();
}

void NextTokenPage::rewind(int index)
{
    m_generator.rewind(index);
}

void NextTokenPage::refresh(ChangeSet changes)
{
    m_generator.follow(changes.testFlag(Change::Model), changes.testFlag(Change::Trace));
}

void NextTokenPage::refreshContent()
{
    m_table->setContent(content());
    m_fillIn->setContent(content(), m_table->current());
    refreshEmptyState();
    refreshState();
}

void NextTokenPage::refreshEmptyState()
{
    const QString& problem = content().problem;
    m_empty->setVisible(content().rows.empty());
    if (session().isCaptured())
        m_empty->setTexts(tr("No prediction"),
                          tr("This captured trace has no logits. Open a model to see them."), {});
    else if (session().model().model || !problem.isEmpty())
        m_empty->setTexts(tr("No prediction"), problem, {});
    else
        m_empty->setTexts(tr("No model is open"), tr("Open a checkpoint or a built-in model."), {});
}

QString NextTokenPage::titleText() const
{
    const NextTokenContent& c = content();
    if (c.rows.empty())
        return tr("Next token");
    return c.inPlace ? tr("Prediction at %1, \u201C%2\u201D").arg(c.position).arg(c.after)
                     : tr("Next token after \u201C%1\u201D").arg(c.after);
}

QString NextTokenPage::surpriseText() const
{
    const NextTokenContent& c = content();
    if (MaskedWords::of(session()).isMask(c.position))
        return {}; // the controls name the hidden word
    if (!c.surprise && c.unread > 0)
        return c.unread == 1
                   ? tr("1 more token is beyond the model\u2019s context, not computed")
                   : tr("%1 more tokens are beyond the model\u2019s context, not computed")
                         .arg(count(c.unread));
    if (!c.surprise)
        return tr("no next token yet");
    if (c.surpriseBefore)
        return tr("\u201C%1\u201D has a surprisal of %2 bits in B, %3 in A")
            .arg(c.actual, number(*c.surprise, 2), number(*c.surpriseBefore, 2));
    return tr("\u201C%1\u201D, which %2, has a surprisal of %3 bits")
        .arg(c.actual, c.inPlace ? tr("is at this position") : tr("follows"),
             number(*c.surprise, 2));
}

QString NextTokenPage::factsText() const
{
    const NextTokenContent& c = content();
    if (c.rows.empty())
        return {};
    const QString entropy =
        c.entropyBefore ? tr("bits of entropy in B, %1 in A; %2 at most")
                              .arg(number(*c.entropyBefore, 2), number(c.largestEntropy, 2))
                        : tr("bits of entropy; %1 at most").arg(number(c.largestEntropy, 2));
    const QString surprise = surpriseText();
    return surprise.isEmpty() ? entropy : entropy + QStringLiteral("; ") + surprise;
}

void NextTokenPage::refreshState()
{
    const NextTokenContent& c = content();
    const bool any = !c.rows.empty();
    m_title->setText(titleText());
    m_figure->setText(any ? number(c.entropy, 2) : QString());
    m_facts->setText(factsText());
    m_kept->setText(any ? keptText() : QString());
    QStringList labels;
    for (const TokenGenerator::Step& step : m_generator.steps())
        labels << step.label;
    m_strip->setTokens(labels.isEmpty() ? m_generator.text() : m_generator.steps().front().before,
                       labels);
    m_controls->refresh();
    if (fillsIn())
        m_words->setQuery(c.position);
}

QString NextTokenPage::keptText() const
{
    const NextTokenContent& c = content();
    return fillsIn()
               ? tr("%1 candidates; the bars have the fixed scale 0 to 1.").arg(count(c.vocabulary))
               : tr("%1 of %2 tokens can be sampled; the bars have the fixed scale 0 to 1.")
                     .arg(count(c.kept), count(c.vocabulary));
}

Figure NextTokenPage::figure() const
{
    return nextTokenFigure(session().viewSnapshot(), options());
}

QJsonObject NextTokenPage::options() const
{
    QJsonObject options = toOptions(m_generator.settings());
    options["seed"] = m_controls->seed();
    options["tokens"] = m_controls->tokens();
    return options;
}

void NextTokenPage::setOptions(const QJsonObject& options)
{
    m_generator.setSettings(settingsFrom(options));
    m_controls->restore(options.value("seed").toInt(m_controls->seed()),
                        options.value("tokens").toInt(m_controls->tokens()));
    m_generator.read();
}

QString NextTokenPage::hint() const
{
    if (fillsIn())
        return tr("M masks or unmasks \u00B7 W writes the candidate \u00B7 Up, Down: candidates");
    return tr("S samples \u00B7 Backspace removes the last token \u00B7 Esc stops \u00B7 Enter, "
              "Ctrl+click: a number's origin");
}

MaybeNumber NextTokenPage::numberAt(std::optional<QPoint> place) const
{
    const ViewSnapshot view = session().viewSnapshot();
    if (!place)
        return nextTokenNumber(view, content(), m_table->current().value_or(0),
                               NextTokenStage::Probability);
    const auto inside = within(*m_table, place);
    const auto at = inside ? m_table->placeAt(*inside) : std::nullopt;
    return at ? nextTokenNumber(view, content(), at->row, at->column) : std::nullopt;
}

bool NextTokenPage::escape()
{
    const bool was = isGenerating();
    m_generator.stop();
    return was;
}

void NextTokenPage::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = event->modifiers() == Qt::NoModifier;
    if (fillsIn() && isPlain && event->key() == Qt::Key_M)
        maskToken(content().position);
    else if (fillsIn() && isPlain && event->key() == Qt::Key_W)
        writeCandidate();
    else if (event->key() == Qt::Key_Backspace && generatedSteps() > 0)
        rewind(generatedSteps() - 1);
    else if (event->key() == Qt::Key_S && event->modifiers() == Qt::NoModifier)
        sampleOne();
    else if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

void NextTokenPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    fitRows();
}

void NextTokenPage::fitRows()
{
    const double room = height() / Theme::of(*this).scale() - kAroundTable;
    const int rows = static_cast<int>(room / kTableRow);
    m_generator.setRows(std::clamp(rows, fillsIn() ? kLeastCandidates : kLeastRows, kMostRows));
}

void NextTokenPage::hideEvent(QHideEvent* event)
{
    m_generator.dropRest();
    Page::hideEvent(event);
}

PageDescriptor NextTokenPage::descriptor()
{
    return {.name = "next-token",
            .title = tr("Next token"),
            .question = tr("What does the model predict next?"),
            .group = PageGroup::Inside,
            .icon = "<path d='M2.5 5h11M2.5 10h6.5M2.5 15h3.5'/><path d='M12.5 11l5 3.2 -5 3.2z' "
                    "fill='@'/>",
            .help = tr("See the model's next-token distribution. Change temperature, top-k and "
                       "top-p, sample a token, and go back to any earlier one. With an encoder, "
                       "mask a token and write one of the predicted words."),
            .terms = {"temperature", "sampling", "decoding", "logits"},
            .make = makePage<NextTokenPage>,
            .figure = nextTokenFigure};
}

} // namespace headscope::ui
