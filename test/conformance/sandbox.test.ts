// Every way of confining an agent against the one suite. Where this machine has no bubblewrap, only what needs none is tested.

import { namespaceConfine, plainConfine, probeNamespace } from '../../src/process/confine.ts';
import { sandboxConformance } from './sandbox.ts';
import { hasSandbox, openConfinedWorld, openSandboxWorld } from './sandbox-world.ts';

sandboxConformance('process group', {
  open: () => openConfinedWorld(plainConfine),
  promises: [],
  network: 'host',
});

if ((await probeNamespace()).works) {
  sandboxConformance('pid namespace', {
    open: () => openConfinedWorld(namespaceConfine),
    promises: ['launches', 'processes'],
    network: 'host',
  });
}

if (hasSandbox) {
  sandboxConformance('workspace', {
    open: () => openSandboxWorld(),
    promises: ['launches', 'processes', 'files', 'privileges', 'kernel'],
    network: 'host',
  });
}
