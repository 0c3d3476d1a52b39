// The plan that `plan new` writes. It is valid.

/** `schema`: where editors find the schema of plan files, relative to the folder of this one. `harness`: of its agents. */
export function starterPlan(name: string, schema: string, harness: string): string {
  return `# yaml-language-server: $schema=${schema}
#
# A plan: tasks for agents and commands, and what waits for what.
#   signalbox plan check <this file>        is anything wrong with it?
#   signalbox run <this file> --dry-run     what would run together, and cost at most?
#   signalbox run <this file> --stubs       play it through; nobody is paid
#   signalbox run <this file>               run it
# docs/plans.md of Signalbox explains every word.

name: ${name}
description: Find bugs in one folder, fix each of them, and look at the result.

# What whoever runs it may say: --input folder=lib
inputs:
  folder: { default: src, description: where to look }

# For every task that does not say otherwise.
defaults:
  harness: ${harness}
  timeout-minutes: 30
  retry: { attempts: 2 }

limits:
  max-parallel: 4
  # What all tasks together may spend. Whoever reaches it waits for you, and goes on when you raise it.
  budget: { usd: 10 }

tasks:
  # Two of the phases: what is done in "research" is thrown away, but for its output.
  find:
    phase: research
    prompt: |
      Read \${{ inputs.folder }} and find bugs that a test could show. Change nothing.
      List at most five, the worst first.
    # JSON Schema. What the agent gives is checked; nothing else reaches the next task.
    output:
      type: object
      required: [bugs]
      properties:
        bugs:
          type: array
          maxItems: 5
          items:
            type: object
            required: [title, file]
            properties:
              title: { type: string }
              file: { type: string }

  # One task for each bug that was found; none where there was none.
  fix:
    phase: implementation
    needs: find
    when: \${{ tasks.find.output.bugs.length != 0 }}
    matrix: \${{ tasks.find.output.bugs }}
    prompt: |
      Fix this bug, and add a test that fails without the fix: \${{ matrix.title }} (in \${{ matrix.file }}).
    # Commands that must exit 0 on a clean checkout of the work, or it does not count. They install what they need.
    checks: [npm ci && npm test]

  # A command instead of an agent. Values go to it by environment, never into its text.
  report:
    phase: verification
    needs: fix
    run: echo "$COUNT bugs were looked at"
    env:
      COUNT: \${{ tasks.find.output.bugs.length }}
`;
}
