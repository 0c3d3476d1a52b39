// Findings about the sandbox: whether it works, and each mechanism it is made of.

import { describeSandbox, probeSandbox, type SandboxOptions } from '../sandbox/sandbox.ts';
import type { Mechanism } from './finding.ts';

export async function sandboxMechanisms(
  confine: 'auto' | 'none',
  options: SandboxOptions,
): Promise<readonly Mechanism[]> {
  const common = {
    name: 'sandbox',
    without:
      'Agents run with all your rights, can read your files and reach your sockets; they ask before every action.',
  };
  if (confine === 'none') {
    return [{ ...common, works: false, says: 'Disabled by SIGNALBOX_CONFINE=none.', fix: 'Unset SIGNALBOX_CONFINE.' }];
  }
  const probed = await probeSandbox(options);
  if (!probed.works) {
    return [{ ...common, works: false, says: `The sandbox does not work: ${probed.why}.`, fix: howToFix(probed.why) }];
  }
  const { user, closed } = probed.means;
  return [
    { ...common, works: true, says: describeSandbox(probed), fix: null },
    {
      name: 'sandbox-user',
      works: user,
      says: user ? 'Agents have their own user namespace.' : 'User namespaces cannot be created here.',
      without: 'In the sandbox agents keep the uid of root: they can read visible files that belong to root.',
      fix: user
        ? null
        : 'Run Signalbox as a normal user, or allow user namespaces (`sysctl user.max_user_namespaces`).',
    },
    {
      name: 'sandbox-closed',
      works: closed,
      says: closed
        ? 'Agents cannot create namespaces.'
        : 'This bubblewrap cannot keep agents from creating namespaces.',
      without: 'Agents can reach more of the kernel than they need.',
      fix: closed ? null : 'Install bubblewrap 0.8 or newer.',
    },
  ];
}

/** How to get bubblewrap to work, from what it says when it does not. */
export function howToFix(why: string): string {
  if (process.platform !== 'linux') return 'There is no bubblewrap for this system; use a Linux machine.';
  if (why.includes('not installed')) return 'Install bubblewrap: `apt install bubblewrap` or `dnf install bubblewrap`.';
  if (why.includes('fresh /proc')) {
    return 'In a container, allow mounting /proc, for example with `docker run --security-opt systempaths=unconfined`.';
  }
  return (
    'Allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000`; on Ubuntu also ' +
    '`kernel.apparmor_restrict_unprivileged_userns=0`; in a container use `--security-opt seccomp=unconfined`.'
  );
}
