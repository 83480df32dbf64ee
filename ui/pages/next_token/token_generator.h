#pragma once

#include "ui/pages/next_token/next_token_content.h"
#include "ui/pages/shared/whole_character.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

namespace headscope::ui {

class Session;

/// Continues the text of a session: samples a token from what is predicted after the last one,
/// appends it, and takes it back. Characters of several tokens are finished on a thread of its own.
class TokenGenerator : public QObject
{
    Q_OBJECT

public:
    /// One that was appended.
    struct Step
    {
        QString before; ///< the text without this token
        QString after;
        QString label;
        int tokens = 1; ///< of a character of several
    };

    explicit TokenGenerator(Session& session, QObject* parent = nullptr);

    const NextTokenContent& content() const { return m_content; }

    const SamplingSettings& settings() const { return m_settings; }

    void setSettings(const SamplingSettings& settings); ///< Without reading anew.
    void setSeed(int seed);                             ///< The same.
    void read();                                        ///< The prediction, as it is now.

    const std::vector<Step>& steps() const { return m_steps; }

    int generatedTokens() const; ///< A character of several counts as many.

    bool isGenerating() const { return m_left > 0; }

    bool isFinishing() const { return m_task.isRunning(); } ///< A character of several tokens.

    QString text() const;     ///< What is continued: the text, or an encoder-decoder's answer.
    QString obstacle() const; ///< Why nothing can be sampled now, or empty.

    const QString& refusal() const { return m_refusal; } ///< Why the last token was not appended.

    TokenId nextToken() const;  ///< What sampleOne() would append.
    double nextUniform() const; ///< The number in [0, 1) that decides it.

    bool sampleOne(); ///< False when nothing could be sampled.
    void generate(int tokens);
    void stop();
    void dropRest();        ///< As stop(), without a signal.
    void rewind(int index); ///< To before this step.

    /// The session has changed; its new trace continues generate().
    void follow(bool isOtherModel, bool isOtherTrace);

signals:
    void predicted(); ///< content() is new.
    void changed();   ///< Anything else.

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
    std::vector<Step> m_steps;
    int m_left = 0;    ///< Still to be generated.
    QString m_refusal; ///< Until the next is sampled.
    LatestTask m_task; ///< finishes a character
};

} // namespace headscope::ui
