// Proposes a repository's configuration from the files at its top: how its dependencies are installed and which command runs
// its tests. Pure; what is not recognized is left out.

export interface Proposal {
  readonly setup: string | null;
  readonly checks: readonly string[];
  /** What was recognized, for people. */
  readonly seen: readonly string[];
}

/** The files at the top of a checkout, by name. */
export interface TopFiles {
  has(name: string): boolean;
  /** null = it does not exist, or is too long. */
  read(name: string): string | null;
}

export function propose(files: TopFiles): Proposal {
  const found = kinds.flatMap((kind) => kind(files) ?? []);
  const hasScript = files.has('.signalbox/setup');
  const setups = hasScript ? [] : found.flatMap(({ setup }) => setup ?? []);
  const tests = found.flatMap(({ test }) => test ?? []);
  return {
    setup: setups.length === 0 ? null : setups.join(' && '),
    checks: tests.length === 0 ? (makeTest(files) ?? []) : tests,
    seen: [...found.map(({ seen }) => seen), ...(hasScript ? ['.signalbox/setup'] : [])],
  };
}

interface Found {
  readonly seen: string;
  readonly setup: string | null;
  readonly test: string | null;
}

const kinds: readonly ((files: TopFiles) => Found | null)[] = [node, python, rust, go, ruby, php, elixir, java];

function node(files: TopFiles): Found | null {
  const text = files.read('package.json');
  if (text === null) return null;
  const { manager, install } = nodeManager(files);
  const { scripts, dependencies, devDependencies, workspaces } = parsed(text);
  const needs = [dependencies, devDependencies, workspaces].some((each) => Object.keys(each ?? {}).length > 0);
  const test = (scripts as Record<string, unknown> | undefined)?.['test'];
  // What `npm init` writes where there is no test.
  const hasTest = typeof test === 'string' && !test.includes('no test specified');
  const command = manager === 'bun' ? 'bun run test' : `${manager} test`;
  return { seen: `package.json (${manager})`, setup: needs ? install : null, test: hasTest ? command : null };
}

function nodeManager(files: TopFiles): { readonly manager: string; readonly install: string } {
  if (files.has('pnpm-lock.yaml')) return { manager: 'pnpm', install: 'pnpm install --frozen-lockfile' };
  if (files.has('yarn.lock')) {
    const isModern = files.has('.yarnrc.yml');
    return { manager: 'yarn', install: `yarn install ${isModern ? '--immutable' : '--frozen-lockfile'}` };
  }
  if (files.has('bun.lock') || files.has('bun.lockb')) {
    return { manager: 'bun', install: 'bun install --frozen-lockfile' };
  }
  const isLocked = files.has('package-lock.json') || files.has('npm-shrinkwrap.json');
  return { manager: 'npm', install: isLocked ? 'npm ci' : 'npm install' };
}

function python(files: TopFiles): Found | null {
  const texts = ['pyproject.toml', 'requirements.txt', 'requirements-dev.txt', 'setup.cfg', 'tox.ini'].map((name) =>
    files.read(name),
  );
  if (texts.every((text) => text === null) && !files.has('setup.py')) return null;
  const hasPytest = files.has('pytest.ini') || texts.some((text) => text?.includes('pytest'));
  const test = (command: string): string | null => (hasPytest ? command : null);
  if (files.has('uv.lock')) return { seen: 'uv.lock', setup: 'uv sync --frozen', test: test('uv run pytest') };
  if (files.has('poetry.lock')) {
    return { seen: 'poetry.lock', setup: 'poetry install --no-interaction', test: test('poetry run pytest') };
  }
  if (files.has('Pipfile.lock')) {
    return { seen: 'Pipfile.lock', setup: 'pipenv sync --dev', test: test('pipenv run pytest') };
  }
  const lists = ['requirements.txt', 'requirements-dev.txt'].filter((name) => files.has(name));
  if (lists.length === 0) return { seen: 'Python', setup: null, test: test('python3 -m pytest') };
  const install = `.venv/bin/pip install ${lists.map((name) => `-r ${name}`).join(' ')}`;
  const setup = `python3 -m venv .venv && ${install}`;
  return { seen: lists.join(', '), setup, test: test('.venv/bin/python -m pytest') };
}

function rust(files: TopFiles): Found | null {
  return files.has('Cargo.toml') ? { seen: 'Cargo.toml', setup: null, test: 'cargo test' } : null;
}

function go(files: TopFiles): Found | null {
  return files.has('go.mod') ? { seen: 'go.mod', setup: null, test: 'go test ./...' } : null;
}

function ruby(files: TopFiles): Found | null {
  if (!files.has('Gemfile')) return null;
  const test = files.has('.rspec') ? 'bundle exec rspec' : files.has('Rakefile') ? 'bundle exec rake test' : null;
  return { seen: 'Gemfile', setup: 'bundle install', test };
}

function php(files: TopFiles): Found | null {
  const text = files.read('composer.json');
  if (text === null) return null;
  const { scripts } = parsed(text);
  const hasTest = (scripts as Record<string, unknown> | undefined)?.['test'] !== undefined;
  const hasPhpunit = files.has('phpunit.xml') || files.has('phpunit.xml.dist');
  const test = hasTest ? 'composer test' : hasPhpunit ? 'vendor/bin/phpunit' : null;
  return { seen: 'composer.json', setup: 'composer install --no-interaction', test };
}

function elixir(files: TopFiles): Found | null {
  return files.has('mix.exs') ? { seen: 'mix.exs', setup: 'mix deps.get', test: 'mix test' } : null;
}

function java(files: TopFiles): Found | null {
  if (files.has('gradlew')) return { seen: 'gradlew', setup: null, test: './gradlew test' };
  if (!files.has('pom.xml')) return null;
  return { seen: 'pom.xml', setup: null, test: files.has('mvnw') ? './mvnw -q test' : 'mvn -q test' };
}

/** For any other kind of repository. */
function makeTest(files: TopFiles): string[] | null {
  return /^test\s*:/m.test(files.read('Makefile') ?? '') ? ['make test'] : null;
}

function parsed(text: string): Record<string, object | undefined> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, object | undefined>) : {};
  } catch {
    return {};
  }
}

/** The text of the file. `schema`: where editors find its schema, if that is the same on every machine. */
export function proposedText({ setup, checks, seen }: Proposal, schema: string | null): string {
  const lines = [
    ...(schema === null ? [] : [`# yaml-language-server: $schema=${schema}`, '#']),
    '# How Signalbox works in this repository, for everybody who uses it here. docs/configuration.md of Signalbox explains every key;',
    '# "signalbox config" shows what holds and where each value is from.',
    ...(seen.length === 0 ? [] : [`# Proposed from: ${seen.join(', ')}`]),
    '',
  ];
  if (setup !== null)
    lines.push(
      '# Installs what work and checks need; runs once for the same lockfiles.',
      `setup: ${quoted(setup)}`,
      '',
    );
  if (checks.length > 0) {
    lines.push('# Must exit 0 on the work of every task.', 'checks:', ...checks.map((check) => `  - ${quoted(check)}`));
  } else {
    lines.push('# No tests were found. Without a check nothing proves the work.', '# checks: [make test]');
  }
  return `${lines.join('\n')}\n`;
}

/** Quoted if YAML would read something else. */
function quoted(text: string): string {
  return /^[A-Za-z./][^#:"'{}[\],&*?|<>=!%@`\\]*$/.test(text) ? text : JSON.stringify(text);
}
