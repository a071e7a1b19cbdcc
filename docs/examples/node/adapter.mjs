/**
 * Lets the conformance kit play on `game.mjs`: each line that comes is a batch of calls, and is answered by a line.
 *
 * Start it as `node adapter.mjs`. A number behind it makes the shuffles the same every time.
 */
import { createInterface } from 'node:readline';
import { Game, NotAllowed, NotCovered } from './game.mjs';

const DESCRIBED = {
  answer: 'described',
  name: 'a few rules in node',
  version: '1.0.0',
  products: ['uprising'],
  protocol: 1,
  chance: 'report',
  step: 'input',
  capabilities: [],
  rulings: { agent_turn_end: 'said', icon_granularity: 'each_icon' },
  fields: [
    'round', 'first_player', 'asked', 'turn', 'agents', 'makers', 'conflict', 'row',
    'players.spice', 'players.water', 'players.persuasion', 'players.swords', 'players.victory_points',
    'players.tracks', 'players.supply', 'players.garrison', 'players.agents', 'players.revealed',
    'players.hand', 'players.deck', 'players.discard', 'players.in_play', 'players.won',
  ],
};

const random = process.argv[2] === undefined ? Math.random : seeded(Number(process.argv[2]));

/** @type {Game} */
let game;

// Calls

const CALLS = {
  describe: () => DESCRIBED,

  start({ setup, position, observe }) {
    checkSetup(setup, position);
    game = new Game(setup.players.length, random);
    return done(observe);
  },

  apply({ input, observe }) {
    if (!('do' in input)) throw new NotCovered(Object.keys(input).join());
    decide(input.do);
    return done(observe);
  },

  observe({ seat }) {
    if (typeof seat === 'number') throw new NotCovered('the view of one player');
    return { answer: 'done', observation: observed() };
  },

  finish: () => ({ answer: 'done' }),
};

function checkSetup(setup, position) {
  if (position) throw new NotCovered('a start from a position');
  if (setup.product !== 'uprising' || setup.modules.length > 0) throw new NotCovered('another product, or a module');
  if (setup.leaders.some((leader) => leader !== null)) throw new NotCovered('Leaders');
  for (const [ruling, reading] of Object.entries(DESCRIBED.rulings)) {
    if ((setup.rulings[ruling] ?? reading) !== reading) throw new NotCovered(`${ruling} = ${setup.rulings[ruling]}`);
  }
}

function decide(what) {
  if (what.by !== game.turn) throw new NotAllowed('another player decides');
  switch (what.action) {
    case 'play_agent':
      if (what.infiltrate !== null) throw new NotCovered('Spies');
      return game.playAgent(what.card, what.space);
    case 'reveal':
      return game.reveal();
    case 'resolve':
      return game.resolve(what.effect, what.source, what.copy);
    case 'end_turn':
      return game.endTurn();
    default:
      throw new NotCovered(what.action);
  }
}

/** What was done, with all that chance has brought since the last answer. */
function done(observe) {
  const chance = game.came.splice(0);
  return observe ? { answer: 'done', observation: observed(), chance } : { answer: 'done', chance };
}

function observed() {
  return {
    round: game.round,
    first_player: game.first,
    asked: [game.turn],
    turn: game.turn,
    agents: game.agents,
    makers: Object.entries(game.makers).map(([space, bonus_spice]) => ({ space, bonus_spice })),
    conflict: game.conflict,
    row: game.row,
    players: game.players.map((player) => ({
      spice: player.spice,
      water: player.water,
      persuasion: player.persuasion,
      swords: player.swords,
      victory_points: player.points,
      tracks: Object.entries(player.influence).map(([faction, influence]) => ({ faction, influence })),
      supply: player.supply,
      garrison: player.garrison,
      agents: player.agents,
      revealed: player.revealed,
      hand: player.hand,
      deck: player.deck,
      discard: player.discard,
      in_play: player.inPlay,
      won: [{ card: player.objective, icon: player.icon, face_up: true }],
    })),
  };
}

// Lines

function answer(call) {
  try {
    if (!(call.call in CALLS)) throw new NotCovered(call.call);
    return CALLS[call.call](call);
  } catch (error) {
    if (error instanceof NotAllowed) return { answer: 'refused', reason: error.message };
    if (error instanceof NotCovered) return { answer: 'unsupported', what: error.message };
    return { answer: 'failed', message: String(error.stack) };
  }
}

/** Numbers from 0 up to 1 that look random: a linear congruential generator. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, calls } = JSON.parse(line);
  // Each answer is written down at once: the next call may change what it shows.
  const answers = calls.map((call) => JSON.stringify(answer(call)));
  process.stdout.write(`{"id":${id},"answers":[${answers}]}\n`);
}
