#include "ui/pages/next_token/next_token_page.h"

#include "ui/pages/shared/empty_state.h"
#include "ui/pages/next_token/next_token_strip.h"
#include "ui/pages/next_token/next_token_table.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/controls/slider.h"

#include <QHBoxLayout>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <limits>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kRows = 12;

QSpinBox* numberBox(const QString& name, int low, int high, int value, QWidget* parent)
{
    auto* box = new QSpinBox(parent);
    box->setRange(low, high);
    box->setValue(value);
    box->setFixedHeight(32);
    box->setMinimumWidth(80);
    box->setAccessibleName(name);
    box->findChild<QLineEdit*>()->setAccessibleName(name);
    return box;
}

} // namespace

NextTokenPage::NextTokenPage(Session& session, QWidget* parent) : Page(session, parent)
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    setFocusPolicy(Qt::ClickFocus);
    setAccessibleName(tr("Next token"));
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(24, 16, 24, 16);
    columns->setSpacing(40);
    columns->addLayout(makeControls());
    columns->addLayout(makeMain(), 1);
    m_empty = new EmptyState(m_table);
    connect(m_table, &NextTokenTable::rowOpened, this, [this] { traceNumber(); });
    connect(m_strip, &GeneratedStrip::rewindWanted, this, &NextTokenPage::rewind);
    setOptions({}); // the sliders begin where the settings do
}

QLayout* NextTokenPage::makeControls()
{
    auto* column = new QVBoxLayout;
    column->setSpacing(10);
    column->addWidget(heading(tr("Sampling"), this));
    m_temperature = new NamedSlider(tr("Temperature"), {}, Role::Plain, this);
    m_temperature->setScale({0.0, 2.0, 200, false, 0.01, 2});
    m_topK = new NamedSlider(tr("Top-k (0: all)"), {}, Role::Plain, this);
    m_topK->setScale({0.0, 100.0, 100, false, 1.0, 0});
    m_topP = new NamedSlider(tr("Top-p"), {}, Role::Plain, this);
    m_topP->setScale({0.01, 1.0, 99, false, 0.01, 2});
    for (NamedSlider* slider : {m_temperature, m_topK, m_topP}) {
        slider->setFixedWidth(208);
        column->addWidget(slider);
        connect(slider, &NamedSlider::numberChanged, this, [this] {
            m_settings.temperature = m_temperature->number();
            m_settings.topK = static_cast<int>(m_topK->number());
            m_settings.topP = m_topP->number();
            showContent();
        });
    }
    m_seed = numberBox(tr("Seed"), 0, std::numeric_limits<int>::max(), 1, this);
    auto* seed = new QHBoxLayout;
    seed->addWidget(new TextLabel(tr("Seed"), TextRole::Body, Tone::Text2, this));
    seed->addStretch(1);
    seed->addWidget(m_seed);
    column->addLayout(seed);
    connect(m_seed, &QSpinBox::valueChanged, this, [this] {
        m_said.clear();
        showDraw();
    });
    m_draw = new TextLabel({}, TextRole::Body, Tone::Text2, this);
    m_draw->setWordWrap(true);
    m_draw->setFixedWidth(208);
    column->addWidget(m_draw);
    m_sample = new QPushButton(tr("Sample"), this);
    m_sample->setProperty("role", "primary");
    m_sample->setFixedHeight(40);
    column->addWidget(m_sample);
    m_count = numberBox(tr("Tokens to generate"), 1, 500, 10, this);
    m_generate = new QPushButton(tr("Generate"), this);
    m_generate->setFixedHeight(32);
    auto* many = new QHBoxLayout;
    many->setSpacing(8);
    many->addWidget(m_generate, 1);
    many->addWidget(m_count);
    column->addLayout(many);
    column->addStretch(1);
    connect(m_sample, &QPushButton::clicked, this, &NextTokenPage::sampleOne);
    connect(m_generate, &QPushButton::clicked, this, [this] {
        if (isGenerating())
            stop();
        else
            generate(m_count->value());
    });
    return column;
}

QLayout* NextTokenPage::makeMain()
{
    m_title = heading({}, this);
    m_figure = new TextLabel({}, TextRole::Figure, Tone::Text, this);
    m_facts = new TextLabel({}, TextRole::Body, Tone::Text2, this);
    m_facts->setWordWrap(true);
    m_kept = new TextLabel({}, TextRole::Caption, Tone::Text3, this);
    m_table = new NextTokenTable(this);
    m_table->setMinimumHeight(240);
    m_strip = new GeneratedStrip(this);
    auto* figure = new QHBoxLayout;
    figure->setSpacing(16);
    figure->addWidget(m_figure);
    figure->addWidget(m_facts, 1);
    auto* column = new QVBoxLayout;
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addLayout(figure);
    column->addWidget(m_table);
    column->addWidget(m_kept);
    column->addSpacing(8);
    column->addWidget(new Hairline(Qt::Horizontal, this));
    column->addWidget(heading(tr("Generated"), this));
    column->addWidget(m_strip);
    column->addWidget(
        caption(tr("Click a generated token to go back to before it; Backspace takes the last one "
                   "away."),
                this));
    column->addStretch(1);
    return column;
}

// ------------------------------------------------------------------------------------- what is
// seen

void NextTokenPage::refresh(ChangeSet changes)
{
    if (changes.testFlag(Change::Model))
        m_steps.clear();
    forgetOtherSteps();
    showContent();
    if (m_left > 0 && changes.testFlag(Change::Trace) && isCurrent()) {
        if (sampleOne())
            --m_left;
        showWords();
    }
}

