/**
 * A few rules of Dune: Imperium – Uprising, for three or four players without Leaders: the dealing, Agent turns
 * to four spaces with five of the starting cards, Reveal turns, and rounds in which nobody fights.
 *
 * @typedef {{effect: string, source: string, copy: number}} Due an effect that has to be resolved
 * @typedef {{kind: string, player?: number, outcome?: string}} Came something that chance brought
 * @typedef {Object} Player
 * @property {number} spice
 * @property {number} water
 * @property {number} persuasion
 * @property {number} swords
 * @property {number} points
 * @property {Record<string, number>} influence
 * @property {number} supply
 * @property {number} garrison
 * @property {number} agents those not on the board
 * @property {boolean} revealed
 * @property {string} objective
 * @property {string} icon of the Objective
 * @property {string[]} hand
 * @property {string[]} deck the top is the last
 * @property {string[]} discard
 * @property {string[]} inPlay
 */
import { readFileSync } from 'node:fs';

/** @type {{imperium: string[], conflicts: string[][], objectives: Record<string, {icon: string, players: number[]}>}} */
const CARDS = JSON.parse(readFileSync(new URL('cards.json', import.meta.url), 'utf8'));

const FACTIONS = ['emperor', 'spacing_guild', 'bene_gesserit', 'fremen'];

/** The starting cards: how many a player has, the icons that open spaces, and what they give when revealed. */
const STARTING = {
  convincing_argument: { copies: 2, opens: [], reveal: 'gain 2 persuasion' },
  dagger: { copies: 2, opens: ['landsraad'], reveal: '+1 sword' },
  diplomacy: { copies: 1, opens: FACTIONS, reveal: 'gain 1 persuasion' },
  dune_the_desert_planet: { copies: 2, opens: ['spice_trade'], reveal: 'gain 1 persuasion' },
  reconnaissance: { copies: 1, opens: ['city'], reveal: 'gain 1 persuasion' },
  seek_allies: { copies: 1, opens: FACTIONS, reveal: null, box: true },
  signet_ring: { copies: 1, opens: ['landsraad', 'city', 'spice_trade'], reveal: 'gain 1 persuasion', box: true },
};

/** The spaces that we know, with the icon that opens them. */
const SPACES = {
  deliver_supplies: { icon: 'spacing_guild', effects: ['gain 1 influence spacing_guild', 'gain 1 water'] },
  fremkit: { icon: 'fremen', effects: ['gain 1 influence fremen', 'draw 1 card'] },
  arrakeen: { icon: 'city', effects: ['recruit 1 troop', 'draw 1 card'] },
  imperial_basin: { icon: 'spice_trade', effects: ['gain 1 spice', 'gain bonus_spice'] },
};

/** Something that these few rules do not cover; nothing has changed. */
export class NotCovered extends Error {}

/** Something that the rules forbid; nothing has changed. */
export class NotAllowed extends Error {}

export class Game {
  /**
   * @param {number} count how many play
   * @param {() => number} random a number from 0 up to 1, as Math.random gives it
   */
  constructor(count, random) {
    this.random = random;
    /** @type {Player[]} */
    this.players = Array.from({ length: count }, () => this.newPlayer(count));
    this.round = 0;
    this.first = 0;
    this.turn = 0;
    /** @type {'agent' | 'reveal' | null} */
    this.kind = null;
    /** @type {Due[]} */
    this.due = [];
    /** @type {{space: string, seat: number}[]} */
    this.agents = [];
    this.makers = { deep_desert: 0, hagga_basin: 0, imperial_basin: 0 };
    /** @type {Came[]} */
    this.came = [];
    this.deal();
    this.startRound();
  }

  /** @param {number} count @returns {Player} */
  newPlayer(count) {
    const cards = Object.entries(STARTING).flatMap(([card, { copies }]) => Array(copies).fill(card));
    return {
      spice: 0, water: 1, persuasion: 0, swords: 0, points: count === 4 ? 1 : 0,
      influence: Object.fromEntries(FACTIONS.map((faction) => [faction, 0])),
      supply: 9, garrison: 3, agents: 2, revealed: false, objective: '', icon: '',
      hand: [], deck: this.shuffled(cards), discard: [], inPlay: [],
    };
  }

  /** Everyone gets an Objective, which says who is first; five cards come into the Row. */
  deal() {
    const all = Object.entries(CARDS.objectives).filter(([, { players }]) => players.includes(this.players.length));
    const objectives = this.shuffled(all);
    this.players.forEach((player, seat) => {
      const [card, { icon }] = objectives.pop();
      [player.objective, player.icon] = [card, icon];
      if (card.endsWith('first_player')) this.first = seat;
      this.came.push({ kind: 'objective', player: seat, outcome: card });
    });
    this.row = this.shuffled(CARDS.imperium).slice(0, 5);
    this.row.forEach((card) => this.came.push({ kind: 'row', outcome: card }));
    const [one, two, three] = CARDS.conflicts.map((level) => this.shuffled(level));
    this.conflicts = [one[0], ...two.slice(0, 5), ...three.slice(0, 4)];
  }

  /** A new Conflict, and five cards for everyone. */
  startRound() {
    this.round += 1;
    this.conflict = this.conflicts.shift();
    this.came.push({ kind: 'conflict', outcome: this.conflict });
    for (const seat of this.clockwise(this.first)) {
      this.players[seat].revealed = false;
      this.draw(seat, 5);
    }
    this.turn = this.first;
  }

