import { fileLength, functionLength, nesting, parameters } from '../budgets.ts'
import type { Plant } from '../rule.ts'

export const budgetPlants: readonly Plant[] = [
  {
    rule: fileLength,
    because: 'a file has 301 lines',
    breaks: { 'bin/a.ts': 'go()\n'.repeat(301) },
    at: ['bin/a.ts:301'],
    keeps: { 'bin/a.ts': 'go()\n'.repeat(300) },
  },
  {
    rule: functionLength,
    because: 'a function has 51 lines, wherever it is written',
    breaks: {
      'bin/declared.ts': `\nfunction go() {${lines(51)}}`,
      'bin/arrow.ts': `\nconst go = () => {${lines(51)}}`,
      'bin/method.ts': `class A {\n  go() {${lines(51)}}\n}`,
      'bin/callback.test.ts': `test('…', () => {${lines(51)}})`,
    },
    at: ['bin/declared.ts:2', 'bin/arrow.ts:2', 'bin/method.ts:2', 'bin/callback.test.ts:1'],
    keeps: { 'bin/declared.ts': `\nfunction go() {${lines(50)}}` },
  },
  {
    rule: functionLength,
    because: 'a list of tests is outside of a test file',
    breaks: { 'bin/a.ts': `describe('…', () => {${lines(51)}})` },
    at: ['bin/a.ts:1'],
    keeps: { 'bin/a.test.ts': `describe.only('…', () => {${lines(51)}})\nsuite('…', () => {${lines(51)}})` },
  },
  {
    rule: functionLength,
    because: 'a React component has 151 lines',
    breaks: { 'apps/web/src/a.tsx': `function A() {${lines(150)}return <p />\n}` },
    at: ['apps/web/src/a.tsx:1'],
    keeps: {
      'apps/web/src/a.tsx': `function A() {${lines(149)}return <p />\n}\nconst B = memo(() => <p>${lines(150)}</p>)`,
    },
  },
  {
    rule: functionLength,
    because: 'a function is no component: by its name, or by what it returns',
    breaks: {
      'apps/web/src/name.tsx': `function a() {${lines(50)}return <p />\n}`,
      'apps/web/src/result.tsx': `function A() {${lines(50)}const p = <p />\n}`,
    },
    at: ['apps/web/src/name.tsx:1', 'apps/web/src/result.tsx:1'],
    keeps: { 'apps/web/src/name.tsx': `function A() {${lines(50)}return b && <p />\n}` },
  },
  {
    rule: nesting,
    because: 'control flow nests three deep, in a function or a script',
    breaks: {
      'bin/function.ts': 'function go() {\n  if (a) for (const b of c)\n    while (d) e()\n}',
      'bin/script.ts': 'try {\n  switch (a) { case 1:\n    if (b) { if (c) d() }\n  }\n} catch {}',
      'bin/else.ts': 'if (a) if (b) c()\nelse {\n if (d) e()\n}',
    },
    at: ['bin/function.ts:3', 'bin/script.ts:3', 'bin/else.ts:3'],
    keeps: { 'bin/function.ts': 'function go() {\n  if (a) for (const b of c)\n    d()\n}' },
  },
  {
    rule: nesting,
    because: 'the third level is not in a callback, nor an else-if',
    breaks: { 'bin/a.ts': 'if (a) if (b) { if (c) d() }' },
    at: ['bin/a.ts:1'],
    keeps: {
      'bin/a.ts':
        'if (a) if (b) each(() => { if (c) d() })\nif (a) b(); else if (c) if (d) e(); else if (f) g()',
    },
  },
  {
    rule: parameters,
    because: 'a function takes five parameters',
    breaks: {
      'bin/a.ts': 'const go = (a, b, c, d, ...e) => {}\nclass A {\n  constructor(a, b, c, d, e) {}\n}',
    },
    at: ['bin/a.ts:1', 'bin/a.ts:3'],
    keeps: { 'bin/a.ts': 'function go(this: A, a, b, c, { d, e }) {}' },
  },
]

/** Returns so many line breaks that braces around them span `count` lines. */
function lines(count: number): string {
  return '\n'.repeat(count - 1)
}
