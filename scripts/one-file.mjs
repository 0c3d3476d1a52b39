// What is done to a program that was bundled into one CommonJS file, so that starting it costs little.
import { createHash } from 'node:crypto';

/** Node has loaded these before any program begins. */
const alwaysLoaded = new Set(['buffer', 'events', 'fs', 'module', 'path', 'process', 'timers', 'url', 'util']);

/**
 * Modules of Node and packages are loaded when they are first used: in one file every command would wait for those of all.
 * Only where nothing but members of a module is read, which is how a bundler reads what was imported by name.
 */
export function loadWhenUsed(given) {
  const code = given.replace(/^\/\/#region [^]*?^\/\/#endregion$/gm, loadWithinPackage);
  const getters = [];
  const changed = [...code.matchAll(/^let ([\w$]+) = require\("([^"]+)"\);\n/gm)].reduce(
    (text, [line, name, module]) => {
      if (alwaysLoaded.has(module.replace(/^node:/, ''))) return text;
      const uses = usesOf(name, text.replace(line, ''));
      if (uses === null) return text;
      getters.push(`\tget ${name}() { return loaded$.${name} ??= require("${module}"); }`);
      return uses.join(`modules$.${name}`);
    },
    code,
  );
  const loading = `const loaded$ = {};\nconst modules$ = {\n${getters.join(',\n')}\n};\n`;
  return changed.replace(/^(#![^\n]*\n)?/, (first) => first + loading);
}

/** The same for what a package that is CommonJS itself requires of Node at its start; its names are its own. */
function loadWithinPackage(region) {
  return [...region.matchAll(/^\tconst ([\w$]+) = require\("node:([^"]+)"\);\n/gm)].reduce(
    (text, [line, name, module]) => {
      const uses = alwaysLoaded.has(module) ? null : usesOf(name, text.replace(line, ''));
      return uses?.join(`require("node:${module}")`) ?? text;
    },
    region,
  );
}

/** The text around each use of a name; null where one of them does more than read a member. */
function usesOf(name, text) {
  const uses = text.split(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`));
  return uses.slice(1).every((after) => after.startsWith('.')) ? uses : null;
}

/** A text of one byte a character is read without being decoded, and takes half of the memory. */
export function asAscii(code) {
  return code.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A function to be called with what Node gives to a module, under a line that names its content: see src/std/code-cache.ts.
 * `import()` is given too: in a script that is no module Node 20 allows it only with a warning.
 */
export function asFunction(code) {
  const text = `(function (require, exports, __filename, import$) {\n${code.replace(/\bimport\(/g, 'import$(')}\n})\n`;
  return `// ${createHash('sha256').update(text).digest('hex').slice(0, 32)}\n${text}`;
}
