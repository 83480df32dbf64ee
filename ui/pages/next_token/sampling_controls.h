#pragma once

#include <QWidget>

class QLayout;
class QPushButton;
class QSpinBox;

namespace headscope::ui {

class NamedSlider;
class Session;
class TextLabel;
class TokenGenerator;

/// Sampling settings, and the buttons that sample one or many tokens.
class SamplingControls : public QWidget
{
    Q_OBJECT

public:
    SamplingControls(Session& session, TokenGenerator& generator, QWidget* parent = nullptr);

    int seed() const;
    int tokens() const; ///< Number of tokens generated at once.

    void restore(int seed, int tokens); ///< The generator restores the rest.
    void refresh();

private:
    void makeSliders();
    QLayout* makeSeedRow();
    QLayout* makeGenerateRow();
    void connectButtons();
    void refreshDraw();
    QString drawText() const;

    Session& m_session;
    TokenGenerator& m_generator;
    NamedSlider* m_temperature;
    NamedSlider* m_topK;
    NamedSlider* m_topP;
    QSpinBox* m_seed;
    TextLabel* m_draw;
    QPushButton* m_last; ///< Selects the last token, where text can be continued.
    QPushButton* m_sample;
    QSpinBox* m_tokens;
    QPushButton* m_generate;
};

} // namespace headscope::ui
