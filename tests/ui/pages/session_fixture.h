#pragma once

#include "core/attention/cpu_attention.h"
#include "tests/support/tiny_model.h"
#include "ui/session/session.h"
#include "ui/widgets/style/theme.h"

#include <QApplication>
#include <QTest>

namespace headscope::ui::test {

/// A session on a tiny model with a sentence, for pages and panels that a test makes itself.
/// "other" is the same architecture with other weights.
struct SessionFixture
{
    explicit SessionFixture(const QString& text = "the cat sat on a mat")
        : session({}, [](const std::string& name) {
            LoadedModel model = headscope::test::tinyModel(name == "other" ? 2 : 1);
            model.name = name;
            return model;
        })
    {
        applyTheme(*qApp, Theme::named(false, bodyFont()));
        session.computation().setDevice("cpu");
        session.document().replaceText(text);
        session.models().open("tiny");
    }

    bool isCurrent() const
    {
        const bool answered = session.traceA() && session.computation().shownTicket() ==
                                                      session.computation().postedTicket();
        return answered && (session.changes().empty() || session.traceB());
    }

    /// By a tracer of its own.
    TracePtr run(const QString& text, const Interventions& interventions = {}) const
    {
        Tracer tracer(session.model(), std::make_unique<CpuAttention>());
        return tracer.trace(session.model().tokenizer->encode(text.toStdString()),
                            TraceRequest::forViews(), interventions);
    }

    Session session;
};

} // namespace headscope::ui::test
