"""`truthsayer rules`: look rules up."""

from __future__ import annotations

import textwrap

import click

from truthsayer.cli.service import Server, Service, server_option, service_at
from truthsayer.cli.show import counted
from truthsayer.text.answers import lines_under_a_rule
from truthsayer.v1 import rules_pb2


@click.command()
@click.argument("rule_id", metavar="[ID]", required=False)
@click.option("--search", metavar="WORDS", help="Find the rules in which all the words occur.")
@server_option
@click.pass_context
def rules(
    ctx: click.Context, rule_id: str | None, search: str | None, server: Server | None
) -> None:
    """Show a rule, in our own words, and where it stands; without an ID, list them all.

    Below a rule are the rulings that belong to it, each with its readings or its answer.

    \b
    Examples:
      truthsayer rules UPR-WALL-003
      truthsayer rules --search "shield wall"

    Exit code: 0, 1 if nothing is found, 2 if there is no such rule.
    """
    if rule_id is not None and search is not None:
        raise click.UsageError("give an ID or --search, not both")
    with service_at(server) as service:
        if rule_id is not None:
            request = rules_pb2.GetRuleRequest(id=rule_id)
            click.echo(_rule_text(service.get_rule(request).rule))
            return
        found = _found(service, search)
    for rule in found:
        click.echo(f"{rule.id}  {rule.title}")
    click.echo(counted(len(found), "rule"))
    ctx.exit(0 if found else 1)


def _found(service: Service, search: str | None) -> list[rules_pb2.Rule]:
    if search is None:
        return list(service.list_rules(rules_pb2.ListRulesRequest()).rules)
    return list(service.search_rules(rules_pb2.SearchRulesRequest(words=search)).rules)


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
