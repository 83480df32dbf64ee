#pragma once

#include "ui/pages/next_token/next_token_content.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/whole_character.h"
#include "ui/workers/tasks/return_path.h"
#include "ui/workers/tasks/task_thread.h"

class QPushButton;
class QSpinBox;

namespace headscope::ui {

class EmptyState;
class GeneratedStrip;
class NamedSlider;
class NextTokenTable;
class TextLabel;

/// What comes next: from logits to a drawn token, which can be appended and taken back.
class NextTokenPage : public Page
{
    Q_OBJECT

public:
    explicit NextTokenPage(Session& session, QWidget* parent = nullptr);

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    bool escape() override; ///< stops generating
    void focusMain() override;

    bool wantsInspector() const override { return false; }

    const NextTokenContent& content() const { return m_content; }

    int generatedTokens() const; ///< a character of several counts as many

    int generatedSteps() const { return static_cast<int>(m_steps.size()); }

    bool isGenerating() const { return m_left > 0; }

    bool isFinishing() const { return m_finishing; } ///< a character of several tokens

public slots:
    bool sampleOne(); ///< false when nothing could be drawn
    void generate(int tokens);
    void rewind(int index); ///< to before this generated step

protected:
    void refresh(ChangeSet changes) override;
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Step
    {
        QString before; ///< the text without this token
        QString after;
        QString label;
        int tokens = 1;
    };

    QLayout* makeControls();
    QLayout* makeMain();
    QString text() const; ///< what sampling continues: the text, or an encoder-decoder's answer
    void setText(const QString& text);
    void forgetOtherSteps();
    void showContent();
    void showWords();
    void showDraw();
    QString obstacle() const; ///< why nothing can be drawn now, or empty

    bool isCurrent() const
    {
        return session().traceA() && session().shownTicket() == session().postedTicket();
    }

    TokenId drawn() const;
    void stop();
    bool finish(TokenId first);
    void adopt(const QString& before, const DrawnCharacter& drawn);
    void append(Step step);

    NextTokenContent m_content;
    SamplingSettings m_settings;
    std::vector<Step> m_steps;
    int m_left = 0; // still to be generated
    bool m_finishing = false;
    QString m_said; // why the last draw was not appended; until the next

    NamedSlider* m_temperature = nullptr;
    NamedSlider* m_topK = nullptr;
    NamedSlider* m_topP = nullptr;
    QSpinBox* m_seed = nullptr;
    QSpinBox* m_count = nullptr;
    QPushButton* m_sample = nullptr;
    QPushButton* m_generate = nullptr;
    TextLabel* m_draw = nullptr;
    TextLabel* m_title = nullptr;
    TextLabel* m_figure = nullptr;
    TextLabel* m_facts = nullptr;
    TextLabel* m_kept = nullptr;
    NextTokenTable* m_table = nullptr;
    GeneratedStrip* m_strip = nullptr;
    EmptyState* m_empty = nullptr;
    ReturnPath m_home;
    TaskThread m_thread; // last: its tasks use the others
};

} // namespace headscope::ui
