import type { Rule } from './rule.ts'
import type { Violation } from './source.ts'

/** What belongs to one machine and must not be published. Patterns are written so that they do not match themselves. */
const MACHINE_TRACES = [
  {
    pattern: /(?<![\w./}-])\/work\/\w/,
    instead: 'a path of one machine: make it relative, or take it from the environment',
  },
  {
    pattern: /registry\.npmjs\.org/,
    instead: "a registry's address: leave the registry to npm's own configuration",
  },
]

export const noMachineTraces: Rule = {
  name: 'no file names a machine or a registry',
  check: ({ files }) => Object.entries(files).flatMap(([path, text]) => tracesIn(path, text)),
}

export const wordingRules: readonly Rule[] = [noMachineTraces]

function tracesIn(path: string, text: string): Violation[] {
  const traces = MACHINE_TRACES.filter(({ pattern }) => pattern.test(text))
  if (traces.length === 0) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      traces
        .filter(({ pattern }) => pattern.test(line))
        .map(({ instead }) => ({ path, line: index + 1, message: instead })),
    )
}
