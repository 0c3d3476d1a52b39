// Where system programs are looked for. Never taken from the environment of the daemon.

/** Where the programs of shim and confinement are found; nothing of the daemon's own environment gets there. */
export const trustedPath = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin:/run/current-system/sw/bin';
