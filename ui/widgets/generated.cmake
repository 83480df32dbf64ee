# The colours of maps that are defined by a colour table.
headscope_builtin_texts(headscope_ui_widgets builtinColourMaps resources/colour_maps)
