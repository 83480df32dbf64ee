#pragma once

#include "ui/pages/shared/stages/lab_content.h"

#include <QWidget>

#include <memory>

namespace headscope::ui {

/// The widget of one kind of picture.
class LabPictureWidget : public QWidget
{
    Q_OBJECT

public:
    static std::unique_ptr<LabPictureWidget> make(const LabPicture& picture, const QString& name);

    /// False when the picture is of another kind: a new widget is needed.
    virtual bool setPicture(const LabPicture& picture) = 0;

    virtual int frame() const { return -1; } ///< of tiles: how many are done

    virtual void setFrame(int) {}

protected:
    LabPictureWidget() = default;

    void hold(QWidget* inner); ///< fills this with it
};

} // namespace headscope::ui
