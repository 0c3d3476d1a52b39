// The shipped kinds of artifact for plans in TypeScript, by name and with their types.

import { z } from 'zod';
import { kindSchemas, type NamedKind } from '../../model/attempt/artifact-kinds.ts';

interface Side {
  task: string;
  commit: string;
  prompt: string;
  attemptId?: string;
  paths?: string[];
}

/** The types of the kinds, the same as their schemas. */
export interface KindValues {
  finding: {
    what: string;
    where: { file: string; line?: number };
    severity: 'low' | 'medium' | 'high' | 'critical';
    evidence: string;
  };
  'patch-plan': { goal: string; steps: { files: string[]; why: string; what?: string }[]; risks: string[] };
  'file-set': {
    base: string;
    commit: string;
    files: { path: string; status: 'added' | 'modified' | 'deleted' | 'type-changed'; blob: string | null }[];
    total?: number;
  };
  verdict: {
    commit: string;
    decision: 'pass' | 'fail' | 'unsure';
    reasons: { reason: string; file?: string; line?: number }[];
  };
  handoff: { found: string[]; changed: string[]; remaining: string[]; commands: string[]; tried?: string[] };
  conflict: {
    target: string;
    head: string;
    paths: string[];
    sides: Side[];
    pathsTotal?: number;
    check?: { name: string; output: string };
  };
  report: { title: string; text: string; whole?: string };
}

const kinds = new WeakMap<z.ZodType, NamedKind>();

/** `output: kind('finding')`; or a part of a schema, as in `z.object({ bugs: z.array(kind('finding')) })`. */
export function kind<Name extends NamedKind>(name: Name): z.ZodType<KindValues[Name]> {
  if (!Object.hasOwn(kindSchemas, name)) throw new Error(`there is no kind of artifact "${name as string}"`);
  const schema = z.any().meta({ ...kindSchemas[name] }) as z.ZodType<KindValues[Name]>;
  kinds.set(schema, name);
  return schema;
}

/** The name of the kind, if the whole schema is one. */
export function kindOf(schema: z.ZodType): NamedKind | undefined {
  return kinds.get(schema);
}
