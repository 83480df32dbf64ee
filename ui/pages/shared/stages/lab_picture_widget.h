#pragma once

#include "ui/pages/shared/stages/lab_content.h"

#include <QWidget>

#include <memory>

namespace headscope::ui {

/// Widget for one kind of figure.
class LabPictureWidget : public QWidget
{
    Q_OBJECT

public:
    static std::unique_ptr<LabPictureWidget> make(const LabPicture& picture, const QString& name);

    /// Returns false for a figure of another kind: a new widget is needed.
    virtual bool setPicture(const LabPicture& picture) = 0;

    virtual int frame() const { return -1; } ///< Number of finished tiles, for tiles.

    virtual void setFrame(int) {}

protected:
    LabPictureWidget() = default;

    void hold(QWidget* inner); ///< Fills this widget with the inner one.
};

} // namespace headscope::ui
