#pragma once

#include "ui/pages/next_token/token_generator.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QLayout;

namespace headscope::ui {

class EmptyState;
class GeneratedStrip;
class NextTokenTable;
class SamplingControls;
class TextLabel;

/// Next-token prediction: from logits to a sampled token, which can be appended and removed.
class NextTokenPage : public Page
{
    Q_OBJECT

public:
    explicit NextTokenPage(Session& session, QWidget* parent = nullptr);

    static PageDescriptor descriptor();

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    bool escape() override; ///< Stops generating.
    void focusMain() override;

    bool wantsInspector() const override { return false; }

    const NextTokenContent& content() const { return m_generator.content(); }

    /// Number of tokens; a character made of several counts as several.
    int generatedTokens() const { return m_generator.generatedTokens(); }

    int generatedSteps() const { return static_cast<int>(m_generator.steps().size()); }

    bool isGenerating() const { return m_generator.isGenerating(); }

    bool isFinishing() const
    {
        return m_generator.isFinishing();
    } ///< Tokens of a character made of several.

public slots:
    bool sampleOne(); ///< Returns false when no token can be sampled.
    void generate(int tokens);
    void rewind(int index); ///< Returns to the text before this generated step.

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QLayout* makeMain();
    QLayout* makeFigureRow();
    void refreshContent();
    void refreshEmptyState();
    void refreshState();
    QString titleText() const;
    QString factsText() const;
    QString surpriseText() const;

    TokenGenerator m_generator;
    SamplingControls* m_controls;
    TextLabel* m_title;
    TextLabel* m_figure;
    TextLabel* m_facts;
    TextLabel* m_kept;
    NextTokenTable* m_table;
    GeneratedStrip* m_strip;
    EmptyState* m_empty;
};

} // namespace headscope::ui
