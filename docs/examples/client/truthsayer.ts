// A client of Truthsayer's service: promises, async iteration, and errors with their codes.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import * as grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

// Made from the contract by `npm run types`; node does not need them, the type checker does.
import type { ProtoGrpcType as RulesFile } from './types/rules';
import type { ProtoGrpcType as ScenarioFile } from './types/scenario';
import type { ProtoGrpcType as SessionFile } from './types/session';
import type { ProtoGrpcType as StatusFile } from './types/status';
import type { CreateSessionResponse__Output as Created } from './types/truthsayer/v1/CreateSessionResponse';
import type { CheckResponse__Output as Checked } from './types/truthsayer/v1/CheckResponse';
import type { GetRuleResponse__Output as FoundRule } from './types/truthsayer/v1/GetRuleResponse';
import type { GetSessionResponse__Output as Standing } from './types/truthsayer/v1/GetSessionResponse';
import type { ListSessionActionsResponse__Output as Listed } from './types/truthsayer/v1/ListSessionActionsResponse';
import type { NewGameRequest as Setup } from './types/truthsayer/v1/NewGameRequest';
import type { Problem__Output as Problem } from './types/truthsayer/v1/Problem';
import type { RuleServiceClient } from './types/truthsayer/v1/RuleService';
import type { ScenarioServiceClient } from './types/truthsayer/v1/ScenarioService';
import type { SendInputResponse__Output as Sent } from './types/truthsayer/v1/SendInputResponse';
import type { SessionServiceClient } from './types/truthsayer/v1/SessionService';
import type { SubscribeResponse__Output as Update } from './types/truthsayer/v1/SubscribeResponse';
import type { UndoResponse__Output as Undone } from './types/truthsayer/v1/UndoResponse';

const folder = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const loaded = loadSync(
  [
    'truthsayer/v1/rules.proto',
    'truthsayer/v1/scenario.proto',
    'truthsayer/v1/session.proto',
    'status.proto',
  ],
  {
    includeDirs: [folder('../../../proto'), folder('.')],
    longs: Number,
    enums: String,
    defaults: true,
    oneofs: true,
  },
);
const { truthsayer, google } = grpc.loadPackageDefinition(loaded) as unknown as RulesFile &
  ScenarioFile &
  SessionFile &
  StatusFile;
const api = truthsayer.v1;

// Errors

/** Whatever goes wrong: the name of the gRPC status, and what the service says about it. */
export class ServiceError extends Error {
  readonly status: string;
  readonly code: string;
  readonly help: string;
  readonly rules: string[];

  constructor(status: string, problem: Partial<Problem>) {
    super(problem.message);
    this.status = status;
    this.code = problem.code ?? '';
    this.help = problem.help ?? '';
    this.rules = (problem.rules ?? []).map((rule) => rule.id);
  }
}

/** Whether the service was away, or went away; its own errors all have a code. */
const isAway = (error: unknown) =>
  error instanceof ServiceError &&
  (error.status === 'UNAVAILABLE' || (error.status === 'INTERNAL' && !error.code));

function told(error: grpc.ServiceError): ServiceError {
  const [packed] = error.metadata?.get('grpc-status-details-bin') ?? [];
  const details = packed ? google.rpc.Status.deserialize(packed as Buffer).details : [];
  const [detail] = details as unknown as { value: Buffer }[];
  const problem = detail ? api.Problem.deserialize(detail.value) : { message: error.details };
  return new ServiceError(grpc.status[error.code], problem);
}

// Calls

type Done<Answer> = (error: grpc.ServiceError | null, answer?: Answer) => void;

function one<Answer>(call: (done: Done<Answer>) => void): Promise<Answer> {
  return new Promise((resolve, reject) =>
    call((error, answer) => (error ? reject(told(error)) : resolve(answer as Answer))),
  );
}

async function* many<Answer>(answers: grpc.ClientReadableStream<Answer>) {
  answers.on('error', () => {}); // what is raised below; one that comes after the end is no matter
  try {
    for await (const answer of answers) yield answer as Answer;
  } catch (error) {
    throw told(error as grpc.ServiceError);
  } finally {
    answers.cancel();
  }
}

/** Repeated if the service is away for a moment: all of them only look, or have a key. */
const REPEATED = [
  { service: 'truthsayer.v1.RuleService' },
  { service: 'truthsayer.v1.ScenarioService' },
  ...['CreateSession', 'GetSession', 'ListSessionActions', 'SendInput', 'Undo', 'Subscribe'].map(
    (method) => ({ service: 'truthsayer.v1.SessionService', method }),
  ),
];
const RETRY = {
  maxAttempts: 5,
  initialBackoff: '0.1s',
  maxBackoff: '1s',
  backoffMultiplier: 2,
  retryableStatusCodes: ['UNAVAILABLE', 'INTERNAL'], // the latter is what a broken connection may be
};
const OPTIONS: grpc.ClientOptions = {
  'grpc.service_config': JSON.stringify({
    methodConfig: [{ name: REPEATED, retryPolicy: RETRY }],
  }),
};