void NextTokenPage::showContent()
{
    m_content = nextTokenContent(session().looking(), {m_settings, kRows});
    m_table->setContent(m_content);
    m_empty->setVisible(m_content.rows.empty());
    if (session().isCaptured())
        m_empty->setTexts(tr("Nothing is predicted"),
                          tr("This captured trace holds no logits. Open a model to see them."), {});
    else if (session().model().model || !m_content.problem.isEmpty())
        m_empty->setTexts(tr("Nothing is predicted"), m_content.problem, {});
    else
        m_empty->setTexts(tr("No model is open"),
                          tr("Open a checkpoint, or take a built-in model."), {});
    showWords();
}

void NextTokenPage::showWords()
{
    const NextTokenContent& c = m_content;
    const bool any = !c.rows.empty();
    m_title->setText(!any ? tr("Next token")
                     : c.inPlace
                         ? tr("Prediction at %1, \u201C%2\u201D").arg(c.position).arg(c.after)
                         : tr("Next token after \u201C%1\u201D").arg(c.after));
    m_figure->setText(any ? number(c.entropy, 2) : QString());
    QStringList facts;
    if (any) {
        facts << (c.entropyBefore
                      ? tr("bits of entropy in B, %1 in A; %2 at most")
                            .arg(number(*c.entropyBefore, 2), number(c.largestEntropy, 2))
                      : tr("bits of entropy; %1 at most").arg(number(c.largestEntropy, 2)));
        if (c.surprise)
            facts << (c.surpriseBefore
                          ? tr("\u201C%1\u201D surprises by %2 bits in B, %3 in A")
                                .arg(c.actual, number(*c.surprise, 2), number(*c.surpriseBefore, 2))
                          : tr("\u201C%1\u201D, which %2, surprises by %3 bits")
                                .arg(c.actual, c.inPlace ? tr("stands here") : tr("follows"),
                                     number(*c.surprise, 2)));
        else
            facts << tr("no token follows yet");
    }
    m_facts->setText(facts.join(QStringLiteral("; ")));
    m_kept->setText(any ? tr("%1 of %2 tokens can be drawn; the bars have the fixed scale 0 to 1.")
                              .arg(count(c.kept), count(c.vocabulary))
                        : QString());
    QStringList labels;
    for (const Step& step : m_steps)
        labels << step.label;
    m_strip->setTokens(m_steps.empty() ? text() : m_steps.front().before, labels);
    const QString why = obstacle();
    m_sample->setEnabled(why.isEmpty() && m_left == 0);
    m_sample->setToolTip(why);
    m_generate->setEnabled(why.isEmpty() || m_left > 0);
    m_generate->setToolTip(why);
    m_generate->setText(m_left > 0 ? tr("Stop (Esc)") : tr("Generate"));
    showDraw();
}

void NextTokenPage::showDraw()
{
    const QString why = obstacle();
    if (!m_said.isEmpty())
        return m_draw->setText(m_said);
    if (!why.isEmpty()) {
        m_draw->setText(why + QLatin1Char('.'));
        return;
    }
    const double uniform = drawOf(static_cast<std::uint64_t>(m_seed->value()), generatedTokens());
    m_draw->setText(m_settings.temperature == 0.0
                        ? tr("Greedy: always the most probable, \u201C%1\u201D.")
                              .arg(labelOf(drawn(), session().model()))
                        : tr("Draw %1 of this seed is %2: it falls on \u201C%3\u201D.")
                              .arg(generatedTokens())
                              .arg(number(uniform, 4), labelOf(drawn(), session().model())));
}

Figure NextTokenPage::figure() const
{
    return nextTokenFigure(session().looking(), options());
}

QJsonObject NextTokenPage::options() const
{
    QJsonObject options = toOptions(m_settings);
    options["seed"] = m_seed->value();
    options["tokens"] = m_count->value();
    return options;
}

void NextTokenPage::setOptions(const QJsonObject& options)
{
    m_settings = settingsFrom(options);
    const std::pair<NamedSlider*, double> shown[] = {{m_temperature, m_settings.temperature},
                                                     {m_topK, m_settings.topK},
                                                     {m_topP, m_settings.topP}};
    for (const auto& [slider, value] : shown) {
        const QSignalBlocker quiet(slider);
        slider->setNumber(value);
    }
    m_seed->setValue(options.value("seed").toInt(m_seed->value()));
    m_count->setValue(options.value("tokens").toInt(m_count->value()));
    showContent();
}

QString NextTokenPage::hint() const
{
    return tr("S samples \u00B7 Backspace takes one back \u00B7 Esc stops \u00B7 Enter, "
              "Ctrl+click: a number's origin");
}

MaybeNumber NextTokenPage::numberAt(std::optional<QPoint> place) const
{
    const Looking looking = session().looking();
    if (!place)
        return nextTokenNumber(looking, m_content, m_table->current().value_or(0),
                               NextTokenStage::Probability);
    const auto inside = within(*m_table, place);
    const auto at = inside ? m_table->placeAt(*inside) : std::nullopt;
    return at ? nextTokenNumber(looking, m_content, at->row, at->column) : std::nullopt;
}

bool NextTokenPage::escape()
{
    const bool was = isGenerating();
    stop();
    return was;
}

void NextTokenPage::focusMain()
{
    m_table->setFocus(Qt::OtherFocusReason);
}

void NextTokenPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Backspace && !m_steps.empty())
        rewind(generatedSteps() - 1);
    else if (event->key() == Qt::Key_S && event->modifiers() == Qt::NoModifier)
        sampleOne();
    else if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

void NextTokenPage::hideEvent(QHideEvent* event)
{
    m_left = 0;
    Page::hideEvent(event);
}

} // namespace headscope::ui
