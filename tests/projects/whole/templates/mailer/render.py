import jinja2

from mailer.filters import money, shorten

TEMPLATES = {
    "bill": "Dear {{ name }},\n{% for line in lines %}- {{ line.text|shorten(12) }}: {{ line.price|money }}\n{% endfor %}"
    "Total: {{ lines|sum(attribute='price')|money }}\n",
}


def environment():
    made = jinja2.Environment(loader=jinja2.DictLoader(TEMPLATES), undefined=jinja2.StrictUndefined)
    made.filters.update(money=money, shorten=shorten)
    return made


def render(template, **values):
    return environment().get_template(template).render(**values)
