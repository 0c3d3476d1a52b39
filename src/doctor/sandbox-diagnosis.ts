// Findings about the sandbox: whether it works, and each mechanism it is made of.

import { describeSandbox, probeSandbox, type SandboxOptions } from '../sandbox/sandbox.ts';
import type { Mechanism } from './finding.ts';

export async function sandboxMechanisms(
  confine: 'auto' | 'none',
  options: SandboxOptions,
): Promise<readonly Mechanism[]> {
  const common = {
    name: 'sandbox',
    without: 'Agents run with all your rights, read your files and reach your sockets; they ask before they act.',
  };
  if (confine === 'none') {
    return [{ ...common, works: false, says: 'SIGNALBOX_CONFINE is none.', mend: 'Unset SIGNALBOX_CONFINE.' }];
  }
  const probed = await probeSandbox(options);
  if (!probed.works) {
    return [{ ...common, works: false, says: `It does not work: ${probed.why}.`, mend: howToFix(probed.why) }];
  }
  const { user, closed } = probed.means;
  return [
    { ...common, works: true, says: describeSandbox(probed), mend: null },
    {
      name: 'sandbox-user',
      works: user,
      says: user ? 'Agents have a user namespace of their own.' : 'User namespaces cannot be made here.',
      without: "In the sandbox agents keep root's number: what root owns and shows on a visible path they can read.",
      mend: user
        ? null
        : 'Run Signalbox as a normal user, or allow user namespaces (`sysctl user.max_user_namespaces`).',
    },
    {
      name: 'sandbox-closed',
      works: closed,
      says: closed
        ? 'Agents cannot make namespaces themselves.'
        : 'bubblewrap cannot keep agents from making namespaces.',
      without: 'Agents reach more of the kernel, and of its holes, than they need.',
      mend: closed ? null : 'Install bubblewrap 0.8 or newer.',
    },
  ];
}

/** How to get bubblewrap to work, from what it says when it does not. */
export function howToFix(why: string): string {
  if (process.platform !== 'linux') return 'Nothing: there is no bubblewrap for this system. A Linux machine has one.';
  if (why.includes('not installed')) return 'Install bubblewrap: `apt install bubblewrap` or `dnf install bubblewrap`.';
  if (why.includes('fresh /proc')) {
    return 'In a container: let it mount /proc, as with `docker run --security-opt systempaths=unconfined`.';
  }
  return (
    'Allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000`, on Ubuntu also ' +
    '`kernel.apparmor_restrict_unprivileged_userns=0`; in a container run it with `--security-opt seccomp=unconfined`.'
  );
}
