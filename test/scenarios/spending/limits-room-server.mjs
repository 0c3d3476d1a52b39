// Runs what it is told: a line in is the argv of a command as JSON, a line out how it ended. One after the other.
import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...args] = JSON.parse(line);
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  process.stdout.write(`${JSON.stringify({ code: status, stdout, stderr })}\n`);
}