  /** @param {number} from @returns {number[]} all seats, this one first */
  clockwise(from) {
    return this.players.map((_, place) => (from + place) % this.players.length);
  }

  /** @param {number} seat @param {number} count */
  draw(seat, count) {
    const player = this.players[seat];
    for (let drawn = 0; drawn < count; drawn += 1) {
      if (player.deck.length === 0) {
        player.deck = this.shuffled(player.discard.splice(0));
        this.came.push({ kind: 'shuffle', player: seat });
      }
      player.hand.push(player.deck.pop());
      this.came.push({ kind: 'draw', player: seat, outcome: player.hand.at(-1) });
    }
  }

  /** @template T @param {T[]} cards @returns {T[]} */
  shuffled(cards) {
    const deck = [...cards];
    for (let last = deck.length - 1; last > 0; last -= 1) {
      const other = Math.floor(this.random() * (last + 1));
      [deck[last], deck[other]] = [deck[other], deck[last]];
    }
    return deck;
  }

  // What players decide

  /** @param {string} card @param {string} space */
  playAgent(card, space) {
    const player = this.players[this.turn];
    if (this.kind !== null) throw new NotAllowed('a turn is in progress');
    if (!player.hand.includes(card)) throw new NotAllowed('it is not in the hand');
    if (player.agents === 0) throw new NotAllowed('no Agent is left');
    if (!(space in SPACES) || STARTING[card].box) throw new NotCovered(`${card} to ${space}`);
    if (!STARTING[card].opens.includes(SPACES[space].icon)) throw new NotAllowed('its icons do not open the space');
    if (this.agents.some((at) => at.space === space)) throw new NotAllowed('an Agent is there');
    this.move(card, player.hand, player.inPlay);
    player.agents -= 1;
    this.agents.push({ space, seat: this.turn });
    this.kind = 'agent';
    this.due = SPACES[space].effects.map((effect) => ({ effect, source: space, copy: 0 }));
  }

  reveal() {
    const player = this.players[this.turn];
    if (this.kind !== null) throw new NotAllowed('a turn is in progress');
    const shown = player.hand.splice(0);
    player.inPlay.push(...shown);
    player.revealed = true;
    this.kind = 'reveal';
    this.due = shown.flatMap((card, place) => {
      const copy = shown.slice(0, place).filter((other) => other === card).length;
      return STARTING[card].reveal ? [{ effect: STARTING[card].reveal, source: card, copy }] : [];
    });
  }

  /** @param {string} effect @param {string} source @param {number} copy */
  resolve(effect, source, copy) {
    const place = this.due.findIndex((one) => one.effect === effect && one.source === source && one.copy === copy);
    if (place < 0 || !this.isPossible(effect)) throw new NotAllowed('this is not due');
    const player = this.players[this.turn];
    const [, amount, what, faction] = effect.split(' ');
    if (what === 'influence' && player.influence[faction] === 3) throw new NotCovered('Alliances');
    this.due.splice(place, 1);
    if (amount === 'bonus_spice') {
      player.spice += this.makers.imperial_basin;
      this.makers.imperial_basin = 0;
    } else if (what === 'influence') this.gainInfluence(player, faction);
    else if (what === 'card') this.draw(this.turn, 1);
    else if (what === 'troop') [player.supply, player.garrison] = [player.supply - 1, player.garrison + 1];
    else if (effect === '+1 sword') player.swords += 1;
    else player[what] += Number(amount);
  }

  /** @param {string} effect */
  isPossible(effect) {
    return effect !== 'recruit 1 troop' || this.players[this.turn].supply > 0;
  }

  /**
   * The second step on a track is worth a point.
   * @param {Player} player @param {string} faction
   */
  gainInfluence(player, faction) {
    player.influence[faction] += 1;
    if (player.influence[faction] === 2) player.points += 1;
  }

  endTurn() {
    if (this.kind === null) throw new NotAllowed('send an Agent or reveal');
    if (this.due.some(({ effect }) => this.isPossible(effect))) throw new NotAllowed('effects are due');
    const next = this.clockwise((this.turn + 1) % this.players.length).find((seat) => !this.players[seat].revealed);
    if (next === undefined && this.conflicts.length === 0) throw new NotCovered('the end of the game');
    const player = this.players[this.turn];
    if (this.kind === 'reveal') {
      player.discard.push(...player.inPlay.splice(0));
      player.persuasion = 0;
    }
    [this.kind, this.due] = [null, []];
    if (next === undefined) this.endRound();
    else this.turn = next;
  }

  /** Nobody has units in the Conflict, so nobody wins; Makers, Recall and the next round follow. */
  endRound() {
    for (const space of Object.keys(this.makers)) {
      if (!this.agents.some((at) => at.space === space)) this.makers[space] += 1;
    }
    this.agents = [];
    for (const player of this.players) [player.agents, player.swords] = [2, 0];
    this.first = (this.first + 1) % this.players.length;
    this.startRound();
  }

  /** @param {string} card @param {string[]} from @param {string[]} to */
  move(card, from, to) {
    to.push(...from.splice(from.indexOf(card), 1));
  }
}
