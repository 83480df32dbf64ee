"""A page that Headscope shares, as somebody without Headscope meets it: by keys, by pointer, by screen reader, in both
themes, on a large screen and a small one; and its session, which Headscope takes out again."""

import base64
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from browser import Browser, check

TEXT = "The cat sat on the mat because it was tired"
HOSTILE = "</script><img src=x onerror=alert(1)>"
LAYER, HEAD = 1, 3


class Page:
    def __init__(self, browser, path):
        self.browser = browser
        self.address = path.as_uri()

    def open(self, place=""):
        self.browser.open(self.address + place)
        self.browser.wait(lambda: self.readout(), "the map of the page")

    def readout(self):
        return self.browser.text("readout")

    def title(self):
        return self.browser.text("mapName")

    def place(self):
        return self.browser.js("location.hash")

    def focus(self, identifier):
        """By the Tab key alone."""
        for _ in range(12):
            if self.browser.focused() == identifier:
                return
            self.browser.key("Tab")
        check(False, f"Tab does not reach {identifier}")


def number_in(sentence):
    found = re.search(r": ([0-9.]+)$", sentence)
    check(found, f"no weight is read in: {sentence}")
    return float(found.group(1))


def render(headscope, *arguments):
    subprocess.run([headscope, "render", "--device", "cpu", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def numbers_of(path):
    table = json.loads(path.read_text())["tables"][0]
    return table["rows"], table["values"]


def every_cell_has_its_weight(page, rows, values):
    for query in range(len(rows)):
        for key in range(query + 1):
            page.browser.js(f"location.hash = '#L{LAYER}H{HEAD}Q{query}K{key}'")
            page.browser.wait(lambda: page.readout().startswith(f"Query “{rows[query]}” attends to key “{rows[key]}”"),
                              f"the sentence of {rows[query]} and {rows[key]}")
            check(abs(number_in(page.readout()) - values[query][key]) <= 0.00051,
                  f"{page.readout()} is not {values[query][key]}")
    page.browser.js(f"location.hash = '#L{LAYER}H{HEAD}Q0K1'")
    page.browser.wait(lambda: "masked" in page.readout(), "the sentence of a masked cell")


def keys_choose_head_token_and_cell(page, rows):
    browser = page.browser
    page.focus("heads")
    browser.key("ArrowRight")
    check(page.title() == f"Layer {LAYER} · Head {HEAD + 1}", f"the title is {page.title()}")
    browser.key("ArrowDown")
    check(page.title() == f"Layer {LAYER + 1} · Head {HEAD + 1}", f"the title is {page.title()}")
    page.focus("map")
    browser.key("PageUp")
    browser.key("PageUp", shift=True)
    check(page.title() == f"Layer {LAYER} · Head {HEAD}", f"the title is {page.title()}")
    browser.key("Home")
    check(f"key “{rows[0]}”" in browser.text("announce"), f"announced: {browser.text('announce')}")
    browser.key("ArrowRight")
    check(f"key “{rows[1]}”" in browser.text("announce"), f"announced: {browser.text('announce')}")
    browser.open(page.address)
    page.focus("tokens")
    browser.key("Home")
    caption = browser.js("document.querySelector('#bars caption').textContent")
    check(caption == f"Query “{rows[0]}” attends to", f"the table is of: {caption}")
    check(browser.js("document.querySelectorAll('#bars tbody tr').length") == 1, "the first query has one key")
    browser.key("End")
    check(page.place().startswith(f"#L{LAYER}H{HEAD}Q{len(rows) - 1}K"), f"the address ends in {page.place()}")


def the_pointer_reads_and_chooses(page, rows, values):
    page.open(f"#L{LAYER}H{HEAD}Q0K0")
    browser = page.browser
    query, key = len(rows) - 1, 2
    spot = browser.js(f"""(() => {{
        document.getElementById("map").scrollIntoView({{block: "center"}});
        const box = document.querySelector("#map canvas").getBoundingClientRect();
        const cell = (box.height - 104) / {len(rows)};
        return [box.left + 104 + cell * {key + 0.5}, box.top + 96 + cell * {query + 0.5}];
    }})()""")
    browser.move_to(*spot)
    browser.wait(lambda: f"Query “{rows[query]}” attends to key “{rows[key]}”" in page.readout(), "the cell under the pointer")
    check(abs(number_in(page.readout()) - values[query][key]) <= 0.00051, page.readout())
    check(page.place() in ("", f"#L{LAYER}H{HEAD}Q0K0"), "hovering chose a cell")
    browser.click(*spot)
    browser.wait(lambda: page.place() == f"#L{LAYER}H{HEAD}Q{query}K{key}", "the cell that was clicked")


def a_screen_reader_finds_everything(page):
    page.open(f"#L{LAYER}H{HEAD}")
    found = page.browser.accessible()
    names = {(role, name) for role, name, _ in found}
    check(("grid", page.title()) in names, f"no grid of that name in {sorted(names)}")
    check(("gridcell", page.readout()) in names, "the chosen cell is not read")
    lists = {name for role, name, _ in found if role == "listbox"}
    check(lists == {page.browser.text("tokensName"), page.browser.text("headsName")}, f"lists: {lists}")
    check(any(role == "table" and "attends to" in name for role, name, _ in found), "the row's table has no name")
    check(any(role == "status" for role, _, _ in found), "nothing announces")
    nameless = [role for role, name, _ in found if role in ("button", "option", "grid", "listbox", "img", "image") and not name]
    check(not nameless, f"without a name: {nameless}")


def luminance(browser):
    red, green, blue = map(int, re.findall(r"\d+", browser.js("getComputedStyle(document.body).backgroundColor"))[:3])
    return (red + green + blue) / 765


def themes_follow_the_system_and_the_button(page, folder):
    browser = page.browser
    for theme in ("light", "dark"):
        browser.use_theme(theme)
        page.open(f"#L{LAYER}H{HEAD}")
        browser.wait(lambda: (luminance(browser) > 0.5) == (theme == "light"), f"the {theme} theme")
        shown = browser.js("[...document.querySelectorAll('.figure')].filter((each) => each.offsetHeight > 0).map((each) => each.className)")
        check(shown == [f"figure {theme}"], f"figures shown: {shown}")
        if folder:
            (folder / f"shared-{theme}.png").write_bytes(base64.b64decode(browser.screenshot()))
    browser.js("document.getElementById('theme').click()")
    check(luminance(browser) > 0.5, "the button does not change the theme")
    browser.use_theme("light")


def nothing_is_cut(page, folder):
    for width, height in ((1366, 768), (390, 844)):
        page.browser.use_size(width, height)
        page.open(f"#L{LAYER}H{HEAD}")
        check(page.browser.js("document.documentElement.scrollWidth") <= width, f"the page is wider than {width}")
        if folder:
            (folder / f"shared-{width}.png").write_bytes(base64.b64decode(page.browser.screenshot()))
    page.browser.use_size(1366, 900)


def text_is_no_markup(browser, headscope, folder):
    path = folder / "hostile.html"
    render(headscope, "--model", "builtin:stories", "--text", HOSTILE, "--view", "head", "--out", path)
    page = Page(browser, path)
    page.open()
    check(browser.js("document.images.length") == 0, "the text became an image")
    check("script" in browser.text("tokens"), "the text is not shown")
    check(browser.js("document.scripts.length") == 3, "the text became a script")


def headscope_takes_the_session_out(headscope, folder, page):
    again = folder / "again.json"
    render(headscope, "--session", page, "--view", "head", "--numbers", again)
    check(again.read_bytes() == (folder / "head.json").read_bytes(), "the session shows other numbers")


def main(program, headscope, screenshots=None):
    screenshots = pathlib.Path(screenshots) if screenshots else None
    with tempfile.TemporaryDirectory(prefix="headscope-shared-") as name:
        folder = pathlib.Path(name)
        path = folder / "a page.html"
        render(headscope, "--model", "builtin:stories", "--text", TEXT, "--view", "head", "--layer", LAYER, "--head", HEAD,
               "--out", path)
        render(headscope, "--model", "builtin:stories", "--text", TEXT, "--view", "head", "--layer", LAYER, "--head", HEAD,
               "--numbers", folder / "head.json")
        rows, values = numbers_of(folder / "head.json")
        browser = Browser(program)
        try:
            browser.use_size(1366, 900)
            browser.use_theme("light")
            page = Page(browser, path)
            page.open()
            check(page.title() == f"Layer {LAYER} · Head {HEAD}", f"the page begins at {page.title()}")
            every_cell_has_its_weight(page, rows, values)
            page.open()
            keys_choose_head_token_and_cell(page, rows)
            the_pointer_reads_and_chooses(page, rows, values)
            a_screen_reader_finds_everything(page)
            themes_follow_the_system_and_the_button(page, screenshots)
            nothing_is_cut(page, screenshots)
            text_is_no_markup(browser, headscope, folder)
            fetched = [url for url in browser.requests if not url.startswith(("file:", "data:", "about:"))]
            check(not fetched, f"the page asked for {fetched}")
            check(not browser.complaints, f"the browser complains: {browser.complaints}")
        finally:
            browser.close()
        headscope_takes_the_session_out(headscope, folder, path)
        print(f"{path.stat().st_size if path.exists() else 0} bytes: {len(rows)} tokens read by keys, pointer and screen reader")


main(*sys.argv[1:])
