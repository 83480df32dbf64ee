#pragma once

#include "core/generate/generator.h"
#include "ui/pages/next_token/token_generator.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QLayout;

namespace headscope::ui {

class EmptyState;
class FillInControls;
class GeneratedStrip;
class NextTokenTable;
class SamplingControls;
class TextLabel;
class TokenStrip;

/// Next-token prediction: from logits to a sampled token, which can be appended and removed. An
/// encoder predicts the token at a position: a click on it masks it, and a candidate can be written
/// in its place.
class NextTokenPage : public Page
{
    Q_OBJECT

public:
    explicit NextTokenPage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    bool escape() override; ///< Stops generating.

    bool wantsInspector() const override { return false; }

    const NextTokenContent& content() const { return m_generator.content(); }

    GenerationSettings generationSettings() const; ///< The settings of the controls.

    int generatedSteps() const { return static_cast<int>(m_generator.steps().size()); }

    /// True while the open model predicts masked words.
    bool fillsIn() const;

    bool isGenerating() const { return m_generator.isGenerating(); }

public slots:
    bool sampleOne();          ///< Returns false when no token can be sampled.
    void rewind(int index);    ///< Returns to the text before this generated step.
    void maskToken(int index); ///< Selects and masks a token, or puts the hidden word back.
    bool writeCandidate();     ///< Writes the chosen candidate in place of the mask token.

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QLayout* makeMain();
    QLayout* makeFigureRow();
    void connectFillIn();
    void fitRows();
    void refreshKind();
    void refreshWords();
    void refreshContent();
    void refreshEmptyState();
    void refreshState();
    QString titleText() const;
    QString factsText() const;
    QString surpriseText() const;
    QString keptText() const;
    void openRow();

    TokenGenerator m_generator;
    SamplingControls* m_controls;
    FillInControls* m_fillIn;
    TextLabel* m_title;
    TextLabel* m_figure;
    TextLabel* m_facts;
    TextLabel* m_kept;
    NextTokenTable* m_table;
    TextLabel* m_stripTitle;
    GeneratedStrip* m_strip;
    TokenStrip* m_words; ///< Tokens to mask; visible while fillsIn().
    TextLabel* m_stripHint;
    EmptyState* m_empty;
};

} // namespace headscope::ui
