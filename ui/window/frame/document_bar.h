#pragma once

#include "ui/session/session.h"

#include <QMainWindow>

class QMenu;

namespace headscope::ui {

class LiveLabel;
class ModelChooser;
class SentenceField;
class TextLabel;
class TokenRows;

/// What is looked at, across the top of the window: the model, the sentence, of an encoder-decoder
/// its target, whether the picture belongs to them, and below these the tokens.
class DocumentBar : public QObject
{
    Q_OBJECT

public:
    DocumentBar(QMainWindow& window, Session& session, QMenu& models, QMenu& tokenMenu);

    ModelChooser& chooser() { return *m_chooser; }

    SentenceField& sentence() { return *m_sentence; }

    SentenceField& target() { return *m_target; } ///< hidden unless OpenModels::readsTarget()

    LiveLabel& live() { return *m_live; }

    TokenRows& tokens() { return *m_tokens; }

    void fitHeight(); ///< to the type size
    void refreshState();

signals:
    void left(); ///< a field: the keyboard goes to the page
    void busy(bool on);
    void noteRaised(const QString& sentence);
    void warningRaised(const QString& sentence);

private:
    void makeRow();
    void connectFields();
    void connectSession();
    void refreshText();
    void refreshModel();
    void refreshTitle();
    void followTrace();

    QMainWindow& m_window;
    Session& m_session;
    QWidget* m_row;
    ModelChooser* m_chooser;
    SentenceField* m_sentence;
    TextLabel* m_targetMark; ///< an arrow
    SentenceField* m_target;
    LiveLabel* m_live;
    TokenRows* m_tokens;
};

} // namespace headscope::ui
