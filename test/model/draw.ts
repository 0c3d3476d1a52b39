// What dispatch would do next with the run of a story, on a host with room for all.

import type { Command } from '../../src/model/core/command.ts';
import { emptyHost } from '../../src/model/host/host.ts';
import { pickNext } from './pick-next.ts';
import type { Story } from './story.ts';

export function pickOf({ run, now }: Story): Command | null {
  const host = { ...emptyHost(), slots: 100 };
  return pickNext(host, [run], now, 'h')?.command ?? null;
}
