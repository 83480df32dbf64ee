"""A screen reader's view of the real window: an AT-SPI client reads a head cell by cell and compares the numbers with
the trace, hears what the arrow keys say, and finds a name and a role for everything on every page."""

import re

from gi.repository import GLib

import desktop
from desktop import Atspi, Failed, check, described, name_of, role_of, say, state, wait

TEXT = "The cat sat on the mat because it was tired"
LAYER, HEAD = 2, 4
DRAWN = {"table", "list", "tree table", "image", "chart", "canvas"}  # what a page can show its subject as


def shown_page(window):
    """The page in front: its panel is named after it."""
    rail = window.find("list", "Pages")
    chosen = [name_of(item) for item in desktop.children(rail) if state(item, "SELECTED")]
    return chosen[0] if chosen else None


# ------------------------------------------------------------------------------------------ one head


def token_names(table, rows):
    return [name_of_row(table, row) for row in range(rows)]


def name_of_row(table, row):
    return Atspi.Table.get_row_description(table, row)


def name_of_column(table, column):
    return Atspi.Table.get_column_description(table, column)


def cell_at(table, query, key):
    """By the names of its row and its column."""
    rows, columns = table.get_n_rows(), table.get_n_columns()
    row = next(row for row in range(rows) if name_of_row(table, row) == query)
    column = next(column for column in range(columns) if name_of_column(table, column) == key)
    return row, column, Atspi.Table.get_accessible_at(table, row, column)


def weight_in(sentence):
    found = re.search(r"weight ([0-9.]+)", sentence)
    check(found, f"no weight is read in: {sentence}")
    return float(found.group(1))


def a_heads_cells_are_read(desk, window):
    tokens, pattern = desktop.trace(desk, "--model", "builtin:stories", "--text", TEXT, "--device", "cpu")
    page = desktop.go_to(window, "Head")
    window.keys("Escape")  # out of the sentence
    window.keys(*["Next"] * LAYER, *["shift+Next"] * HEAD)
    window.wait_for("label", f"Layer {LAYER} · Head {HEAD}")
    table = window.wait_for("table", inside=page)
    check(name_of(table), "the map of the head has no name")
    check(table.get_n_rows() == len(tokens), f"{table.get_n_rows()} rows for {len(tokens)} tokens")

    def reads_the_trace(query, key):
        row, column, cell = cell_at(table, query, key)
        sentence = name_of(cell)
        check(f"query {query}," in sentence and f"key {key}," in sentence, f"the cell says: {sentence}")
        return abs(weight_in(sentence) - pattern(LAYER, HEAD, row, column)) <= 0.0005

    for query, key in (("it", "cat"), ("it", "The"), ("tired", "it"), ("cat", "cat")):
        wait(lambda: reads_the_trace(query, key), f"the weight of {query} → {key} as the trace has it")
    _, _, cell = cell_at(table, "it", "cat")
    say(f"read: {name_of(cell)}")
    _, _, hidden = cell_at(table, "cat", "it")
    check("hidden by the mask" in name_of(hidden), f"a masked cell says: {name_of(hidden)}")
    hears_the_arrow_keys(window, table, pattern)


def place_of(sentence):
    """Row and column of the cell that a sentence is about."""
    found = re.search(r"query .*, (\d+); key .*, (\d+);", sentence)
    return (int(found.group(1)), int(found.group(2))) if found else None


def hears_the_arrow_keys(window, table, pattern):
    """Every move of the cursor is an event whose source is the cell that it came to."""
    heard = []
    listener = Atspi.EventListener.new(lambda event: heard.append(event.source))
    listener.register("object:state-changed:focused")
    try:
        table.get_component_iface().grab_focus()
        wait(lambda: state(table, "FOCUSED"), "the map to take the keyboard")
        row, column = None, None
        for key, down, right in (("Up", -1, 0), ("Up", -1, 0), ("Left", 0, -1)):
            window.keys(key)

            def sentence():
                GLib.MainContext.default().iteration(False)
                for words in [name_of(it) for it in heard if role_of(it) == "table cell"]:
                    place = place_of(words)
                    if place and (row is None or place == (row + down, column + right)):
                        return words
                return None

            words = wait(sentence, f"a word about the cell that {key} came to")
            row, column = place_of(words)
            check(abs(weight_in(words) - pattern(LAYER, HEAD, row, column)) <= 0.0005,
                  f"{words}, but the trace has {pattern(LAYER, HEAD, row, column)}")
            say(f"heard after {key}: {words}")
    finally:
        listener.deregister("object:state-changed:focused")


# ------------------------------------------------------------------------------------------ every page


def faults_of(accessible):
    role, name = role_of(accessible), name_of(accessible)
    if state(accessible, "FOCUSABLE") and not name:
        yield f"takes the keyboard without a name: {described(accessible)}"
    nothing = role in ("filler", "unknown", "invalid", "")
    if nothing and (name or state(accessible, "FOCUSABLE")):
        yield f"is no more than a box for a screen reader: {described(accessible)}"
    table = accessible.get_table_iface()
    if table is not None and role == "table" and table.get_n_rows() * table.get_n_columns() > 0:
        if not all(name_of_row(table, row) for row in range(table.get_n_rows())):
            yield f"a row without a name: {described(accessible)}"
        if not all(name_of_column(table, column) for column in range(table.get_n_columns())):
            yield f"a column without a name: {described(accessible)}"
        if not name_of(Atspi.Table.get_accessible_at(table, 0, 0)):
            yield f"a cell without words: {described(accessible)}"


def path_to(accessible):
    names = []
    while accessible is not None and role_of(accessible) != "application":
        names.append(described(accessible))
        accessible = accessible.get_parent()
    return " < ".join(names)


def everything_is_named(desk, *arguments):
    window = desk.start(*arguments)
    window.dismiss_tour()
    faults = {}
    visited = 0
    for page in desktop.all_pages(window):
        visited += 1
        panel = desktop.go_to(window, page)
        things = wait(lambda: list(window.showing()), f"the whole of {page}")
        for accessible in things:
            for fault in faults_of(accessible):
                faults.setdefault((fault, path_to(accessible)), page)
        inside = wait(lambda: [(role_of(it), name_of(it)) for it in window.showing(inside=panel)], f"what {page} shows")
        drawn = sorted({f'{role} "{name}"' for role, name in inside if role in DRAWN and name})
        if not drawn and not any(role in ("label", "push button") for role, _ in inside):
            faults[("shows nothing that can be read", page)] = page
        say(f"{page}: {len(things)} things, {', '.join(drawn) or 'an empty page that says so'}")
    window.quit()
    check(visited >= 20, f"only {visited} pages are in the lists")
    if faults:
        raise Failed("\n".join(f"{page}: {fault}\n    {path}" for (fault, path), page in faults.items()))


def test(desk):
    window = desk.start("--model", "builtin:stories", "--text", TEXT, "--device", "cpu")
    window.wait_for("frame", "Guided tour")
    window.dismiss_tour()
    a_heads_cells_are_read(desk, window)
    window.quit()
    everything_is_named(desk, "--model", "builtin:stories", "--text", TEXT, "--device", "cpu")
    everything_is_named(desk, "--model", "builtin:dates", "--text", "march 5, 1987", "--device", "cpu")


desktop.main(test)
