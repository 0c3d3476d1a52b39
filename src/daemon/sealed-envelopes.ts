// A sealed event as a file that other programs can check: what was sealed, the seal as OpenSSH writes signatures, and the key
// that it is by. What does not fit is never given out.

import type { KeyObject } from 'node:crypto';
import { usualIdentity } from '../git/commands/create-commit.ts';
import type { Signing } from '../git/signing/signing-key.ts';
import { armouredSeal, publicLine, sealFits } from '../git/signing/ssh-signature.ts';
import type { Served } from '../server/routes/route-context.ts';
import { isFault } from '../std/fault.ts';
import { sealedText, sealOf } from '../store/sealed-text.ts';

export function createEnvelopes(signing: Pick<Signing, 'publicKey'>): Served['envelope'] {
  return (event) => {
    const seal = sealOf(event);
    const key = seal === null ? null : usableKey(signing);
    if (seal === null || key === null) return null;
    const sealed = sealedText(event);
    if (!sealFits(key, sealed, seal)) return null;
    return { sealed, signature: armouredSeal(key, seal), publicKey: publicLine(key, usualIdentity.email) };
  };
}

function usableKey(signing: Pick<Signing, 'publicKey'>): KeyObject | null {
  try {
    return signing.publicKey();
  } catch (error) {
    if (isFault(error, 'key_unusable')) return null;
    throw error;
  }
}
