"""Parse the text of a paragraph, heading, or table cell."""

import re

from .nodes import Break, Code, Emphasis, Image, Link, Str, Strong

_DESTINATION = r"""\(\s*(?:<(?P<{p}angled>[^<>\n]*)>|(?P<{p}url>[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))
    (?:\s+"(?P<{p}title>[^"]*)")?\s*\)"""
_LABEL = r"(?P<{p}text>(?:\\.|[^\[\]\\]|\[[^\[\]]*\])*)"

_TOKEN = re.compile(
    r"""
    \\(?P<escape>[!-/:-@\[-`{|}~])
  | (?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)
  | !\[(?P<alt>[^\[\]]*)\]"""
    + _DESTINATION.replace("{p}", "image_")
    + r"""
  | \["""
    + _LABEL.replace("{p}", "link_")
    + r"\]"
    + _DESTINATION.replace("{p}", "link_")
    + r"""
  | \["""
    + _LABEL.replace("{p}", "ref_")
    + r"""\](?:\[(?P<ref>[^\[\]]*)\])?
  | <(?P<auto>(?:https?://|mailto:)[^\s<>]+)>
  | \*\*(?=\S)(?P<strong>(?:[^*]|\*(?!\*))+?(?:\*(?!\*))?)(?<=\S)\*\*
  | \*(?=[^\s*])(?P<star>(?:[^*]|\*\*[^*]+\*\*)+?)(?<=\S)\*
  | (?<!\w)__(?=\S)(?P<understrong>.+?)(?<=\S)__(?!\w)
  | (?<!\w)_(?=[^\s_])(?P<under>.+?)(?<=\S)_(?!\w)
  | (?P<break>[ ]{2,}\n|\\\n)
    """,
    re.X | re.S,
)


def normalize_label(label):
    """Labels match regardless of case and of how white space is written."""
    return " ".join(label.split()).casefold()


class InlineParser:
    def __init__(self, references=None):
        self.references = references or {}

    def parse(self, text):
        nodes = []
        pos = 0
        for match in _TOKEN.finditer(text):
            if match.start() < pos:
                continue
            node = self._node(match)
            if node is None:
                continue
            self._add_text(nodes, text[pos : match.start()])
            if isinstance(node, Str):
                self._add_text(nodes, node.text)
            else:
                nodes.append(node)
            pos = match.end()
        self._add_text(nodes, text[pos:])
        return nodes

    @staticmethod
    def _add_text(nodes, text):
        if not text:
            return
        if nodes and isinstance(nodes[-1], Str):
            nodes[-1].text += text
        else:
            nodes.append(Str(text))

    def _node(self, match):
        group = match.groupdict()
        if group["escape"]:
            return Str(group["escape"])
        if group["code"] is not None:
            return Code(self._code_text(group["code"]))
        if group["alt"] is not None:
            url = self._pick(group["image_angled"], group["image_url"])
            return Image(group["alt"], url, group["image_title"] or "")
        if group["link_text"] is not None:
            url = self._pick(group["link_angled"], group["link_url"])
            return Link(self.parse(group["link_text"]), url, group["link_title"] or "")
        if group["ref_text"] is not None:
            return self._reference(group["ref_text"], group["ref"])
        if group["auto"] is not None:
            label = group["auto"]
            if label.startswith("mailto:"):
                label = label[len("mailto:") :]
            return Link([Str(label)], group["auto"])
        if group["break"] is not None:
            return Break()
        for name, kind in (
            ("strong", Strong),
            ("understrong", Strong),
            ("star", Emphasis),
            ("under", Emphasis),
        ):
            if group[name] is not None:
                return kind(self.parse(group[name]))
        raise AssertionError("no group matched")

    @staticmethod
    def _pick(angled, bare):
        return angled if angled is not None else bare

    @staticmethod
    def _code_text(text):
        text = text.replace("\n", " ")
        if text.startswith(" ") and text.endswith(" ") and text.strip():
            text = text[1:-1]
        return text

    def _reference(self, text, label):
        found = self.references.get(normalize_label(label or text))
        if found is None:
            return None
        url, title = found
        return Link(self.parse(text), url, title)
