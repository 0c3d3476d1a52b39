// The object of a commit with a signature of ours in it, made by hand.

import type { Signing } from '../src/git/signing/signing-key.ts';

export function signedObject(text: string, signing: Signing): Buffer {
  signing.open();
  const name = /^tree [0-9a-f]{64}\n/.test(text) ? 'gpgsig-sha256' : 'gpgsig';
  const end = text.indexOf('\n\n') + 1;
  const signature = signing.sign(text).trimEnd().replaceAll('\n', '\n ');
  return Buffer.from(`${text.slice(0, end)}${name} ${signature}\n${text.slice(end)}`);
}
