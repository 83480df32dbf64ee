#include "ui/window/dialogs/replace_question.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <QFileInfo>
#include <QPushButton>

namespace headscope::ui {

ReplaceQuestion::ReplaceQuestion()
    : m_sentence(new TextLabel({}, TextRole::Body, TextLabel::Tone::Warn))
    , m_replace(new QPushButton(tr("Replace")))
{
    setObjectName("replace");
    m_sentence->setWordWrap(true);
    m_replace->setAutoDefault(false); // Return must not replace a file
    rowOf(8, {{m_sentence, 1}, m_replace}, this);
    connect(m_replace, &QPushButton::clicked, this, [this] {
        m_confirmed = m_asked;
        hide();
        emit confirmed();
    });
    hide();
}

bool ReplaceQuestion::allows(const QString& path)
{
    if (!QFileInfo(path).isFile() || path == m_confirmed) {
        withdraw();
        return true;
    }
    m_asked = path;
    m_sentence->setText(tr("\u201C%1\u201D already exists. Replace it, or choose another name.")
                            .arg(QFileInfo(path).fileName()));
    show();
    return false;
}

void ReplaceQuestion::withdraw()
{
    m_confirmed.clear();
    m_sentence->clear();
    hide();
}

} // namespace headscope::ui