/** Says in every call who calls. */
const bearing =
  (token: string): grpc.Interceptor =>
  (options, next) =>
    new grpc.InterceptingCall(next(options), {
      start(metadata, listener, start) {
        metadata.set('authorization', `Bearer ${token}`);
        start(metadata, listener);
      },
    });

/** How to reach a service that is not on one's own machine; certificates and keys are PEM. */
export type Access = {
  /** The authority that signed the service's certificate: the connection is encrypted. */
  ca?: Buffer;
  /** The caller's own certificate and key, where the service asks for one. */
  certificate?: Buffer;
  key?: Buffer;
  /** The token for everything but sessions, which have their own. */
  token?: string;
};

/** The service at an address. */
export class Client {
  readonly #address: string;
  readonly #credentials: grpc.ChannelCredentials;
  readonly #rules: RuleServiceClient;
  readonly #scenarios: ScenarioServiceClient;
  readonly #sessions: SessionServiceClient;

  constructor(address: string, { ca, certificate, key, token }: Access = {}) {
    this.#address = address;
    this.#credentials = ca
      ? grpc.credentials.createSsl(ca, key, certificate)
      : grpc.credentials.createInsecure();
    const options = token ? { ...OPTIONS, interceptors: [bearing(token)] } : OPTIONS;
    this.#rules = new api.RuleService(address, this.#credentials, options);
    this.#scenarios = new api.ScenarioService(address, this.#credentials, options);
    this.#sessions = new api.SessionService(address, this.#credentials, options);
  }

  getRule(id: string): Promise<FoundRule> {
    return one((done) => this.#rules.getRule({ id }, done));
  }

  check(name: string, text: string): AsyncGenerator<Checked> {
    return many<Checked>(this.#scenarios.check({ files: [{ name, text }] }));
  }

  createSession(setup: Setup): Promise<Created> {
    const request = { setup, idempotencyKey: randomUUID() };
    return one((done) => this.#sessions.createSession(request, done));
  }

  /** A session for the seat, or the observer, whose token it is. */
  session(id: string, token: string): Session {
    const options = { ...OPTIONS, interceptors: [bearing(token)] };
    return new Session(id, new api.SessionService(this.#address, this.#credentials, options));
  }
}

// Sessions

export type Input = { action: string; by: number };

const PAUSES = [100, 200, 400, 800, 1600, 3200, 6400];

/** One session, for one seat or an observer. It remembers the revision that was last seen. */
export class Session {
  readonly id: string;
  revision = 0;
  readonly #service: SessionServiceClient;

  constructor(id: string, service: SessionServiceClient) {
    this.id = id;
    this.#service = service;
  }

  async get(): Promise<Standing> {
    const request = { session: this.id };
    const found = await one<Standing>((done) => this.#service.getSession(request, done));
    this.revision = found.revision;
    return found;
  }

  /** What is allowed to the caller now. */
  async actions(): Promise<Input[]> {
    const request = { session: this.id };
    const found = await one<Listed>((done) => this.#service.listSessionActions(request, done));
    this.revision = found.revision;
    return found.inputs.map((input) => JSON.parse(input));
  }

  /** Gives an input, made for the revision last seen. */
  async send(input: Input): Promise<Sent> {
    const request = {
      session: this.id,
      revision: this.revision,
      input: JSON.stringify(input),
      idempotencyKey: randomUUID(),
    };
    const answer = await one<Sent>((done) => this.#service.sendInput(request, done));
    this.revision = answer.taken?.revision ?? this.revision;
    return answer;
  }

  /** Takes the caller's own last inputs back. */
  async undo(returnTo: number): Promise<Undone> {
    const idempotencyKey = randomUUID();
    const request = { session: this.id, revision: this.revision, returnTo, idempotencyKey };
    const answer = await one<Undone>((done) => this.#service.undo(request, done));
    this.revision = answer.revision;
    return answer;
  }

  /** What happened after a revision, and whatever happens; a lost connection is made anew. */
  async *updates(after = 0): AsyncGenerator<Update> {
    for (let failures = 0; ; failures += 1) {
      try {
        for await (const update of many(this.#service.subscribe({ session: this.id, after }))) {
          [after, failures] = [update.revision, 0];
          yield update;
        }
      } catch (error) {
        if (!isAway(error) || failures >= PAUSES.length) throw error;
      }
      await sleep(PAUSES[Math.min(failures, PAUSES.length - 1)]);
    }
  }
}
