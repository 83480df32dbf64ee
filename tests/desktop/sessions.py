"""A session file that one process saved shows the same numbers in another, on every page, byte for byte."""

import os
import pathlib

import desktop
from desktop import check, name_of, say, wait

TEXT = "The animal didn't cross the street because it was too tired"


def pages_of(window):
    return [name_of(item) for item in desktop.children(window.find("list", "Pages"))
            if desktop.state(item, "SELECTABLE")]


def go_to(window, page):
    rail = window.find("list", "Pages")
    entry = next(item for item in desktop.children(rail) if name_of(item) == page)
    entry.get_action_iface().do_action(0)
    window.wait_for("panel", lambda name: name == page)


def numbers_of(window, folder, prefix):
    """What "Export numbers" writes on each page; None where a page has none to write, which the window says."""
    found = {}
    for page in pages_of(window):
        go_to(window, page)
        path = folder / f"{prefix}-{len(found)}.json"
        window.answer_file_dialog("ctrl+shift+e", "Export the numbers", path, lambda: path.exists() or
                                  window.says("no picture") or window.says("no numbers"))
        found[page] = path.read_bytes() if path.exists() else None
    return found


def changed_window(desk):
    window = desk.start("--model", "builtin:stories", "--text", TEXT, "--device", "cpu")
    window.dismiss_tour()
    window.keys("ctrl+2", "Escape", "Delete")
    window.wait_for("list item", lambda name: "change 1 of 1" in name)
    window.keys("ctrl+m")
    window.wait_for("list item", lambda name: "change 2 of 2" in name)
    window.keys("Next", "shift+Next", "shift+Next")
    window.wait_for("label", "Layer 1 · Head 2")
    return window


def where(one, other):
    """The first place at which two files differ."""
    if not one or not other:
        return "one of them has none"
    place = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, place - 200):place + 40].decode()!r} and {other[max(0, place - 40):place + 40].decode()!r}"


def test(desk):
    folder = pathlib.Path(os.environ["HOME"])
    session = folder / "saved.hscope"
    window = changed_window(desk)
    window.answer_file_dialog("ctrl+s", "Save the session", session, f"The session is in {session}")
    first = numbers_of(window, folder, "first")
    window.quit()
    with_numbers = [page for page, numbers in first.items() if numbers]
    check(len(with_numbers) >= 12, f"only {with_numbers} have numbers")

    again = desk.start(session)
    again.wait_for("list item", lambda name: "change 2 of 2" in name)
    again.wait_for("label", "Layer 1 · Head 2")
    second = numbers_of(again, folder, "second")
    again.quit()
    for page, numbers in first.items():
        check(second[page] == numbers, f"{page} has other numbers in the other process: {where(numbers, second[page])}")
    say(f"the same numbers in both: {', '.join(with_numbers)}")


desktop.main(test)
