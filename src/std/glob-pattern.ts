// Globs over paths and commands, as regular expressions. `*` and `?` are wild; in a path `*` stops at a slash and `**` does not.

export interface Wild {
  /** What `*` stands for. */
  readonly star: string;
  /** What `**` stands for. */
  readonly globstar: string;
  readonly one: string;
}

export const pathWild: Wild = { star: '[^/]*', globstar: '.*', one: '[^/]' };

export function globPattern(glob: string, wild: Wild): RegExp {
  let source = '';
  for (let i = 0; i < glob.length; i += 1) {
    if (glob.startsWith('**/', i)) {
      // Also no directory at all.
      source += `(?:${wild.globstar}/)?`;
      i += 2;
    } else if (glob.startsWith('**', i)) {
      source += wild.globstar;
      i += 1;
    } else if (glob[i] === '*') source += wild.star;
    else if (glob[i] === '?') source += wild.one;
    else source += (glob[i] ?? '').replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  }
  return new RegExp(`^${source}$`, 's');
}
