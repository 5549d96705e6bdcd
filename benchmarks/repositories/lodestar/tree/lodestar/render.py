"""Graphs as text."""


def tree(graph, root, label=str):
    """Draw what a node needs; subtrees seen before are cut with ``(*)``."""
    lines = [label(root)]
    seen = {root}

    def walk(node, indent):
        targets = graph.needs(node)
        for index, target in enumerate(targets):
            last = index == len(targets) - 1
            again = target in seen and bool(graph.needs(target))
            lines.append(
                indent + ("`-- " if last else "|-- ") + label(target) + (" (*)" if again else "")
            )
            if target not in seen:
                seen.add(target)
                walk(target, indent + ("    " if last else "|   "))

    walk(root, "")
    return "\n".join(lines)


def _quote(text):
    return '"%s"' % str(text).replace("\\", "\\\\").replace('"', '\\"')


def dot(graph, name="deps"):
    lines = ["digraph %s {" % _quote(name)]
    for node in graph:
        if not graph.needs(node) and not graph.needed_by(node):
            lines.append("  %s;" % _quote(node))
    for source, target in graph.edges():
        lines.append("  %s -> %s;" % (_quote(source), _quote(target)))
    lines.append("}")
    return "\n".join(lines)


def table(rows):
    """Columns lined up by their widest cell."""
    rows = [[str(cell) for cell in row] for row in rows]
    if not rows:
        return ""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows
    )
