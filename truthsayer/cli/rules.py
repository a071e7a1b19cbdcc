"""`truthsayer rules`: look rules up."""

from __future__ import annotations

import json
import textwrap

import click

from truthsayer.cli.found import rule_json
from truthsayer.cli.lookup import json_option, search_options
from truthsayer.cli.service import Server, server_option, service_at
from truthsayer.cli.show import counted
from truthsayer.text.answers import lines_under_a_rule
from truthsayer.v1 import rules_pb2


@click.command()
@click.argument("rule_id", metavar="[ID]", required=False)
@click.option("--search", metavar="WORDS", help="Find the rules that fit, the best first.")
@search_options
@json_option
@server_option
@click.pass_context
def rules(
    ctx: click.Context,
    rule_id: str | None,
    search: str | None,
    product: str,
    most: int | None,
    as_json: bool,
    server: Server | None,
) -> None:
    """Show a rule, in our own words, and where it stands; without an ID, list them all.

    Below a rule are the rulings that belong to it, each with its readings or its answer.

    \b
    Examples:
      truthsayer rules UPR-WALL-003
      truthsayer rules --search "shield wall"
      truthsayer rules --search "foldspace" --product base

    Exit code: 0, 1 if nothing is found, 2 if there is no such rule.
    """
    if rule_id is not None and search is not None:
        raise click.UsageError("give an ID or --search, not both")
    if search is None and (product or most is not None):
        raise click.UsageError("--product and --most are for --search")
    with service_at(server) as service:
        if rule_id is not None:
            found = [service.get_rule(rules_pb2.GetRuleRequest(id=rule_id)).rule]
        elif search is not None:
            words = rules_pb2.SearchRulesRequest(words=search, product=product, most=most or 0)
            found = list(service.search_rules(words).rules)
        else:
            found = list(service.list_rules(rules_pb2.ListRulesRequest()).rules)
    if as_json:
        shown = {"rules": [rule_json(rule) for rule in found]}
        click.echo(json.dumps(shown, indent=2, ensure_ascii=False))
    elif rule_id is not None:
        click.echo(_rule_text(found[0]))
    else:
        _print_list(found)
    ctx.exit(0 if found else 1)


def _print_list(found: list[rules_pb2.Rule]) -> None:
    for rule in found:
        click.echo(f"{rule.id}  {rule.title}")
    click.echo(counted(len(found), "rule"))


def _rule_text(rule: rules_pb2.Rule) -> str:
    """A rule in full."""
    lines = [
        f"{rule.id}  {rule.title}",
        "",
        *textwrap.wrap(rule.statement, 96, initial_indent="  ", subsequent_indent="  "),
        "",
        f"  source: {rule.source}",
    ]
    if rule.fallback:
        lines.append("  The product's own rulebook lacks the page: this is the base game's rule.")
    return "\n".join([*lines, *lines_under_a_rule(rule.id)])
