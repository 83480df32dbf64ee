#pragma once

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "tests/support/tiny_model.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/what_if/what_if_page.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/style/theme.h"
#include "ui/window/actions/command_palette.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/sentence_field.h"
#include "ui/window/workspaces/workspaces.h"

#include <QApplication>
#include <QListWidget>
#include <QTest>

#include <cmath>
#include <memory>

namespace headscope::ui::test {

inline LoadedModel openTiny(const std::string& name)
{
    if (name.find("broken") != std::string::npos)
        throw FormatError("this is no checkpoint", name, 0, "Choose another file.");
    LoadedModel model = headscope::test::tinyModel();
    model.name = name;
    return model;
}

/// A part of the window. A page, or a mode of one, is made as by a first visit.
template<class View>
View& partOf(MainWindow& window)
{
    if constexpr (requires { View::descriptor(); })
        return window.workspaces().find<View>();
    else
        return *window.findChild<View*>();
}

/// The page or mode with this name, made as by a first visit.
inline Page& pageOf(MainWindow& window, const QString& name)
{
    PageStack& pages = window.workspaces().stack();
    Page& page = pages.page(*pages.indexOf(name));
    auto* mode = page.findChild<Page*>(name);
    return mode ? *mode : page;
}

/// Makes all pages, as by visits.
inline void makeAllPages(MainWindow& window)
{
    PageStack& pages = window.workspaces().stack();
    for (std::size_t index = 0; index < pages.descriptors().size(); ++index)
        pages.page(index);
}

/// A real window on a tiny model, without anything remembered.
struct WindowFixture
{
    explicit WindowFixture(BackendRegistry registry = {}, const QString& device = "cpu",
                           ModelOpener opener = openTiny)
        : settings(Settings::Storage::Memory)
        , session(std::move(registry), std::move(opener))
    {
        applyTheme(*qApp, Theme::named(false, bodyFont()));
        session.computation().setDevice(device);
        session.document().replaceText("the cat sat");
        window = std::make_unique<MainWindow>(session, settings, QStringList{"tiny"});
        QObject::connect(window.get(), &MainWindow::painted, window.get(),
                         [this](quint64 ticket, double) { painted = ticket; });
        session.models().open("tiny");
        window->show();
    }

    bool isPainted() const
    {
        return session.traceA() && painted == session.computation().postedTicket() &&
               session.computation().shownTicket() == session.computation().postedTicket();
    }

    TracePtr ownTrace(const QString& text, const Interventions& interventions = {}) const
    {
        Tracer tracer(session.model(), std::make_unique<CpuAttention>());
        return tracer.trace(session.model().tokenizer->encode(text.toStdString()),
                            TraceRequest::forViews(), interventions);
    }

    Settings settings;
    Session session;
    std::unique_ptr<MainWindow> window;
    quint64 painted = 0;
};

/// The largest difference between a shown map and one head of a trace; infinite when shapes differ.
inline double mapDifference(const HeatmapMatrix& shown, const Trace& trace, int layer, int head)
{
    const auto pattern = trace.find({Site::Pattern, layer});
    const TensorView expected = pattern->view()[head];
    if (shown.rows != expected.shape[0] || shown.columns != expected.shape[1])
        return std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (int row = 0; row < shown.rows; ++row) {
        for (int column = 0; column < shown.columns; ++column)
            largest = std::max(
                largest, std::abs(double{shown.at({row, column})} - double{expected(row, column)}));
    }
    return largest;
}

/// What the palette offers, a text a row.
inline QStringList shownTexts(const CommandPalette& palette)
{
    const auto& list = *palette.findChild<QListWidget*>();
    QStringList texts;
    for (int row = 0; row < list.count(); ++row)
        texts << list.item(row)->text();
    return texts;
}

} // namespace headscope::ui::test
