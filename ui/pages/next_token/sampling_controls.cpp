#include "ui/pages/next_token/sampling_controls.h"

#include "ui/pages/next_token/token_generator.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/session/session.h"
#include "ui/widgets/controls/slider.h"
#include "ui/widgets/labels.h"

#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <limits>

namespace headscope::ui {

namespace {

constexpr int kWidth = 208;

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

SamplingControls::SamplingControls(Session& session, TokenGenerator& generator, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_generator(generator)
    , m_temperature(new NamedSlider(tr("Temperature"), {}, Role::Plain, this))
    , m_topK(new NamedSlider(tr("Top-k (0: all)"), {}, Role::Plain, this))
    , m_topP(new NamedSlider(tr("Top-p"), {}, Role::Plain, this))
    , m_seed(numberBox(tr("Seed"), 0, std::numeric_limits<int>::max(), 1, this))
    , m_draw(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_last(new QPushButton(tr("Select the last token"), this))
    , m_sample(new QPushButton(tr("Sample"), this))
    , m_tokens(numberBox(tr("Tokens to generate"), 1, 500, 10, this))
    , m_generate(new QPushButton(tr("Generate"), this))
{
    makeSliders();
    m_draw->setFixedWidth(kWidth);
    m_last->setObjectName("selectLast");
    m_last->setFixedHeight(32);
    m_sample->setProperty("role", "primary");
    m_sample->setFixedHeight(40);
    auto* column = columnOf(10, {heading(tr("Sampling"), this)}, this);
    for (NamedSlider* slider : {m_temperature, m_topK, m_topP})
        column->addWidget(slider);
    column->addLayout(makeSeedRow());
    column->addWidget(m_draw);
    column->addWidget(m_last);
    column->addWidget(m_sample);
    column->addLayout(makeGenerateRow());
    column->addStretch(1);
    connectButtons();
}

void SamplingControls::makeSliders()
{
    m_temperature->setScale({0.0, 2.0, 200, false, 0.01, 2});
    m_topK->setScale({0.0, 100.0, 100, false, 1.0, 0});
    m_topP->setScale({0.01, 1.0, 99, false, 0.01, 2});
    for (NamedSlider* slider : {m_temperature, m_topK, m_topP}) {
        slider->setFixedWidth(kWidth);
        connect(slider, &NamedSlider::numberChanged, this, [this] {
            SamplingSettings settings = m_generator.settings();
            settings.temperature = m_temperature->number();
            settings.topK = static_cast<int>(m_topK->number());
            settings.topP = m_topP->number();
            m_generator.setSettings(settings);
            m_generator.read();
        });
    }
}

QLayout* SamplingControls::makeSeedRow()
{
    return rowOf(kStyleSpacing,
                 {new TextLabel(tr("Seed"), TextRole::Body, TextLabel::Tone::Text2, this),
                  Placed::space(), m_seed});
}

QLayout* SamplingControls::makeGenerateRow()
{
    m_generate->setFixedHeight(32);
    return rowOf(8, {{m_generate, 1}, m_tokens});
}

void SamplingControls::connectButtons()
{
    connect(m_seed, &QSpinBox::valueChanged, this, [this](int seed) {
        m_generator.setSeed(seed);
        refreshDraw();
    });
    connect(m_last, &QPushButton::clicked, &m_session.view(), &ViewState::releasePair);
    connect(m_sample, &QPushButton::clicked, &m_generator, &TokenGenerator::sampleOne);
    connect(m_generate, &QPushButton::clicked, this, [this] {
        if (m_generator.isGenerating())
            m_generator.stop();
        else
            m_generator.generate(tokens());
    });
}

int SamplingControls::seed() const
{
    return m_seed->value();
}

int SamplingControls::tokens() const
{
    return m_tokens->value();
}

void SamplingControls::restore(int seed, int tokens)
{
    const SamplingSettings& settings = m_generator.settings();
    const std::pair<NamedSlider*, double> shown[] = {
        {m_temperature, settings.temperature}, {m_topK, settings.topK}, {m_topP, settings.topP}};
    for (const auto& [slider, value] : shown) {
        const QSignalBlocker quiet(slider);
        slider->setNumber(value);
    }
    m_seed->setValue(seed);
    m_tokens->setValue(tokens);
}

void SamplingControls::refresh()
{
    const QString why = m_generator.obstacle();
    const bool generating = m_generator.isGenerating();
    m_sample->setEnabled(why.isEmpty() && !generating);
    m_sample->setToolTip(why);
    m_last->setVisible(m_generator.needsLastToken());
    m_generate->setEnabled(why.isEmpty() || generating);
    m_generate->setToolTip(why);
    m_generate->setText(generating ? tr("Stop (Esc)") : tr("Generate"));
    refreshDraw();
}

void SamplingControls::refreshDraw()
{
    m_draw->setText(drawText());
}

QString SamplingControls::drawText() const
{
    if (!m_generator.refusal().isEmpty())
        return m_generator.refusal();
    if (const QString why = m_generator.obstacle(); !why.isEmpty())
        return why + QLatin1Char('.');
    const QString label = labelOf(m_generator.nextToken(), m_session.model());
    if (m_generator.settings().temperature == 0.0)
        return tr("Greedy: always the top-1 token, \u201C%1\u201D.").arg(label);
    return tr("Random number %1 of this seed is %2, which samples \u201C%3\u201D.")
        .arg(m_generator.generatedTokens())
        .arg(number(m_generator.nextUniform(), 4), label);
}

} // namespace headscope::ui
