// Plays while the server is started anew, and says what it was told: node again.ts HOST:PORT

import { once } from 'node:events';

import { Client } from './truthsayer.ts';

const client = new Client(process.argv[2]);
const players = ['Paul', 'Jessica', 'Leto'];
const created = await client.createSession({ product: 'uprising', players });
const observer = client.session(created.session, created.observerToken);
const [seat] = (await observer.get()).asked?.seats ?? [];
const player = client.session(created.session, created.seatTokens[seat]);
const reveal = (await player.actions()).find(({ action }) => action === 'reveal')!;
const before = player.revision;

const updates = observer.updates(before - 1);
const heard = [(await updates.next()).value.revision];
console.log(`ready ${created.session} ${before}`);
await once(process.stdin, 'data');

const { taken } = await player.send(reveal);
heard.push((await updates.next()).value.revision);
console.log(`taken ${taken?.revision}, heard ${heard.join(' ')}`);
await updates.return(undefined);
process.exit();
