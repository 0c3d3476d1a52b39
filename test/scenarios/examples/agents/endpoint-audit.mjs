// Of three endpoints one is open, one is closed, and one is looked at by nobody, because its agent fails.

const routes = /^route\('(\w+)', '(\S+)'(, owner)?/;

export const agents = {
  list({ read, expectTold }) {
    expectTold('served from src:');
    const endpoints = read('src/server.js')
      .split('\n')
      .flatMap((line, i) => {
        const [, method, path] = routes.exec(line) ?? [];
        return method === undefined ? [] : [{ method, path, handler: `src/server.js:${i + 1}` }];
      });
    return { endpoints };
  },
  audit({ prompt, read }) {
    const [, method, path, line] = /Who may call (\S+) (\S+) \(src\/server\.js:(\d+)\)/.exec(prompt);
    if (path === '/export') throw new Error('this agent gives up');
    const isOwned = read('src/server.js').split('\n')[line - 1].includes(', owner');
    return {
      endpoint: `${method} ${path}`,
      authenticated: 'src/server.js:1',
      authorized: isOwned ? 'owner' : 'nothing',
      finding: isOwned ? 'none' : 'Anybody can do it.',
      severity: isOwned ? 'none' : 'critical',
    };
  },
  report({ inputs, write, expectTold }) {
    expectTold('3 HTTP endpoints were listed');
    const audits = inputs.filter(({ from }) => from.startsWith('audit.'));
    const lines = audits.map(({ value }) => `- ${value.endpoint}: ${value.finding}`);
    write('docs/audits/endpoints.md', `${lines.join('\n')}\n\nLooked at: ${audits.length} of 3.\n`);
    const isOpen = ({ value }) => value.finding !== 'none';
    const used = inputs.filter(isOpen).map(({ id }) => id);
    const rejected = inputs.filter((input) => !isOpen(input)).map(({ id }) => ({ id, reason: 'It is closed.' }));
    return { summary: 'One is open.', critical: ['DELETE /projects'], sources: { used, rejected } };
  },
};
