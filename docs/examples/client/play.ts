// Looks a rule up, checks a scenario, and plays some turns of a session: node play.ts HOST:PORT

import { Client, ServiceError, type Input, type Session } from './truthsayer.ts';

const TURNS = 30;

const SCENARIO = `scenario "A Dagger gives a sword"
game uprising with John, Abby, Ned
given Abby has hand "Dagger"
when Abby reveals
then Abby has 1 sword
`;

const client = new Client(process.argv[2] ?? '127.0.0.1:50051');

// Rules

const { rule } = await client.getRule('UPR-WALL-003');
console.log(`${rule?.id}: ${rule?.title}`);
try {
  await client.getRule('UPR-WALL-03');
} catch (error) {
  if (!(error instanceof ServiceError)) throw error;
  console.log(`${error.status} ${error.code}: ${error.message}; ${error.help}`);
}

// Scenarios

for await (const { result, summary } of client.check('dagger.scenario', SCENARIO)) {
  if (result) console.log(`${result.title}: ${result.verdict}`);
  if (summary) console.log(`${summary.passed} of ${summary.scenarios} passed`);
}

// A session

const players = ['Paul', 'Jessica', 'Leto'];
const created = await client.createSession({ product: 'uprising', players });
const seats = created.seatTokens.map((token) => client.session(created.session, token));
const observer = client.session(created.session, created.observerToken);
console.log(`session ${created.session} for ${seats.length} seats`);

/** Who has to answer; nobody if the game is over. */
async function asked(): Promise<Session | undefined> {
  const [seat] = (await observer.get()).asked?.seats ?? [];
  return seats[seat];
}

const pick = (inputs: Input[]) => inputs[Math.floor(Math.random() * inputs.length)];

// Those who look on hear of everything, as it happens.

const updates = observer.updates();
let heard = 0;

async function hear(revision: number): Promise<void> {
  while (heard < revision) {
    const { value: update } = await updates.next();
    heard = update.revision;
    if (update.returnedTo) console.log(`update ${heard}: back to ${update.returnedTo}`);
  }
}

// An input is taken back as long as nothing was revealed by it.

const first = await asked();
if (!first) throw new Error('nobody is asked');
const reveal = (await first.actions()).find(({ action }) => action === 'reveal');
if (!reveal) throw new Error('a first turn may be a reveal');
const before = first.revision;
await first.send(reveal);
await first.undo(before);
await hear(first.revision);

// An input for a revision that is past is told, and nothing happens: look again, and decide anew.

const elsewhere = client.session(created.session, created.seatTokens[seats.indexOf(first)]);
await elsewhere.actions();
await first.send(reveal);
try {
  await elsewhere.send(reveal);
} catch (error) {
  if (!(error instanceof ServiceError && error.status === 'ABORTED')) throw error;
  console.log(`${error.status} ${error.code}: ${error.message}`);
  await elsewhere.get();
}

// What is not allowed is refused with its reasons, each with its rules.

const { refused } = await elsewhere.send(reveal);
for (const { key, rules } of refused?.reasons ?? []) {
  console.log(`refused: ${key} (${rules.map(({ id }) => id).join(', ')})`);
}

let taken = 0;
for (; taken < TURNS; taken += 1) {
  const player = await asked();
  if (!player) break;
  const answer = await player.send(pick(await player.actions()));
  if (!answer.taken) throw new Error('what is listed is allowed');
  await hear(answer.taken.revision);
}
console.log(`${taken} inputs taken`);

// What one sees: one's own hand, and how many cards the others have.

const standing = await seats[0].get();
for (const { name, hand } of JSON.parse(standing.view).players) {
  console.log(`${name}: ${Array.isArray(hand) ? `[${hand.join(', ')}]` : `${hand.count} cards`}`);
}

console.log(`heard of every revision up to ${heard} of ${standing.revision}`);
await updates.return(undefined);
