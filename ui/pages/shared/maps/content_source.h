#pragma once

#include "ui/session/view_snapshot.h"
#include "ui/workers/tasks/latest_task.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace headscope::ui {

/// Everything but the pair that a map of the active head depends on. Keeps no trace in memory.
struct ViewKey
{
    /// Equal only for the same trace.
    struct TraceId
    {
        std::weak_ptr<const Trace> trace;

        friend bool operator==(const TraceId& one, const TraceId& other)
        {
            return !one.trace.owner_before(other.trace) && !other.trace.owner_before(one.trace);
        }
    };

    explicit ViewKey(const ViewSnapshot& view)
        : a{view.a}
        , b{view.b}
        , modelA(view.modelA.model)
        , modelB(view.modelB.model)
        , head(view.selection.headId())
        , shown(view.shown)
        , display(view.display)
        , colours(view.colourMap)
    {
    }

    TraceId a, b;
    std::shared_ptr<const Model> modelA, modelB;
    HeadId head;
    Variant shown;
    TokenDisplay display;
    MapName colours;

    friend bool operator==(const ViewKey&, const ViewKey&) = default;
};

/// True for texts whose patterns are read on a thread of their own: from 512 tokens on.
inline bool isLongText(const ViewSnapshot& view)
{
    constexpr std::ptrdiff_t kCellsAtOnce = std::ptrdiff_t{512} * 512;
    const TracePtr& trace = view.trace();
    const AttentionKind part = view.selection.part;
    return trace && std::ssize(trace->queryTokens(part).tokens) *
                            std::ssize(trace->keyTokens(part).tokens) >=
                        kCellsAtOnce;
}

/// Content of a view of patterns: made at once for a short text, on a thread of its own for a long
/// one, so that the window never waits for it. Equal keys have equal content. Used on the GUI
/// thread.
template<class Content, class Key>
class ContentSource
{
public:
    /// Source that calls `changed` when content that had to be awaited is complete.
    explicit ContentSource(std::function<void()> changed) : m_changed(std::move(changed)) {}

    /// Requests content, which `make(stop)` returns, here or on the other thread; cancels what is
    /// being made unless it is the same. An error on the other thread leaves empty content, whose
    /// `problem`, if it has one, says why.
    template<class Make>
    void want(Key key, bool atOnce, Make make)
    {
        if (m_key == key)
            return;
        m_task.cancel();
        m_key = std::move(key);
        if (atOnce) {
            m_content = make(std::stop_token());
            return;
        }
        m_task.start([make = std::move(make)](
                         const LatestTask::Control& control) { return make(control.stop()); },
                     [this](Content& made) {
                         m_content = std::move(made);
                         m_changed();
                     },
                     [this](const QString& sentence) { fail(sentence); });
    }

    bool waits() const { return m_task.isRunning(); }

    /// Requested content; the one before while it waits.
    Content& content() { return m_content; }

    const Content& content() const { return m_content; }

private:
    void fail(const QString& sentence)
    {
        m_content = Content();
        if constexpr (requires { m_content.problem = sentence; })
            m_content.problem = sentence;
        m_changed();
    }

    std::function<void()> m_changed;
    std::optional<Key> m_key;
    Content m_content;
    LatestTask m_task;
};

} // namespace headscope::ui
