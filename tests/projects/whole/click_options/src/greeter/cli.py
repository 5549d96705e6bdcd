import click

from greeter.text import greeting


@click.command()
@click.argument("name")
@click.option("--times", default=1, type=int)
@click.option("--shout/--no-shout", default=False)
def main(name, times, shout):
    for number in range(times):
        click.echo(greeting(name, shout))
