import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Block, Inline } from './nodes.ts'
import { parse } from './parser.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'
const MOST_LETTERS = 4000
/** Upper bound of the depth that the parser's own limit allows. */
const MAX_DEPTH = 64

/** Parts of marks, and payloads known from attacks. */
const PIECES = [
  ...['*', '**', '_', '__', '~~', '||', '`', '```', '```ts\n', '> ', '>>> ', '# ', '- ', '1. ', '\n', '\n\n'],
  ...[
    '[',
    ']',
    '(',
    ')',
    '](',
    ']()',
    '<',
    '>',
    '\\',
    '!',
    '![',
    '&amp;',
    '&#x3c;',
    '\u202e',
    '\u2066',
    'a\u0301\u0302',
  ],
  ...[`<@${ID}>`, `<@&${ID}>`, `<#${ID}>`, `<:wave:${ID}>`, '@everyone', '@here', '🎉', '👩‍👩‍👧‍👦'],
  ...[
    'javascript:alert(1)',
    'data:text/html,<script>',
    'vbscript:',
    'https://a.example',
    'mailto:a@b.example',
  ],
  ...[
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">',
    'word',
    ' ',
  ],
]

const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((parts) => parts.join(''))
const anything = fc.string({ unit: 'binary', maxLength: 300 })

test('any text parses into allowed nodes only', () => {
  fc.assert(
    fc.property(fc.oneof(pieces, anything, fc.tuple(pieces, anything).map(String)), (text) => {
      checkBlocks(parse(text), 0)
    }),
    { numRuns: 2000 },
  )
})

for (const mark of [
  '> ',
  '- ',
  '1. ',
  '[',
  '](',
  '(',
  '*',
  '**',
  '_',
  '~~',
  '||',
  '`',
  '```',
  '#',
  '<',
  '\\',
  '![',
]) {
  test(`a message full of ${JSON.stringify(mark)} is parsed`, () => {
    const all = mark.repeat(MOST_LETTERS / mark.length)
    for (const text of [all, `${all}a`, `a${all}`, `${mark}a`.repeat(MOST_LETTERS / (mark.length + 1))]) {
      checkBlocks(parse(text), 0)
    }
  })
}

function checkBlocks(blocks: readonly Block[], depth: number): void {
  assert.ok(depth <= MAX_DEPTH)
  for (const block of blocks) checkBlock(block, depth)
}

function checkBlock(block: Block, depth: number): void {
  if (block.kind === 'quote') return checkBlocks(block.blocks, depth + 1)
  if (block.kind === 'list')
    return block.items.forEach((item) => {
      checkBlocks(item, depth + 1)
    })
  if (block.kind === 'fence') return assert.match(block.language, /^[\w+#.-]*$/)
  if (block.kind === 'heading') assert.ok(block.level >= 1 && block.level <= 3)
  else assert.equal(block.kind, 'paragraph')
  checkLine(block.children, depth + 1)
}

const STYLES = ['bold', 'italic', 'underline', 'strike', 'spoiler']
const LEAVES = ['text', 'break', 'code', 'user', 'role', 'room', 'everyone', 'emoji']

function checkLine(nodes: readonly Inline[], depth: number): void {
  assert.ok(depth <= MAX_DEPTH)
  for (const node of nodes) {
    if (node.kind === 'link') assert.match(node.href, /^(https?:|mailto:)/i)
    else assert.ok([...STYLES, ...LEAVES].includes(node.kind), node.kind)
    if ('id' in node) assert.equal(node.id, ID)
    if ('children' in node) checkLine(node.children, depth + 1)
  }
}
