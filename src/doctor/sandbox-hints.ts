// How people get bubblewrap to work, from what it says when it does not.

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
