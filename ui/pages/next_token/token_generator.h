#pragma once

#include "ui/pages/next_token/next_token_content.h"
#include "ui/pages/shared/whole_character.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

class Session;

/// Continues the text of a session: samples a token from the prediction after the last one, appends
/// it, and removes it again. Characters made of several tokens are completed on a separate thread.
class TokenGenerator : public QObject
{
    Q_OBJECT

public:
    /// An appended token.
    struct Step
    {
        QString before; ///< Text without this token.
        QString after;
        QString label;
        int tokens = 1; ///< Number of tokens in the character.
    };

    explicit TokenGenerator(Session& session, QObject* parent = nullptr);

    const NextTokenContent& content() const { return m_content; }

    const SamplingSettings& settings() const { return m_settings; }

    void setSettings(const SamplingSettings& settings); ///< Does not recompute the prediction.
    void setSeed(int seed);                             ///< Does not recompute the prediction.
    void setRows(int rows); ///< Number of candidates in content(); a change recomputes it.
    void read();            ///< Recomputes the prediction.

    const std::vector<Step>& steps() const { return m_steps; }

    int generatedTokens() const; ///< A character made of several tokens counts as several.

    bool isGenerating() const { return m_left > 0; }

    /// True while a character is being completed.
    bool isFinishing() const { return m_task.isRunning(); }

    QString text() const;        ///< Text to continue: the text, or an encoder-decoder's target.
    QString obstacle() const;    ///< Why no token can be sampled; empty otherwise.
    bool needsLastToken() const; ///< True while another token than the last is selected.

    /// Why the last token was not appended; empty otherwise.
    const QString& refusal() const { return m_refusal; }

    TokenId nextToken() const;  ///< Token that sampleOne() would append.
    double nextUniform() const; ///< Random number in [0, 1) that selects it.

    bool sampleOne(); ///< Returns false when no token can be sampled.
    void generate(int tokens);
    void stop();
    void dropRest();        ///< As stop(), without a signal.
    void rewind(int index); ///< Returns to the text before this step.

    /// Follows the session; its new trace continues generate().
    void follow(bool isOtherModel, bool isOtherTrace);

signals:
    void predicted(); ///< Emitted when content() is new.
    void changed();   ///< Emitted when anything else changes.

private:
    void setText(const QString& text);
    void forgetOtherSteps();
    bool isCurrent() const;
    bool refuse(const QString& why);
    bool finish(TokenId first);
    void adopt(const QString& before, const DrawnCharacter& drawn);
    void append(Step step);

    Session& m_session;
    NextTokenContent m_content;
    SamplingSettings m_settings;
    int m_seed = 1;
    int m_rows = 12;
    std::vector<Step> m_steps;
    int m_left = 0;    ///< Number of tokens still to generate.
    QString m_refusal; ///< Kept until the next token is sampled.
    LatestTask m_task; ///< Completes a character.
};

} // namespace headscope::ui
