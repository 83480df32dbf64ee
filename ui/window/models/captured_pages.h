#pragma once

class QStackedWidget;

namespace headscope::ui {

class Session;

/// Lays a sentence over the pages that show nothing without a model, as long as a captured trace is
/// shown: what a change does, what layers would say, what the model is made of.
void coverPagesOfModels(Session& session, QStackedWidget& pages);

} // namespace headscope::ui
