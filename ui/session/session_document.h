#pragma once

#include "ui/session/changes/changes.h"

#include <QObject>
#include <QUndoStack>

namespace headscope::ui {

class OpenModels;
class ViewState;

/// The text, and the changes that make B. Both can be undone; beside a captured trace neither can
/// be changed.
class SessionDocument : public QObject
{
    Q_OBJECT

public:
    /// Undone changes leave the view the run that was shown, for when they are made again.
    SessionDocument(const OpenModels& models, ViewState& view, QObject* parent = nullptr);

    const QString& text() const { return m_text; }

    void setText(const QString& text);     ///< typing: calls in a row are one undo step
    void replaceText(const QString& text); ///< an undo step of its own

    const QString& target() const { return m_target; } ///< of an encoder-decoder: what it answers

    void setTarget(const QString& target); ///< typing, as setText

    const Changes& changes() const { return m_changes; }

    void setChanges(const Changes& changes, const QString& name); ///< one undo step
    void setMask(const MaskChange& mask);
    void setHeadOff(const HeadId& head, bool off, HeadOff::Method method = HeadOff::Method::Zero);

    void setHeadOff(int layer, int head, bool off) { setHeadOff({layer, head}, off); }

    void removeChange(int index); ///< of Changes::words()
    void toggleChange(int index); ///< off for now, or on again
    void clearChanges();

    QUndoStack& undoStack() { return m_undo; }

    /// Of text() as soon as it is set; a long text's come with its trace instead.
    const TokenSequence& tokens() const { return m_tokens; }

    bool isTokenizedInWorker() const { return m_isTokenizedInWorker; } ///< a long text

    RunText runText() const;

signals:
    void edited();          ///< text() or target(), with their tokens
    void changesReplaced(); ///< the session's to tell everyone else

private:
    friend class Session; // which says nothing of these before all else fits
    friend class TextCommand;
    friend class TargetCommand;
    friend class ChangesCommand;

    bool adoptModel(); ///< false: the text stays as it was
    void adoptTrace(const Trace& trace);

    void takeTokens(const TokenSequence& tokens) { m_tokens = tokens; }

    void applyText(const QString& text);
    void applyTarget(const QString& target);
    void applyChanges(const Changes& changes);
    Changes fitting(Changes changes) const;
    void tokenize();

    const OpenModels& m_models;
    ViewState& m_view;
    QUndoStack m_undo;
    QString m_text;
    QString m_target;
    TokenSequence m_tokens;
    bool m_isTokenizedInWorker = false;
    Changes m_changes;
};

} // namespace headscope::ui
