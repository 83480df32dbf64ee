#include "ui/pages/architecture/architecture_counts.h"

#include <QStringList>

namespace headscope::ui {

QString shapeText(std::initializer_list<Extent> extents)
{
    QStringList texts;
    for (const Extent& extent : extents)
        texts << extent.text;
    return QLatin1Char('[') + texts.join(QStringLiteral(", ")) + QLatin1Char(']');
}

QString headsText(std::int64_t heads, std::int64_t width)
{
    return QStringLiteral("%1 \u00D7 %2").arg(heads).arg(width);
}

QString activationName(Activation activation)
{
    switch (activation) {
    case Activation::Relu:
        return QStringLiteral("ReLU");
    case Activation::GeluExact:
    case Activation::GeluTanh:
        return QStringLiteral("GELU");
    case Activation::Silu:
        return QStringLiteral("SiLU");
    case Activation::SwiGlu:
        return QStringLiteral("SiLU(gate) \u00B7 up");
    case Activation::ClampedSwiGlu:
        return QStringLiteral("gate \u03C3(1.702 gate) \u00B7 (up + 1)");
    case Activation::GeGlu:
    case Activation::GeGluExact:
        return QStringLiteral("GELU(gate) \u00B7 up");
    }
    return {};
}

ArchitectureBox boxOf(const QString& name, const QString& shape, std::int64_t parameters,
                      const char* page)
{
    ArchitectureBox box;
    box.name = name;
    box.shape = shape;
    box.parameters = parameters;
    box.page = QString::fromLatin1(page);
    return box;
}

ArchitectureBox freeBox(const QString& name, const QString& shape, const char* page)
{
    ArchitectureBox box = boxOf(name, shape, 0, page);
    box.role = ArchitectureBox::Role::Free;
    return box;
}

} // namespace headscope::ui
