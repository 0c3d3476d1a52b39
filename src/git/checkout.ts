// A fresh clone that borrows its objects from our bare repository, at one commit. It has the tags but no remote, so
// there is nothing to push to. git runs in it only here, before anyone else may write to it.

import { git } from './git.ts';

export interface CheckoutOrder {
  readonly bare: string;
  /** Must not exist yet. */
  readonly path: string;
  readonly commit: string;
  /** null: detached. */
  readonly branch: string | null;
  readonly config: Readonly<Record<string, string>>;
}

export async function checkOut(order: CheckoutOrder, signal: AbortSignal): Promise<void> {
  const settings = Object.entries(order.config).flatMap(([key, value]) => ['--config', `${key}=${value}`]);
  const clone = ['clone', '--quiet', '--shared', '--no-checkout', '--template=', '--origin', 'signalbox', ...settings];
  await git([...clone, '--', order.bare, order.path], { signal });
  const cwd = order.path;
  await git(['remote', 'remove', 'signalbox'], { cwd, signal });
  const onto = order.branch === null ? ['--detach'] : ['--no-track', '-b', order.branch];
  await git(['checkout', '--quiet', ...onto, order.commit, '--'], { cwd, signal });
}
