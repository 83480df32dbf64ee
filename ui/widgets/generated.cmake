# The colours of the maps that are drawn from a table.
headscope_builtin_texts(headscope_ui_widgets builtinColourMaps resources/colour_maps)
