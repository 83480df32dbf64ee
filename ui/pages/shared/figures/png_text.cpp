#include "ui/pages/shared/figures/png_text.h"

#include <QtEndian>

namespace headscope::ui {

namespace {

constexpr qsizetype kSignature = 8;
constexpr qsizetype kChunkFrame = 12; // Length, type and checksum.

QByteArray bigEndian(quint32 value)
{
    QByteArray bytes(4, '\0');
    qToBigEndian(value, bytes.data());
    return bytes;
}

/// CRC of ISO 3309, as PNG requires.
quint32 checksum(const QByteArray& bytes)
{
    quint32 crc = 0xFFFFFFFFU;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return ~crc;
}

/// Prefix of every chunk that withPngText writes: not compressed, no language, no translation.
QByteArray chunkStart(const QByteArray& keyword)
{
    return "iTXt" + keyword + QByteArray(5, '\0');
}

} // namespace

QByteArray withPngText(const QByteArray& png, const QByteArray& keyword, const QByteArray& utf8)
{
    constexpr qsizetype kAfterHeader = kSignature + kChunkFrame + 13;
    const QByteArray content = chunkStart(keyword) + utf8;
    const auto length = static_cast<quint32>(content.size() - 4);
    return png.left(kAfterHeader) + bigEndian(length) + content + bigEndian(checksum(content)) +
           png.mid(kAfterHeader);
}

QByteArray pngText(const QByteArray& png, const QByteArray& keyword)
{
    const QByteArray start = chunkStart(keyword);
    qsizetype at = kSignature;
    while (png.size() - at >= kChunkFrame) {
        const qsizetype length = qFromBigEndian<quint32>(png.constData() + at);
        if (length > png.size() - at - kChunkFrame)
            break;
        const QByteArray content = png.mid(at + 4, length + 4);
        if (content.startsWith(start))
            return content.mid(start.size());
        at += length + kChunkFrame;
    }
    return {};
}

} // namespace headscope::ui
