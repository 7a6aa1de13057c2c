import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const RULE = /^- \*\*([A-Z]+-\d+)\*\*/gm
const NAMED = /\b(?:test|suite|it|describe)\(\s*[`'"]((?:[A-Z]+-\d+(?:, | and )?)+)/g

/** The ids of the rules in the text of docs/SPEC.md. */
function rulesIn(specification: string): string[] {
  return [...specification.matchAll(RULE)].map(([, rule = '']) => rule)
}

/** The ids of rules at the beginning of test names. */
function rulesNamedIn(source: string): string[] {
  return [...source.matchAll(NAMED)].flatMap(([, names = '']) => names.match(/[A-Z]+-\d+/g) ?? [])
}

suite('the rules of docs/SPEC.md', () => {
  const rules = rulesIn(readFileSync(join(root, 'docs/SPEC.md'), 'utf8'))
  const files = globSync('{apps,packages,e2e,bench,clients,openapi,test}/**/*.test.ts', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  })
  const named = new Set(files.flatMap((file) => rulesNamedIn(readFileSync(join(root, file), 'utf8'))))

  test('have unique numbers', () => {
    assert.deepEqual(
      rules.filter((rule, index) => rules.indexOf(rule) !== index),
      [],
    )
  })

  test('are each named by a test', () => {
    assert.deepEqual(
      rules.filter((rule) => !named.has(rule)),
      [],
    )
  })

  test('include all that tests name', () => {
    assert.deepEqual(
      [...named].filter((rule) => !rules.includes(rule)),
      [],
    )
  })
})

test('rules and their names are found in the text', () => {
  assert.deepEqual(rulesIn('- **A-1** One.\nSee **A-2**.\n- **B-10** Ten.'), ['A-1', 'B-10'])
  const call = 'test'
  assert.deepEqual(rulesNamedIn(`${call}('A-1: one', go)\n${call}(\`B-10 and B-11: more\`, go)`), [
    'A-1',
    'B-10',
    'B-11',
  ])
})
