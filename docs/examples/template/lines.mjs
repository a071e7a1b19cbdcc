// lines.mjs
/**
 * The conformance kit's protocol over lines of JSON: a batch of calls comes as a line and is answered by a line.
 * Nothing in this file is about your client. Import it first: what your client prints from then on goes to the
 * error output, because answers alone belong on the standard output.
 */
import { createInterface } from 'node:readline';

const say = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

/** Throw this where your client does not allow an input. */
export class Refused extends Error {}

/** Throw this where your client, or your adapter so far, cannot do something. */
export class Unsupported extends Error {}

/** Answer every line, with a function for each call that you can take. */
export async function serve(calls) {
  for await (const line of createInterface({ input: process.stdin })) {
    const batch = JSON.parse(line);
    // Each answer is written down at once: the next call may change what it shows.
    const answers = batch.calls.map((call) => JSON.stringify(answered(calls, call)));
    say(`{"id":${batch.id},"answers":[${answers}]}\n`);
  }
}

function answered(calls, call) {
  try {
    if (!(call.call in calls)) throw new Unsupported(call.call);
    return calls[call.call](call);
  } catch (error) {
    if (error instanceof Refused) return { answer: 'refused', reason: error.message };
    if (error instanceof Unsupported) return { answer: 'unsupported', what: error.message };
    return { answer: 'failed', message: String(error.stack) };
  }
}
