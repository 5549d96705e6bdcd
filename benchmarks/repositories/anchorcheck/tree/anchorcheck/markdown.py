"""Just enough markdown to find links and anchors."""
import re
from dataclasses import dataclass, field

from .slugs import Slugger

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-+)[ \t]*$")
_CUSTOM_ID = re.compile(r"[ \t]*\{#([\w-]+)\}$")
_DEFINITION = re.compile(r"^ {0,3}\[([^\]^]+)\]:[ \t]*(<[^>]*>|\S+)")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_INLINE = re.compile(
    r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]"
    r"\(\s*(<[^>]*>|(?:[^\s()]|\([^\s()]*\))*)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
)
_REFERENCE = re.compile(r"(!?)\[([^\[\]]+)\]\[([^\[\]]*)\]")
_AUTO = re.compile(r"<((?:https?|mailto):[^\s>]+)>")
_HTML_LINK = re.compile(r"<a\s[^>]*?href=[\"']([^\"']*)[\"']", re.I)
_HTML_ID = re.compile(r"<\w+\s[^>]*?(?:id|name)=[\"']([^\"']+)[\"']", re.I)


@dataclass(frozen=True)
class Link:
    target: str
    line: int
    image: bool = False


@dataclass
class Page:
    path: str
    links: list = field(default_factory=list)
    anchors: set = field(default_factory=set)
    undefined: list = field(default_factory=list)
    title: str = None


def _label(text):
    """Reference labels ignore case and runs of blanks."""
    return " ".join(text.casefold().split())


def _bare(target):
    if target.startswith("<") and target.endswith(">"):
        return target[1:-1]
    return target


def _blank_out(match):
    return " " * len(match.group())


def _visible(text):
    """Numbered lines outside of code blocks, front matter and comments."""
    lines = text.splitlines()
    start = 0
    if lines and lines[0].strip() == "---":
        for n, line in enumerate(lines[1:], 1):
            if line.strip() in ("---", "..."):
                start = n + 1
                break
    fence = None
    comment = False
    for number, line in enumerate(lines[start:], start + 1):
        match = _FENCE.match(line)
        if fence:
            if match and match.group(1).startswith(fence) and not match.group(2).strip():
                fence = None
            continue
        if comment:
            if "-->" not in line:
                continue
            line = line.split("-->", 1)[1]
            comment = False
        elif match and not (match.group(1)[0] == "`" and "`" in match.group(2)):
            fence = match.group(1)
            continue
        line = re.sub(r"<!--.*?-->", _blank_out, line)
        if "<!--" in line:
            line = line.split("<!--", 1)[0]
            comment = True
        yield number, line


def _add_heading(page, text, slugger):
    custom = _CUSTOM_ID.search(text)
    if custom:
        page.anchors.add(custom.group(1))
        text = text[:custom.start()]
    else:
        page.anchors.add(slugger(text))
    if page.title is None:
        page.title = text


def parse_page(path, text):
    page = Page(path)
    slugger = Slugger()
    lines = list(_visible(text))
    definitions = {}
    body = []
    previous = ""
    for number, line in lines:
        definition = _DEFINITION.match(line)
        if definition:
            # the first definition of a label counts
            definitions.setdefault(_label(definition.group(1)), _bare(definition.group(2)))
            previous = ""
            continue
        heading = _HEADING.match(line)
        if heading:
            _add_heading(page, heading.group(2), slugger)
            previous = ""
        elif _UNDERLINE.match(line) and previous.strip():
            _add_heading(page, previous.strip(), slugger)
            previous = ""
        else:
            previous = line
        body.append((number, line))
    for number, line in body:
        _scan_line(page, number, _CODE.sub(_blank_out, line), definitions)
    return page


def _scan_line(page, number, line, definitions):
    def add(target, image=False):
        page.links.append(Link(target, number, image))

    for match in _HTML_ID.finditer(line):
        page.anchors.add(match.group(1))
    for match in _HTML_LINK.finditer(line):
        add(match.group(1))
    for match in _AUTO.finditer(line):
        add(match.group(1))
    for match in _INLINE.finditer(line):
        add(_bare(match.group(3)), bool(match.group(1)))
        # an image may be the text of a link
        for inner in _INLINE.finditer(match.group(2)):
            add(_bare(inner.group(3)), bool(inner.group(1)))
    line = _INLINE.sub(_blank_out, line)
    for match in _REFERENCE.finditer(line):
        label = _label(match.group(3) or match.group(2))
        if label in definitions:
            add(definitions[label], bool(match.group(1)))
        else:
            page.undefined.append((label, number))
