// The origin of a line as text: task, agent, prompt, evidence, and the tree of its inputs. Pure.

import { localTime } from '../../std/clock.ts';
import { plainLine, plainText } from '../../std/plain-text.ts';
import type { InputView, LineageView } from '../../wire/artifact-views.ts';
import type { Blamed } from '../client/integration-of.ts';
import { shortId } from '../verbs/view/artifacts.ts';

interface Told {
  readonly commit: string;
  readonly lineage: LineageView;
}

const promptShown = 2_000;
const inputPromptShown = 200;
const idShown = 12;

export function lineageLines(where: string, blamed: Blamed, { commit, lineage }: Told): string[] {
  const { run, task, attempt, agent, agentId, harness, model, role, integrated, checks, approvals } = lineage;
  const rows: [string, string][] = [
    ['line', `${where}  ${plainLine(blamed.text)}`],
    ['changed by', `${blamed.commit.slice(0, idShown)} ${plainLine(blamed.summary)}`],
    ['integrated as', integrated.length === 0 ? 'not integrated' : commit.slice(0, idShown)],
    ['run', `${plainLine(run.name)} (${run.id})`],
    ['task', `${plainLine(task.name)}${role === null ? '' : `, as ${plainLine(role)}`} (${task.id})`],
    ...itemRow(lineage),
    ['attempt', `${attempt}, started ${localTime(lineage.startedAt, Date.now())} (${lineage.attemptId})`],
    ...(lineage.why === '' ? [] : [['restarted', plainLine(lineage.why)] as [string, string]]),
    ['agent', `${plainLine(agent)}, ${harness}, model ${plainLine(model)} (${agentId})`],
    ['approved by', approvals.length === 0 ? 'no approval was needed' : approvals.map(plainLine).join('; ')],
    ['checks', checkWords(checks)],
    ...(lineage.conflict === null ? [] : [['resolved', `conflict ${shortId(lineage.conflict)}`] as [string, string]]),
    ['artifacts', artifactWords(lineage)],
    ['transcript', lineage.transcripts.join(', ') || 'none'],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...rows.map(([name, words]) => `${name.padEnd(width)}  ${words}`),
    '',
    'prompt:',
    ...promptLines(lineage),
    '',
    ...inputLines(lineage),
  ];
}

function itemRow({ item }: LineageView): [string, string][] {
  return item === null ? [] : [['for', plainLine(JSON.stringify(item)).slice(0, inputPromptShown)]];
}

function checkWords(checks: LineageView['checks']): string {
  const words = checks.map(({ check, passed }) => `${plainLine(check)} ${passed ? 'passed' : 'failed'}`);
  return [...new Set(words)].join(', ') || 'none';
}

function artifactWords({ artifacts }: Pick<InputView, 'artifacts'>): string {
  return artifacts.map(({ kind, id }) => `${kind} ${shortId(id)}`).join(', ') || 'none';
}

function promptLines({ prompt, promptCut, transcripts }: LineageView): string[] {
  const shown = plainText(prompt.slice(0, promptShown));
  const lines = shown.split('\n').map((line) => `  ${line}`);
  if (prompt.length <= promptShown && !promptCut) return lines;
  const [first = ''] = transcripts;
  const whole = promptCut ? `the file "in" beside ${first}` : '--json';
  return [...lines, `  [cut; full text: ${whole}]`];
}

function inputLines({ inputs, inputsLeftOut }: LineageView): string[] {
  if (inputs.length === 0) return ['inputs: none from other tasks'];
  const lines = inputs.flatMap((input) => {
    const indent = '  '.repeat(input.depth);
    const asked = plainLine(input.prompt);
    const more = asked.length > inputPromptShown || input.promptCut ? ' …' : '';
    return [
      `${indent}${plainLine(input.task.name)}: ${artifactWords(input)} (${input.harness}, model ${plainLine(input.model)})`,
      `${indent}  prompt: ${asked.slice(0, inputPromptShown)}${more}`,
    ];
  });
  const rest = inputsLeftOut === 0 ? [] : [`  and ${inputsLeftOut} more`];
  return ['inputs:', ...lines, ...rest];
}
