# The template of a shared page: its HTML and its script.
headscope_builtin_texts(headscope_ui_pages builtinShareTexts resources/share html js)
