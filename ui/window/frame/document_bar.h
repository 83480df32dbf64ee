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

/// Document bar at the top of the window: model, sentence, second text or target, the live
/// indicator, and the tokens below.
class DocumentBar : public QObject
{
    Q_OBJECT

public:
    DocumentBar(QMainWindow& window, Session& session, QMenu& models, QMenu& tokenMenu);

    ModelChooser& chooser() { return *m_chooser; }

    SentenceField& sentence() { return *m_sentence; }

    /// Field of the target or second text; hidden unless readsSecondText().
    SentenceField& target() { return *m_target; }

    LiveLabel& live() { return *m_live; }

    TokenRows& tokens() { return *m_tokens; }

    void fitHeight(); ///< Fits the height to the type size.
    void refreshState();

signals:
    void left(); ///< Emitted when a field gives the focus back to the page.
    void busy(bool on);
    void noteRaised(const QString& sentence);
    void warningRaised(const QString& sentence);
    void warningEnded(); ///< Emitted when the last warning is no longer so.

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
    TextLabel* m_targetMark; ///< Arrow before a target, plus sign before a second text.
    SentenceField* m_target;
    LiveLabel* m_live;
    TokenRows* m_tokens;
};

} // namespace headscope::ui
