"""Every error code there is: a title and what it means. A code once given is never used anew.

TS01 scenarios, TS02 rules and rulings, TS03 effects, TS04 unknowns and chance, TS05 proofs, TS06
replay logs, TS07 the command line, TS08 the service and adapters.
"""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """What a code stands for."""

    title: str
    text: str


CODES: dict[str, Code] = {
    # Scenarios
    "TS0100": Code(
        "a file is too long",
        "A scenario file has a size up to which it is read. Split a longer one into several files; "
        "the scenarios in them are run in the same way. There is a limit, too, to the conditions "
        "that one line joins, and to the mistakes that are told of one file.",
    ),
    "TS0101": Code(
        "a line cannot be read",
        "A word stands where the language does not expect it. The place is that of the word, and "
        "the help names what could stand there or what was probably meant.",
    ),
    "TS0102": Code(
        "no such player",
        "A line speaks of somebody whom `game ... with` does not name, or a name there cannot be "
        "a player's because two share it or a board space has it. Players are known by these "
        "names alone. Write the name as it stands in `game`, or put it right there.",
    ),
    "TS0103": Code(
        "no such card",
        "The product's catalogue has no card of this name in this place. Names are written in "
        "quotes, as they are printed, and the help has the nearest. A card of your own is "
        "defined with a `card` line.",
    ),
    "TS0104": Code(
        "no such name",
        "A board space, observation post, Faction or other name of the game is misspelt, or "
        "`happens` tells of nothing that can happen. The place is that of the name. The help has "
        "the nearest one, or what there is.",
    ),
    "TS0105": Code(
        "a line in the wrong place",
        "The line is right in itself, but not where it stands: an `and` with nothing to "
        "continue, what happens among what is given, a table row without `examples`, a line "
        "before the first `scenario`, or the same thing stated a second time. Read alone it "
        "would mean nothing, or two things. Move it, leave it out, or begin it with the word "
        "that the help names.",
    ),
    "TS0106": Code(
        "something is missing",
        "A file has to hold at least one scenario. A scenario has to name its game and to expect "
        "or ask something; a table needs rows, and `where` needs `for any`.",
    ),
    "TS0107": Code(
        "an id is used twice",
        "Reports and other files point at a scenario by its id, so no two may share one. Without "
        "an `id` line the id is made of the file's name and the title. Nor can a card of a "
        "scenario's own be called like something else in the game. Write another id, title or "
        "name.",
    ),
    "TS0108": Code(
        "no such game",
        "The product is unknown, or it is not played by so many players. Everything else in a "
        "scenario depends on its game, so nothing more is checked. The help names the products, "
        "or the numbers of players.",
    ),
    "TS0109": Code(
        "no such value",
        "A column of a table or a variable of `for any` does not exist, or a word stands where a "
        "number is needed. Words in `<...>` come from the table below `examples`, other words "
        "from `for any`. Write one of the names there are, or a number.",
    ),
    "TS0110": Code(
        "an impossible position",
        "What is given breaks something that holds in every position, such as twelve troops for "
        "each player or one holder for each Alliance. Nothing that is played from there would "
        "tell anything about the game. The rules that say so are named, and the help says what "
        "to leave out or to add.",
    ),
    "TS0111": Code(
        "an unstated choice",
        "Somebody has to choose here, or something has to be drawn, and the scenario does not "
        "say what; or it states something that is not due. Nothing is chosen silently. State one "
        "of the choices that the help lists, in the words in which it lists them.",
    ),
    "TS0112": Code(
        "an action that is not allowed",
        "The engine refuses what a `when` line does, for the rules named. The help lists what is "
        "allowed instead. To show that it is refused, write it as `then ... cannot ... because`.",
    ),
    "TS0113": Code(
        "an order that matters",
        "`resolves all effects` is allowed only where every order ends in the same position, and "
        "the group is small enough to try them all. Here two orders differ, or there are too "
        "many. State the order, with a line for each effect.",
    ),
    "TS0114": Code(
        "more than one observation post",
        "A Spy stands on a post, not on a space. Where several posts are linked to a space, name "
        "the post.",
    ),
    "TS0115": Code(
        "a row of the wrong length",
        "Each row of a table has one cell for each column of its heading. A row that is shorter "
        "or longer would leave open which cell belongs to which column. Write the missing cell, "
        "or leave out what is too much.",
    ),
    "TS0116": Code(
        "something that cannot be said of this",
        "A number stands where the things themselves have to be named, several pieces or effects "
        "where one is stated at a time, or a look at something that nobody sees or decides here. "
        "The line can be read, but nothing in a position answers to it. The help shows how it is "
        "said.",
    ),
    "TS0117": Code(
        "a phase that begins too late",
        "A phase can be started directly only as the first thing that happens in a scenario, or "
        "after an earlier phase is over. In the middle of a turn it would leave things undone. "
        "Play up to it, or write two scenarios.",
    ),
    "TS0118": Code(
        "values of another position",
        "A case of a property is played with values, players or a name that do not fit it. A "
        "counterexample means something only in the position that it was found in. Take the line "
        "as `truthsayer prove` printed it.",
    ),
    "TS0120": Code(
        "an expectation that does not hold",
        "A `then` line says something else than what happened. The message has both, the help "
        "what has happened since the last `when`, and the rules are those behind it. Either the "
        "line is wrong, or the lines above it do not lead where they should. For `for any`, the "
        "help has the smallest values that break it: exclude them with `where`, or correct the "
        "line.",
    ),
    "TS0121": Code(
        "another rule than the one named",
        "What is expected did happen, but the rule after `because` is not among those that "
        "decided it. The message lists the rules that were cited. Name one of them, or leave "
        "`because` out.",
    ),
    "TS0122": Code(
        "a ruling that changes nothing",
        "`depends on ruling` says that the outcome changes with the ruling, and it does not: the "
        "scenario holds under every reading. Leave the line out, or state something that "
        "differs.",
    ),
    "TS0123": Code(
        "a scenario that could not be settled",
        "The verifier could neither prove the scenario for all values nor find values that break "
        "it. The message says what stood in the way. Write a number where a variable cannot be "
        "reckoned with, or an `examples` table with the values that matter.",
    ),
    "TS0125": Code(
        "no values to check",
        "What `for any` and `where` say together leaves no values over, so that nothing would be "
        "checked at all. Such a scenario would hold whatever the rules say. Widen the bounds, or "
        "leave out a condition that contradicts another.",
    ),
    "TS0130": Code(
        "a look at something that is still open",
        "A `then` line looks at a position at rest. While chance has to answer, an effect is due "
        "or a player has to decide inside an effect, a claim may hold that is false a moment "
        "later: nobody has drawn a card while the draw waits. Let it happen first, or say in the "
        'same `then` what is left open: `chance is asked`, `Abby is asked`, `"draw 1 card" is '
        "due`. A line about something that no effect which is due would change needs neither.",
    ),
    "TS0131": Code(
        "cannot, but no rule forbids it",
        "`cannot` holds if a rule forbids something. Here nothing like it is on offer, as with a "
        "cost that nothing asks for or an effect that nothing in play has: the line would hold "
        "whatever the rules say. Write about something that is there, or say what there is: `Abby "
        'is offered nothing`, `"draw 1 card" is due`.',
    ),
    "TS0132": Code(
        "cannot, but only now",
        "Nothing but the moment stands against it: it is another player's decision, or nobody has "
        "to decide. That would hold for nearly everything. Ask where the player decides, or say "
        "that the moment is meant, by the rule that says when it could be done, behind `because`.",
    ),
    "TS0133": Code(
        "an expectation that cannot fail",
        "`truthsayer check --vacuity` turns every `then` line round: another number, another name, "
        "the opposite. This one held all the same, so it says nothing. Leave it out, or expect "
        "something that could be otherwise.",
    ),
    "TS0135": Code(
        "an expectation that holds always",
        "At least nothing and at least 0 are so in every position, nothing has changed before "
        "anything has happened, and nobody is offered effects but the player who resolves them: "
        "the line says nothing. Write the cards or the number that there must be, put it below a "
        "`when`, or leave it out.",
    ),
    "TS0136": Code(
        "an `at least` where just one position is meant",
        "`given` states a position, in which there are just so many of a thing and just these "
        "cards; `keeps` says that a number is what it was. With `at least` a line leaves open what "
        "there is, which only an expectation behind `then` can do.",
    ),
    "TS0138": Code(
        "another number of cards is drawn",
        "A line says how many cards a player draws, and the rules make it another number, or cards "
        "of the other kind: Intrigue cards or cards of the own deck. The number is that of all "
        "cards that come now and are not named. Write the number that the help has, or name the "
        "cards.",
    ),
    "TS0139": Code(
        "any of something",
        "What nobody has any of is said with `any`: `nobody has any spice`. Of a player one says "
        "how much there is, with a number or with `no`.",
    ),
    "TS0190": Code(
        "a defect of ours",
        "The engine failed in the middle of a scenario. The scenario may be right; please report "
        "the file.",
    ),
    # Rules and rulings
    "TS0201": Code(
        "no such rule",
        "The rule index has no rule of this id. `truthsayer rules --search WORDS` finds rules.",
    ),
    "TS0202": Code(
        "no such ruling",
        "A ruling is a named reading of a point that the rulebooks leave open. Either its name "
        "or the reading is unknown. `truthsayer rulings` lists all of them, and the help has the "
        "nearest.",
    ),
    "TS0203": Code(
        "no such product",
        "There is no catalogue of this product. The help names those there are.",
    ),
    "TS0204": Code(
        "a game for other players",
        "The rules here are those for the numbers of players that the help names. Other numbers "
        "wait for rules that are not there yet.",
    ),
    "TS0205": Code(
        "a Leader that cannot be",
        "There is no such Leader, it is the back of one or needs the CHOAM module, two players "
        "have it, or not every player has one. The help names those there are, or the line that "
        "is missing.",
    ),
    # Effects
    "TS0301": Code(
        "an effect that cannot be read",
        "The effect language of cards and spaces does not know what is written. The message "
        "points at the place where reading stopped. The help has the word that was probably "
        "meant, or effects that are written well.",
    ),
    "TS0302": Code(
        "an effect of another product",
        "The effect language is that of the whole family, and this effect belongs to a product "
        "that cannot be played yet. The message names the product. Leave the effect out, or "
        "write one of this game.",
    ),
    "TS0303": Code(
        "an effect that means nothing",
        "Every word of it is known, but not together: it has a cost that nobody can pay, or names "
        "something that there is not. The help says what could stand there.",
    ),
    "TS0304": Code(
        "an effect that is too large",
        "The text of an effect is too long, or its conditions, choices and counts stand in each "
        "other too deep. The message has the limit, which is many times what is printed on any "
        "card. Say it in several boxes, or on several cards.",
    ),
    # Unknowns and chance
    "TS0401": Code(
        "something unknown is needed",
        "What a scenario does not state is unknown, and a rule had to look at it. To guess it "
        "would decide the outcome silently. State it: the help has a line that does.",
    ),
    "TS0402": Code(
        "chance has no answer",
        "Something is dealt, drawn or rolled and nothing says what comes. The help lists what can.",
    ),
    "TS0403": Code(
        "chance cannot answer so",
        "The card or number stated cannot come here: it lies elsewhere, or nothing is drawn, "
        "shuffled or rolled now. Chance answers only where the rules ask it, and only with what "
        "there is. Name a card that can come, or leave the line out.",
    ),
    # Proofs
    "TS0501": Code(
        "no such property",
        "The verifier has no property of this name, so there is no case of it to play and "
        "nothing to prove. `truthsayer prove --list` names all properties, and the help has the "
        "nearest.",
    ),
    "TS0502": Code(
        "the second solver is missing",
        "`truthsayer prove --confirm` asks a second solver, cvc5, about every proof, and it is not "
        "installed. It is an extra of the package: `pip install truthsayer[confirm]`.",
    ),
    "TS0503": Code(
        "the solver is missing",
        "Proofs, `for any` and all that looks at properties need Z3, which is installed with "
        "Truthsayer but cannot be loaded here. `pip install z3-solver` brings it back.",
    ),
    "TS0504": Code(
        "a property that is refuted",
        "There is a position in which the property does not hold. `truthsayer prove` prints it as "
        "a scenario: the rule function is wrong, or the property says more than the rule.",
    ),
    "TS0505": Code(
        "a property about which nothing is known",
        "The verifier came to no verdict: a limit was reached (`--paths` and `--work` raise them), "
        "the solvers disagree, the assumptions leave nothing to claim, or a process died. The "
        "detail says which.",
    ),
    "TS0506": Code(
        "a property that the verifier cannot follow",
        "A rule function or the property does something with an unknown quantity that has no "
        "meaning for all values at once, or the property's file has a mistake. The detail names "
        "the line.",
    ),
    "TS0507": Code(
        "the change of a twin says nothing",
        "Each rule of a property has a twin: one edit of the engine under which the property must "
        "fail (`truthsayer prove --twins`). The text that it replaces is not there exactly once, "
        "its file is missing, or the changed engine does not even start.",
    ),
    # Replay logs
    "TS0601": Code(
        "a log that cannot be opened",
        "The file cannot be read or written where it is. The message has the system's reason.",
    ),
    "TS0602": Code(
        "an empty log",
        "A log begins with the position that it starts from, and this file has nothing in it. "
        "Name another file, or play the game again.",
    ),
    "TS0603": Code(
        "not a log",
        "The file was not written by `truthsayer play --log`. Name a log, or play a game to make "
        "one.",
    ),
    "TS0604": Code(
        "a damaged log",
        "A record in the middle is missing or changed, so nothing after it can be trusted. Only "
        "the very last record may be torn: that is what a crash leaves, and it is no error.",
    ),
    "TS0605": Code(
        "a log of another version",
        "The log is whole but was written for another game, by another version of the engine or "
        "with other cards. `truthsayer replay --anyway` tries it all the same.",
    ),
    "TS0606": Code(
        "a log that does not replay",
        "An input of the log is refused, or leads to another position than the one written down. "
        "The engine has changed since.",
    ),
    "TS0607": Code(
        "a log is there already",
        "A log never replaces a file. Name one that does not exist.",
    ),
    "TS0608": Code(
        "a damaged soak file",
        "A line of the file given with `--resume` is missing or changed, so nobody can tell which "
        "games were played. Only a last line that was never finished is no error.",
    ),
    "TS0609": Code(
        "a soak file of another run",
        "The file given with `--resume` was begun with another seed, other options or another "
        "version, so that its games are not those of this run. Give the options it was begun "
        "with, or name a new file.",
    ),
    # The command line
    "TS0701": Code(
        "a package of somebody else's",
        "Python found another package where one of Truthsayer's has to be, most often because of "
        "PYTHONPATH or the folder it was started in. Install Truthsayer into an environment of its "
        "own.",
    ),
    "TS0702": Code(
        "no such file",
        "There is nothing at the path, a folder without a file that ends in `.scenario`, or a list "
        "of paths without any. Look for a slip in the name, or for the folder from which the "
        "command was started.",
    ),
    "TS0703": Code(
        "a file that cannot be used",
        "The system does not let the file be read or written. Files are written whole or not at "
        "all, so nothing was lost.",
    ),
    "TS0704": Code(
        "not UTF-8 text",
        "Scenario files are UTF-8. The place is that of the first byte that is not.",
    ),
    "TS0705": Code(
        "nothing is asked",
        "`truthsayer ask` answers the `ask` lines of a file, and this one has none. Add one, "
        "like `ask what can Abby do`, or run `truthsayer check` on the file.",
    ),
    "TS0706": Code(
        "cannot listen",
        "The address is not HOST:PORT, is none of this machine's, or cannot be had: another "
        "program has the port, or it is below 1024 and not for everybody. The message has the "
        "reason.",
    ),
    "TS0707": Code(
        "no service there",
        "Nothing answers at the address given with `--server`. Start the service there with "
        "`truthsayer serve`, or leave the option out.",
    ),
    "TS0708": Code(
        "too large to send",
        "The service takes messages of a limited size. Send fewer files at a time, or run the "
        "command without `--server`.",
    ),
    "TS0709": Code(
        "a call that failed",
        "The call ended with a status that is not ours: a deadline, another program at that "
        "address, or a service of another version. Look at what runs there, or leave `--server` "
        "out.",
    ),
    "TS0710": Code(
        "an unexpected fault",
        "A defect of Truthsayer. With TRUTHSAYER_DEBUG=1 in the environment, the command shows "
        "what a report needs.",
    ),
    "TS0711": Code(
        "a game for other players",
        "`truthsayer play` and `truthsayer soak` deal for the numbers of players that the help "
        "names. Give one of them with `--players`.",
    ),
    "TS0712": Code(
        "no such product",
        "`truthsayer play` knows the products that the help names. Give one of them with "
        "`--product`.",
    ),
    "TS0713": Code(
        "output that cannot be written",
        "The system does not take what the command prints, for instance because a disk is full. "
        "The message has its reason.",
    ),
    "TS0714": Code(
        "nothing printed of this name",
        "The product's catalogue has no card, board space, leader or anything else of this name or "
        "id. The help has what was probably meant.",
    ),
    "TS0715": Code(
        "a rule that is not counted",
        "`truthsayer coverage` counts the product's own rules that a scenario can show or a proof "
        "can settle. Others say nothing that either could, or are rules of another product.",
    ),
    "TS0716": Code(
        "a ruling that is not stated",
        "A reading of an open point is given as NAME=VALUE. `truthsayer rulings` lists names and "
        "values.",
    ),
    "TS0717": Code(
        "no such code",
        "`truthsayer explain` knows the codes of the errors that Truthsayer reports, TS and four "
        "digits. Without a code it lists them all.",
    ),
    "TS0720": Code(
        "a test run without results",
        "The pytest plugin starts `truthsayer check` once for all scenarios, with the Python that "
        "runs the tests, and it did not start or did not end with results. The message has what it "
        "said. Truthsayer has to be installed in the environment of the tests itself: packages of "
        "the user and PYTHONPATH are left out on purpose.",
    ),
    "TS0721": Code(
        "a test without a result",
        "A scenario was collected as a test, and the run has nothing to say about it: its file was "
        "changed or removed meanwhile. Run the tests again.",
    ),
    "TS0722": Code(
        "a mark that says something else",
        "The mark `truthsayer` says which cases the fixture `truthsayer_adapter` plays: with "
        "`rules`, `tags`, `cases` and `paths`, each a list of words. It knows nothing else, and "
        "nothing without a name.",
    ),
    "TS0723": Code(
        "a test without an adapter",
        "The fixture `truthsayer_adapter` plays a case on the adapter that it is called with. A "
        "test that has it and does not call it would pass without having tested anything.",
    ),
    "TS0724": Code(
        "a kit that does not answer",
        "The fixture `truthsayer_adapter` starts the conformance kit in a process of its own, with "
        "the Python that runs the tests, and it did not start or has ended. The message has what "
        "it said. Truthsayer has to be installed in the environment of the tests itself.",
    ),
    "TS0730": Code(
        "nothing to mutate of this name",
        "`truthsayer mutate` changes the rule functions of `rules_engine/imperium`. Name a file, "
        "like `combat`, or a function in it, like `combat.reward_of`; for `--kinds` a kind of "
        "mistake, like `wrong-player`.",
    ),
    "TS0731": Code(
        "no history to compare with",
        "`truthsayer mutate --since` asks git what changed since a commit. The source is no "
        "checkout of git, git is not installed, or it does not know the commit. The message has "
        "what git said.",
    ),
    "TS0732": Code(
        "excuses that cannot be read",
        "`truthsayer/mutation/excused.toml` lists the mutants that no input can tell apart from "
        "the true engine, each with its function, the change, the line that it makes and the "
        "reason. The message has what is wrong with it.",
    ),
    "TS0733": Code(
        "a system without forks",
        "`truthsayer mutate` tries each mutant in a forked process, which this system does not "
        "have. Run it on Linux or macOS.",
    ),
    "TS0734": Code(
        "a missing library",
        "`truthsayer mutate` makes its changes with libcst. It comes with the extra `mutate` of "
        "Truthsayer: `pip install 'truthsayer[mutate]'`.",
    ),
    "TS0736": Code(
        "nothing to look for",
        "A search needs a word that says what is asked about. A question that is empty, or has "
        "only words that any question can have, such as `can I`, would find everything. Ask with "
        "the words of the game.",
    ),
    "TS0737": Code(
        "a part of several names",
        "Something printed can be called by a part of its name, if nothing else has that part in "
        "its name. The help lists what has: say which is meant.",
    ),
    "TS0738": Code(
        "no such game to search",
        "The rules belong to games, such as `uprising` or `base`, and `--product` searches those "
        "of one. The help has the nearest name, or those that there are.",
    ),
    "TS0739": Code(
        "a SQLite that cannot search",
        "The search is SQLite's FTS5. It is part of the SQLite that comes with nearly every "
        "Python, but one can be built without it. Run Truthsayer with another Python.",
    ),
    # The service
    "TS0801": Code(
        "a malformed message",
        "The bytes are no message of the kind that the method takes. Make them from the "
        "definitions in `proto/`, or from what reflection gives.",
    ),
    "TS0802": Code(
        "too much at once",
        "There are too many files, or a text is too long. The message has the limit.",
    ),
    "TS0803": Code(
        "the service is busy",
        "As many calls are waiting as the service lets wait. Try again later.",
    ),
    "TS0804": Code(
        "a position or input that cannot be read",
        "The JSON is malformed or not of the engine's records. The message has the path in it.",
    ),
    "TS0805": Code(
        "a position that no game has",
        "The position is well formed but breaks something that holds in every game, or names "
        "what does not exist. The rules behind it are named. Send a position that the engine "
        "gave, or put this one right.",
    ),
    "TS0806": Code(
        "no such product",
        "The engine serves the products that the help names. Ask for one of them.",
    ),
    "TS0807": Code(
        "no such seat",
        "A seat is a player's place at the table. Seats count from 0, clockwise.",
    ),
    "TS0808": Code(
        "players that cannot be",
        "A name is empty, too long or used twice. Give each player a short name of their own.",
    ),
    "TS0809": Code(
        "a fault of the service",
        "A defect of ours or a worker process that died. The server's log has everything about "
        "the id in the message. Please report it with that.",
    ),
    "TS0810": Code(
        "something that takes too long",
        "The service gives a scenario, a batch of positions or a look-up the time that the message "
        "names. Ask for something simpler or for less, or run it without `--server`.",
    ),
    "TS0811": Code(
        "a run that was not started",
        "The first request of a run says what to play; only then are there calls to answer. Send "
        "`start` first.",
    ),
    "TS0812": Code(
        "no such number of cases or games",
        "A run over the service has a number of cases, 0 for all, and some rounds of generated "
        "games. Neither can be below 0, and the message has the most.",
    ),
    "TS0813": Code(
        "a caller that does not say what it is",
        "Who calls for a run is tested, and is first asked to describe itself. The message has "
        "what came instead. Answer the first batch of calls.",
    ),
    # Adapters
    "TS0814": Code(
        "replies that nobody reads",
        "Who asks for scenarios or proofs keeps a worker of the service from others until the last "
        "reply is read, and may not leave a reply unread for longer than the message names. Read "
        "replies as they come, or ask for fewer at a time.",
    ),
    "TS0820": Code(
        "an adapter of another protocol",
        "The messages between the kit and an adapter have a version, which an adapter names when "
        "it describes itself. Use the kit that speaks the adapter's, or bring the adapter up to "
        "this one.",
    ),
    "TS0821": Code(
        "an adapter that does not say what it is",
        "An adapter has to describe itself with a name, a version and at least one product, "
        "because a report without them would be about nobody. Add what the message names.",
    ),
    "TS0822": Code(
        "an adapter that names what there is not",
        "A product, capability, field, ruling or another word in the adapter's description is none "
        "that the kit knows. It is not passed over: what is misspelt would be tested as if it had "
        "not been said. The help has the nearest word, or all of them.",
    ),
    # Sessions and what they are kept in
    "TS0830": Code(
        "no such session",
        "There is no session of this id, it was deleted or forgotten, or the token is for another "
        "one; which of them, nobody is told. A session in which nothing happens for long is "
        "forgotten.",
    ),
    "TS0831": Code(
        "a session that has gone on",
        "An input names the revision that it was made for, and the session is at another one: "
        "somebody else was faster, or it was sent before. Read the session again and decide anew. "
        "An input that may have been lost is repeated with its idempotency key.",
    ),
    "TS0832": Code(
        "a key of another request",
        "An idempotency key stands for one request, so that repeating it changes nothing. The "
        "server has answered a different request with this key. Make a new key for each.",
    ),
    "TS0833": Code(
        "what cannot be taken back",
        "Players take back their own inputs, until there is one of another player's, an answer of "
        "chance, a card that was revealed to them, or a change of the version that plays. The "
        "message says which it is.",
    ),
    "TS0834": Code(
        "a limit of sessions",
        "A server keeps so many sessions, so many of one caller, so many records in the log of "
        "each, and so many subscriptions at a time. The message has the limit. Whoever runs the "
        "server can set it.",
    ),
    "TS0835": Code(
        "a session of another version",
        "The session was played by a version whose positions or records this one cannot read, or "
        "by rulings or cards that it does not have. It is kept as it is. Play it with the version "
        "that the help names.",
    ),
    "TS0836": Code(
        "an input of somebody else's",
        "Who plays a seat gives the inputs of that seat alone. What chance answers, the server "
        "draws itself.",
    ),
    "TS0837": Code(
        "a token that is not for this",
        "Each method of a session needs a token with a certain scope. The tokens of seats and of "
        "those who look on come with the session.",
    ),
    "TS0838": Code(
        "a request that makes no sense",
        "A field of a request about a session is missing or has a value that it cannot have. The "
        "message names it, and the help says what it can be.",
    ),
    "TS0840": Code(
        "a store that cannot be used",
        "The server keeps sessions and tokens in a file or in PostgreSQL, and cannot open it. See "
        "that the address is right and may be written. An address is never told, because it may "
        "hold a password.",
    ),
    "TS0841": Code(
        "a store that does not answer",
        "The file or the database in which the server keeps sessions cannot be reached just now. "
        "What was answered before is safe. A request that is repeated with the same idempotency "
        "key is taken once.",
    ),
    # Who may call the service, and how often
    "TS0850": Code(
        "a call without a token",
        "Who calls this method has to show a token, in the metadata key `authorization`, as "
        "`Bearer TOKEN`. The help has the scope that the token needs. Whoever runs the server "
        "gives one with `truthsayer tokens add`; those of a session come with the session.",
    ),
    "TS0851": Code(
        "a token that is not valid",
        "The token is misspelt, expired, revoked, or of another server; which of them, nobody is "
        "told. Ask whoever runs the server for a new one.",
    ),
    "TS0852": Code(
        "a token that does not allow this",
        "Each method needs a token of a certain scope, and this token has others. The help has the "
        "scope that is needed. The manual's page about authorisation has all of them.",
    ),
    "TS0853": Code(
        "too many requests",
        "A caller may make so many requests a second over time, and ten times as many at once. The "
        "help says how long to wait. Batch what is many and small.",
    ),
    "TS0854": Code(
        "a proof that takes too long",
        "The service gives all proofs of a call together the time that the message names. Prove "
        "fewer properties at a time, or prove without `--server`.",
    ),
    "TS0855": Code(
        "scopes that do not fit",
        "A token to play is for one seat of one session, one to observe is for one session, and "
        "all others are for none. Name what the help says, or leave it out.",
    ),
    "TS0856": Code(
        "no such token",
        "Tokens are revoked by their ids, the part between `ts_` and the next `_`. List them with "
        "`truthsayer tokens list`.",
    ),
    "TS0857": Code(
        "a method in name only",
        "The definition of the service has this method, but nobody has written it yet. The method "
        "`List` of gRPC's health service is one: ask for the health of each service by itself.",
    ),
    # Running the service
    "TS0860": Code(
        "no such setting",
        "The file of settings, or a variable of the environment, names a setting that the server "
        "does not have. It is not passed over: a limit that is misspelt would be no limit. The "
        "help has the nearest one.",
    ),
    "TS0861": Code(
        "a setting that cannot have this value",
        "The value is of another kind than the setting, or out of its range. The message says what "
        "is expected. The manual's page about running the service has every setting.",
    ),
    "TS0862": Code(
        "settings that cannot be read",
        "The file of settings is not there, is no UTF-8 text or is no TOML. The message has the "
        "reason, and the place is where reading stopped.",
    ),
    "TS0863": Code(
        "files for TLS that cannot be used",
        "A server that encrypts needs a certificate and its private key, and for callers with "
        "certificates also those of the authorities. A file is missing, cannot be read or does not "
        "fit the other. The message has the reason.",
    ),
    "TS0864": Code(
        "tokens in plain sight",
        "A token that is sent unencrypted over a network belongs to whoever listens there. The "
        "server does not take tokens in this way: it has to encrypt, or to be told that something "
        "in front of it does.",
    ),
    "TS0865": Code(
        "no library for traces",
        "Traces are sent with the libraries of OpenTelemetry, which come with the extra `traces` "
        "of Truthsayer. Install it, or leave the setting out.",
    ),
    "TS0866": Code(
        "metrics that cannot be shown",
        "Another program has the port on which Prometheus was to find the figures, or the host is "
        "none of this machine. Each of several server processes takes one port, from the one that "
        "is set on. Set another.",
    ),
    "TS0867": Code(
        "a server process that does not start",
        "One of several server processes ended or hung before it served. Its own lines in the log "
        "have the reason.",
    ),
    "TS0868": Code(
        "the server stops",
        "A call that would never end by itself is ended when the server is told to stop. Call "
        "again: what was missed is told then.",
    ),
    # The contract
    "TS0870": Code(
        "a field that cannot be so",
        "A field of the request is missing, too long or out of its range. The message names the "
        "field with its path, and `proto/truthsayer/v1` describes every field.",
    ),
    "TS0871": Code(
        "no such ruling to look up",
        "Nothing that the rulebooks leave open or do not say outright has this name. The help has "
        "the nearest name, and `truthsayer rulings` lists them all.",
    ),
    # The clients
    "TS0880": Code(
        "no encrypted connection",
        "Something answers at the address, but the two sides do not agree on encryption: it serves "
        "without TLS, its certificate is not signed by an authority that the caller trusts, or is "
        "for another name, or it asks for a certificate of the caller's. Give the authority with "
        "`--tls-ca`, and your own certificate with `--client-certificate` and `--client-key`.",
    ),
    "TS0881": Code(
        "files for encryption that cannot be used",
        "A file with a certificate or a key cannot be read, or a certificate was given without its "
        "key. Name files in PEM format, and both of the two or neither.",
    ),
    "TS0882": Code(
        "not a token",
        "A token is a line of visible characters without spaces, and this is none. Give it as it "
        "was told, without quotes or a line end; TRUTHSAYER_TOKEN in the environment keeps it out "
        "of the list of processes.",
    ),
    "TS0883": Code(
        "updates that end at once",
        "The service took the subscription to a session and ended it without an error, several "
        "times in a row. It may be stopping: subscribe again later, from the last revision that "
        "you saw, and nothing is missed.",
    ),
    # The conformance kit
    "TS0901": Code(
        "no adapter, or two",
        "`truthsayer conform` tests one adapter: a program that it starts, whose command follows "
        "`--`, or one that serves at an address. Name one of them.",
    ),
    "TS0902": Code(
        "no rule to select cases by",
        "Cases are selected by the ids of the rules that they cite, and no rule has this one. Look "
        "it up with `truthsayer rules`.",
    ),
    "TS0903": Code(
        "no case to play",
        "No case cites the rules, has the tags and is among the names that were asked for. Ask for "
        "less at once.",
    ),
    "TS0904": Code(
        "results of another run",
        "The file of `--resume` has results that do not belong to this run: of another adapter or "
        "another version, of another engine, or it is something else. Name a new file.",
    ),
    "TS0905": Code(
        "no case of this name",
        "Cases are called by the ids of their scenarios, with a number for each row of a table. "
        "The JSON report has the ids of all cases. The help has the nearest one. A generated game, "
        "as `games.1.10`, is no case: `--games` with the same `--seed` plays it again.",
    ),
    "TS0906": Code(
        "an adapter that does not say what it is",
        "The first thing an adapter is asked is what it is. It could not be started or reached, "
        "ended, took longer than `--start-timeout`, or sent something that is no answer. The "
        "message has what is known of it, with the last words on its error output.",
    ),
    "TS0921": Code(
        "a known failure that cannot be read",
        "A file of known failures has the id of one case on each line, and behind ` # ` the "
        "reason. A `#` inside a word belongs to the id.",
    ),
    "TS0922": Code(
        "no such case",
        "The file of known failures lists an id that no case has: it is misspelt, or the case has "
        "gone or was renamed. The JSON report has the ids of all cases.",
    ),
    "TS0923": Code(
        "a known failure that is listed twice",
        "Each case stands once in a file of known failures, so that there is one reason. Remove "
        "one of the two lines.",
    ),
    "TS0924": Code(
        "a report that cannot be read",
        "An earlier report has to be the JSON that `truthsayer conform` wrote, whole and "
        "unchanged. The file is something else, was cut off, or is of a version that is not "
        "understood. The message has what is wrong. Make the report anew.",
    ),
    "TS0925": Code(
        "a report on another product",
        "Reports are compared case by case, and each product has cases of its own. Take "
        "reports on the same one.",
    ),
    "TS0926": Code(
        "two reports on one implementation",
        "In a matrix each implementation has one column, by its name and version. Give one report "
        "of each. Whoever wants to see two states of one side by side gives them two versions.",
    ),
    "TS0931": Code(
        "a divergence",
        "The implementation is not where the reference is. The message has the input, what is "
        "expected and what came, the rule that decides it, and a scenario that shows it.",
    ),
    "TS0932": Code(
        "an adapter that crashed",
        "The adapter ended, said something that is no answer, or said too much, in this case. The "
        "message has what is known of it. It was started anew for the next case.",
    ),
    "TS0933": Code(
        "an adapter that took too long",
        "The adapter did not answer in the time it has. It was ended, and started anew for the "
        "next case.",
    ),
    "TS0934": Code(
        "a known failure that passes",
        "The file of known failures lists a case that passes. That is good news: take it off the "
        "list, so that it is noticed when it fails again.",
    ),
}
