import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { propose, proposedText, type TopFiles } from './propose.ts';

const files = (all: Record<string, string>): TopFiles => ({
  has: (name) => all[name] !== undefined,
  read: (name) => all[name] ?? null,
});
const npm = (more: object = {}): string =>
  JSON.stringify({ scripts: { test: 'vitest' }, devDependencies: { a: '1' }, ...more });

describe('a proposed configuration', () => {
  it.each([
    ['npm', { 'package.json': npm(), 'package-lock.json': '{}' }, 'npm ci', ['npm test']],
    ['npm without a lockfile', { 'package.json': npm() }, 'npm install', ['npm test']],
    [
      'npm without tests',
      { 'package.json': npm({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }) },
      'npm install',
      [],
    ],
    ['nothing to install', { 'package.json': '{"scripts":{"test":"node --test"}}' }, null, ['npm test']],
    ['pnpm', { 'package.json': npm(), 'pnpm-lock.yaml': '' }, 'pnpm install --frozen-lockfile', ['pnpm test']],
    ['yarn 1', { 'package.json': npm(), 'yarn.lock': '' }, 'yarn install --frozen-lockfile', ['yarn test']],
    ['yarn', { 'package.json': npm(), 'yarn.lock': '', '.yarnrc.yml': '' }, 'yarn install --immutable', ['yarn test']],
    ['bun', { 'package.json': npm(), 'bun.lock': '' }, 'bun install --frozen-lockfile', ['bun run test']],
    [
      'uv',
      { 'pyproject.toml': '[dependency-groups]\ndev = ["pytest"]', 'uv.lock': '' },
      'uv sync --frozen',
      ['uv run pytest'],
    ],
    [
      'poetry',
      { 'pyproject.toml': 'pytest = "8"', 'poetry.lock': '' },
      'poetry install --no-interaction',
      ['poetry run pytest'],
    ],
    [
      'pip',
      { 'requirements.txt': 'pytest\n' },
      'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt',
      ['.venv/bin/python -m pytest'],
    ],
    ['cargo', { 'Cargo.toml': '[package]' }, null, ['cargo test']],
    ['go', { 'go.mod': 'module x' }, null, ['go test ./...']],
    ['make', { Makefile: 'all:\n\ntest: all\n\t./t\n' }, null, ['make test']],
    [
      'two kinds',
      { 'package.json': npm(), 'package-lock.json': '', 'Cargo.toml': '' },
      'npm ci',
      ['npm test', 'cargo test'],
    ],
    ['a setup of its own', { 'package.json': npm(), '.signalbox/setup': '' }, null, ['npm test']],
    ['broken JSON', { 'package.json': '{' }, null, []],
    ['nothing known', { 'README.md': '' }, null, []],
  ] as const)('%s [CONF-6]', (_, all, setup, checks) => {
    const proposal = propose(files(all));
    expect([proposal.setup, proposal.checks]).toEqual([setup, checks]);
    const text = proposedText(proposal, './config.schema.json');
    const { setup: written = null, checks: tests = [] } = (parse(text) ?? {}) as { setup?: string; checks?: string[] };
    expect([written, tests]).toEqual([setup, checks]);
    expect(text.includes('No tests were found')).toBe(checks.length === 0);
  });
});
