// `signalbox login` and `logout`: the credentials that each kind of agent needs, whether they exist, and a place to keep them.
// The secret is read from stdin or from a prompt without echo; it is never an argument and never printed.

import { Fault } from '../../../std/fault.ts';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { credentialWords, type LoginCheck, type Logins } from '../../../wire/login-state.ts';
import { type LoginView, loginList } from '../../../wire/status-views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { canAsk, readAll, readHidden } from '../../terminal/secret-input.ts';

export interface LoginOptions {
  readonly tokenStdin?: boolean;
  readonly check?: boolean;
  readonly json?: boolean;
}

export const login: Verb<LoginOptions> = async (context, [given], options) => {
  const logins = await context.lent.logins();
  if (given === undefined) {
    if (options.tokenStdin === true || options.check === true) throw which(logins);
    return tellAll(context, logins, options.json === true);
  }
  const harness = known(logins, given);
  if (options.check === true) return check(context, logins, harness, options.json === true);
  const secret = await secretFor(context, logins, harness, options);
  if (secret !== null) {
    const stored = await logins.store(harness, secret);
    context.terminal.note(`${credentialWords(stored, logins.path(harness), '')}, which only you can read.`);
  }
  return tell(context, logins, harness, options.json === true);
};

export const logout: Verb<object> = async (context, [given = '']) => {
  const logins = await context.lent.logins();
  const harness = known(logins, given);
  const { title } = logins.view(harness);
  const removed = logins.remove(harness);
  await context.terminal.print(
    removed
      ? `The stored credential of ${title} is removed. Agents at work keep what they were started with.\n`
      : `No credential of ${title} was stored.\n`,
  );
  const { view, where } = await effective(context, logins, harness);
  if (view.credential !== null) context.terminal.note(`${credentialWords(view, logins.path(harness), where)}.`);
  return exits.ok;
};

/** null: nothing to store. */
async function secretFor(
  { terminal }: Context,
  logins: Logins,
  harness: string,
  { tokenStdin, json }: LoginOptions,
): Promise<string | null> {
  if (tokenStdin === true) return readAll();
  if (json === true || !canAsk()) return null;
  for (const line of logins.how(harness)) terminal.note(line);
  const secret = await readHidden('Paste the key or token; nothing is shown. Enter alone changes nothing: ');
  return secret === '' ? null : secret;
}

/** The credentials of agents started from now on: from the running daemon, else from this environment. */
async function effective({ client }: Context, logins: Logins, harness: string) {
  // A daemon older than this program does not answer this.
  const told = await client.getIfUp('/logins', loginList).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'not_found') return null;
    throw error;
  });
  const view = told?.logins.find((each) => each.harness === harness);
  if (view !== undefined) return { view, where: 'the running daemon', isDaemon: true };
  return { view: logins.view(harness), where: 'this terminal', isDaemon: false };
}

async function tell(context: Context, logins: Logins, harness: string, json: boolean): Promise<number> {
  const { terminal } = context;
  const { view, where, isDaemon } = await effective(context, logins, harness);
  if (json) await terminal.print(`${shownJson(view)}\n`);
  else await terminal.print(`${plainLine(credentialWords(view, logins.path(harness), where))}.\n`);
  for (const line of advice(view, logins.view(harness), isDaemon, logins.how(harness))) terminal.note(plainLine(line));
  return view.credential === null ? exits.failed : exits.ok;
}

/** What to do if it is not as a person would expect. `here`: the credentials of a daemon started from this terminal. */
function advice(view: LoginView, here: LoginView, isDaemon: boolean, how: readonly string[]): readonly string[] {
  const own = here.credential;
  const again = '`signalbox down`, and the next command starts one from here; agents continue meanwhile.';
  if (view.credential === null && view.flaw === null) {
    if (isDaemon && own?.source === 'environment') {
      return [`${own.variable} is set here, but the daemon was started without it: ${again}`];
    }
    return [
      ...how,
      `Then: signalbox login ${view.harness} (or --token-stdin, or set a variable before the daemon starts).`,
    ];
  }
  if (isDaemon && view.credential?.source === 'environment' && own?.variable !== view.credential.variable) {
    return [`The environment wins over what is stored, and this terminal has no ${view.credential.variable}: ${again}`];
  }
  return [];
}

async function tellAll(context: Context, logins: Logins, json: boolean): Promise<number> {
  const all = await Promise.all(logins.harnesses.map((harness) => effective(context, logins, harness)));
  if (json) {
    await context.terminal.print(`${shownJson({ logins: all.map(({ view }) => view) })}\n`);
    return exits.ok;
  }
  for (const { view, where } of all) {
    await context.terminal.print(`${plainLine(credentialWords(view, logins.path(view.harness), where))}.\n`);
  }
  await context.terminal.print('The scripted agent and --harness command need none.\n');
  return exits.ok;
}

async function check({ terminal }: Context, logins: Logins, harness: string, json: boolean): Promise<number> {
  const outcome = await logins.check(harness);
  const { title } = logins.view(harness);
  if (json) await terminal.print(`${shownJson({ harness, ...outcome })}\n`);
  else await terminal.print(`${plainLine(checkWords(outcome, title, harness))}\n`);
  return outcome.kind === 'none' || outcome.kind === 'refused' ? exits.failed : exits.ok;
}

function checkWords(outcome: LoginCheck, title: string, harness: string): string {
  switch (outcome.kind) {
    case 'none':
      return `${title} has no credential: signalbox login ${harness} says what to do.`;
    case 'taken':
      return `${title} would use it (as ${outcome.by}). Whether it is let in was not verified: that takes a request to a model.`;
    case 'refused':
      return `${title} does not take it: it says that nobody is logged in.`;
    case 'unasked':
      return `It is there, and was not verified: ${outcome.why}.`;
  }
}

function known(logins: Logins, word: string): string {
  if (logins.harnesses.includes(word)) return word;
  if (word === 'scripted' || word === 'command') throw new Fault('bad_request', `"${word}" needs no credential`);
  throw new Fault(
    'bad_request',
    `there is no harness "${word}" that needs one; there is: ${logins.harnesses.join(', ')}`,
  );
}

function which({ harnesses }: Logins): Fault {
  return new Fault('bad_request', `say whose credential: signalbox login ${harnesses.join('|')}`);
}
