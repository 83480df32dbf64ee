#include "ui/pages/shared/figures/html_session.h"

namespace headscope::ui {

namespace {

const QByteArray kElementStart = "<script type=\"application/json\" id=\"headscope-session\">";
const QByteArray kElementEnd = "</script>";

} // namespace

QByteArray scriptJson(QByteArray json)
{
    return json.replace('<', "\\u003c");
}

QByteArray sessionElement(const QByteArray& session)
{
    return session.isEmpty() ? QByteArray() : kElementStart + scriptJson(session) + kElementEnd;
}

QByteArray sessionInHtml(const QByteArray& html)
{
    const qsizetype start = html.indexOf(kElementStart);
    if (start < 0)
        return {};
    const qsizetype content = start + kElementStart.size();
    const qsizetype end = html.indexOf(kElementEnd, content);
    return end < 0 ? QByteArray() : html.mid(content, end - content);
}

} // namespace headscope::ui
