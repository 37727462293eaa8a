"""`gramprobe schema`."""

from __future__ import annotations

import json

import click


@click.command()
@click.argument("name", required=False)
def command(name: str | None) -> int:
    """Print the JSON Schema of a `--json` answer or of a file of a dataset: `gramprobe schema manifest`.

    Without NAME: list the schemas.
    """
    from gramprobe.cli.answers.schema import SCHEMAS, schema
    from gramprobe.source import messages

    if name is None:
        for entry, (title, _) in SCHEMAS.items():
            click.echo(f"{entry:<12} {title}")
        return 0
    if name not in SCHEMAS:
        raise messages.names.none_called("schema", name, SCHEMAS)
    click.echo(json.dumps(schema(name), indent=2, ensure_ascii=False))
    return 0
