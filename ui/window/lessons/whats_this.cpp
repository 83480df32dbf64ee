#include "ui/window/lessons/whats_this.h"

#include "ui/pages/shared/mode_page.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/window/lessons/lesson_of_page.h"

#include <QCoreApplication>
#include <QWhatsThisClickedEvent>

#include <algorithm>
#include <array>

namespace headscope::ui {

namespace {

struct Entry
{
    const char* name;
    const char* text;
};

constexpr std::array kFrame{
    Entry{"sentence",
          QT_TRANSLATE_NOOP("WhatsThis", "Text that the model reads. Attention updates as you "
                                         "type. Press Esc to move to the page.")},
    Entry{"chatSwitch",
          QT_TRANSLATE_NOOP("WhatsThis", "Reads a chat in turns, through the chat template of an "
                                         "instruct model, in place of the sentence.")},
    Entry{"chat",
          QT_TRANSLATE_NOOP("WhatsThis", "Turns of the chat that the model reads. Attention "
                                         "updates as you type. The token strip names the turn "
                                         "of each token; muted tokens are the chat template's.")},
    Entry{"target",
          QT_TRANSLATE_NOOP("WhatsThis", "Target of an encoder-decoder. Its tokens are the "
                                         "queries of decoder self-attention and "
                                         "cross-attention.")},
    Entry{"model",
          QT_TRANSLATE_NOOP("WhatsThis", "The open model and its size. Click to choose another.")},
    Entry{"loading",
          QT_TRANSLATE_NOOP("WhatsThis", "Progress of loading the model. Cancel, or Esc, keeps "
                                         "the current model.")},
    Entry{"live", QT_TRANSLATE_NOOP("WhatsThis", "Filled: up to date. Ring: computing.")},
    Entry{"tokens",
          QT_TRANSLATE_NOOP("WhatsThis",
                            "Tokens of the text. Click one to make it the query, Shift-click "
                            "to make it the key. Double-click or F2 to edit.")},
    Entry{"tokenMenu",
          QT_TRANSLATE_NOOP("WhatsThis", "Merge tokens into words, hide special tokens or the "
                                         "first one, or show ids and bytes. This changes the "
                                         "display only, not the computation.")},
    Entry{"rail",
          QT_TRANSLATE_NOOP("WhatsThis", "The three workspaces (Ctrl+1 to Ctrl+3) and, below "
                                         "them, the pages of the current one. Alt+1 to Alt+9 open "
                                         "its first nine pages; Ctrl+Tab returns to the previous "
                                         "page.")},
    Entry{"lesson",
          QT_TRANSLATE_NOOP("WhatsThis", "Current step of the lesson. Next and Back move "
                                         "between steps; underlined terms link to the lessons "
                                         "that explain them.")},
    Entry{"inspector",
          QT_TRANSLATE_NOOP("WhatsThis", "Numbers for the selected head and token pair: the "
                                         "attention weight, how it is computed, and the next "
                                         "token. F6 shows or hides the inspector.")},
    Entry{"anything",
          QT_TRANSLATE_NOOP("WhatsThis", "Type a few letters to find any command, page, head, "
                                         "token or model.")},
    Entry{"status",
          QT_TRANSLATE_NOOP("WhatsThis", "Device, forward-pass time, painting time, and the "
                                         "keys of this page.")},
    Entry{"messages", QT_TRANSLATE_NOOP("WhatsThis", "Latest error or warning, and what to do "
                                                     "about it.")},
};

/// Terms of the lessons about a part of the frame.
QStringList termsOf(const QString& part)
{
    if (part == QLatin1String("tokens"))
        return {"token", "tokens", "tokenizer"};
    if (part == QLatin1String("inspector"))
        return {"attention weight", "attention", "softmax"};
    if (part == QLatin1String("model"))
        return {"parameters", "parameter"};
    return {};
}

QString textOf(const QString& part)
{
    const auto entry = std::ranges::find_if(
        kFrame, [&part](const Entry& known) { return part == QLatin1String(known.name); });
    return QCoreApplication::translate("WhatsThis", entry->text);
}

void setText(QWidget& widget, const QString& text)
{
    if (widget.whatsThis().isEmpty())
        widget.setWhatsThis(text);
}

} // namespace

WhatsThis::WhatsThis(LessonRun& lessons, QObject* parent) : QObject(parent), m_lessons(lessons)
{
    connect(&lessons, &LessonRun::libraryChanged, this, [this] {
        for (const Part& part : m_linked)
            addLink(part);
    });
}

void WhatsThis::explain(QWidget& page, const PageDescriptor& descriptor)
{
    setText(page, descriptor.help);
    add({&page, descriptor.name, descriptor.terms});
    const auto* modes = qobject_cast<ModePage*>(&page);
    for (std::size_t mode = 0; modes && mode < descriptor.modes.size(); ++mode)
        explain(*modes->modePages()[mode], descriptor.modes[mode]);
}

void WhatsThis::explain(QWidget& part, const QString& name)
{
    setText(part, textOf(name));
    if (const QStringList terms = termsOf(name); !terms.isEmpty())
        add({&part, name, terms});
}

void WhatsThis::add(const Part& part)
{
    part.widget->installEventFilter(this);
    m_linked.push_back(part);
    addLink(part);
}

void WhatsThis::addLink(const Part& part)
{
    const Lesson* lesson = lessonAbout(m_lessons.library(), part.name, part.terms);
    const QString text = part.widget->whatsThis();
    if (!lesson || text.contains(QLatin1String("lesson:")))
        return;
    part.widget->setWhatsThis(
        QStringLiteral("<p>%1</p><p><a href=\"lesson:%2\">%3</a></p>")
            .arg(text.toHtmlEscaped(), QString::fromStdString(lesson->id),
                 tr("Lesson: %1").arg(QString::fromStdString(lesson->title).toHtmlEscaped())));
}

bool WhatsThis::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::WhatsThisClicked)
        return QObject::eventFilter(watched, event);
    emit linkActivated(static_cast<QWhatsThisClickedEvent*>(event)->href());
    return true;
}

} // namespace headscope::ui
