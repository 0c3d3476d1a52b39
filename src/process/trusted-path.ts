// Where system programs are looked for. Never taken from the environment of the daemon.

/** Where the programs of shim and confinement are found; the daemon's environment has no influence on it. */
export const trustedPath = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin:/run/current-system/sw/bin';
