// Calls a service with TLS: node secured.ts HOST:PORT CA CERTIFICATE KEY TOKEN

import { readFileSync } from 'node:fs';

import { Client, ServiceError } from './truthsayer.ts';

const [address, ca, certificate, key, token] = process.argv.slice(2);
const read = (name: string) => (name ? readFileSync(name) : undefined);
const access = { ca: read(ca), certificate: read(certificate), key: read(key), token };
const client = new Client(address, access);

for (const id of ['UPR-WALL-003', 'UPR-WALL-03']) {
  try {
    console.log((await client.getRule(id)).rule?.title);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    console.log([error.status, error.code, error.help].join(' '));
  }
}
