import { assertionRule, noAny, noEnum, noNonNull, noParameterProperties, parses } from '../language.ts'
import type { Plant } from '../rule.ts'

export const languagePlants: readonly Plant[] = [
  plant(parses, 'a file does not parse', 'const = 1', 'const a = 1'),
  plant(noEnum, 'there is an enum', 'export const enum A { B }', "export type A = 'b'"),
  plant(
    noParameterProperties,
    'a constructor declares a field',
    'class A { constructor(readonly a) {} }',
    'class A { constructor(a) {} }',
  ),
  plant(noNonNull, 'a value is claimed to be there', 'go(a!.b)', 'go(!a.b)'),
  plant(noNonNull, 'a field is claimed to be set', 'class A { b!: number }', 'class A { b: number }'),
  plant(noAny, 'a type is any', 'type A = Map<string, any[]>', 'type any_ = { any: unknown }'),
  plant(assertionRule([]), 'a type is asserted', 'go(a as unknown)', 'go(a as const, b satisfies B)'),
  plant(assertionRule([]), 'a type is asserted in the old way', 'go(<A>a)', 'go(<A,>(a: A) => a)'),
  {
    rule: assertionRule(['bin/boundary.ts']),
    because: 'an assertion is outside of the parse boundaries',
    breaks: { 'bin/boundary.ts': 'go(a as A)', 'bin/a.ts': 'go(a as A)' },
    at: ['bin/a.ts:1'],
    keeps: { 'bin/boundary.ts': 'go(a as A)' },
  },
  {
    rule: assertionRule(['bin/boundary.ts']),
    because: 'a parse boundary has no assertion',
    breaks: { 'bin/boundary.ts': 'go(a)' },
    at: ['bin/boundary.ts:1'],
    keeps: { 'bin/boundary.ts': 'go(a as A)' },
  },
]

function plant(rule: Plant['rule'], because: string, bad: string, good: string): Plant {
  return { rule, because, breaks: { 'bin/a.ts': bad }, at: ['bin/a.ts:1'], keeps: { 'bin/a.ts': good } }
}
