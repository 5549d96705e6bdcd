"""The command `slugkit`."""

import click

from .core import slugify


@click.command()
@click.argument("titles", nargs=-1)
@click.option("--separator", default="-", show_default=True)
@click.option("--max-length", default=0, type=int)
@click.option("--upper/--lower", default=False)
@click.option("-o", "--output", type=click.File("w"), default="-")
def main(titles, separator, max_length, upper, output):
    """Print a slug of each title."""
    if not titles:
        titles = click.get_text_stream("stdin").read().splitlines()
    for title in titles:
        slug = slugify(title, separator, max_length)
        click.echo(slug.upper() if not upper else slug, file=output)
