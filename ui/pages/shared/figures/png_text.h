#pragma once

#include <QByteArray>

namespace headscope::ui {

/// PNG file with an additional iTXt chunk before its pixels. Qt's own writer loses keywords of two
/// words and rewrites spaces.
QByteArray withPngText(const QByteArray& png, const QByteArray& keyword, const QByteArray& utf8);

/// Text of the first uncompressed iTXt chunk with that keyword; empty without one.
QByteArray pngText(const QByteArray& png, const QByteArray& keyword);

} // namespace headscope::ui
