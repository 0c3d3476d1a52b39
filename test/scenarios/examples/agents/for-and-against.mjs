// Both sides argue with figures that they measured; the judge rejects one argument and the decision is written down.

function argue({ prompt, run, expectTold }) {
  expectTold('Keep sessions in one place.', 'correctness, then the cost of');
  const side = /named for \((\S+)\)/.exec(prompt)[1];
  const { text } = run('grep -c session src/*.js');
  return { arguments: [{ claim: `${side} holds`, evidence: `grep -c session: ${text}` }], conceded: [] };
}

function reply(claim, theirs) {
  return ({ expectTold }) => {
    expectTold('argue-for holds', 'argue-against holds', 'grep -c session: 2');
    return { arguments: [{ claim, evidence: `It answers "${theirs}".` }], conceded: ['It takes a day.'] };
  };
}

export const agents = {
  'argue-for': argue,
  'argue-against': argue,
  'answer-for': reply('One copy is enough.', 'argue-against holds'),
  'answer-against': reply('Two copies are faster.', 'argue-for holds'),
  judge({ inputs, expectTold }) {
    expectTold('One copy is enough.', 'Two copies are faster.');
    const isWeak = ({ from }) => from === 'answer-against';
    return {
      decision: 'accept',
      reasons: ['One copy is enough.'],
      objection: 'Two copies are faster; nobody measured it.',
      reversal: 'A measurement.',
      sources: {
        used: inputs.filter((input) => !isWeak(input)).map(({ id }) => id),
        rejected: inputs.filter(isWeak).map(({ id }) => ({ id, reason: 'It was not measured.' })),
      },
    };
  },
  record({ write, expectTold }) {
    expectTold('"decision":', 'accept', 'A measurement.');
    write('docs/decisions/0001-one-place-for-sessions.md', '# Sessions are in one place\n\nAccepted.\n');
  },
};
