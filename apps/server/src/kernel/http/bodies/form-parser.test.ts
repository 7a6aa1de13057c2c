import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { ApiError } from '../../errors.ts'
import { FormParser } from './form-parser.ts'

const MAX_PARSE_MS = 30_000
const LINES = [
  '--x',
  'Content-Disposition: form-data; name="a"',
  '',
  'text',
  '--x',
  'Content-Disposition: form-data; name="f"; filename="one.txt"',
  'Content-Type: text/plain',
  '',
  'first\r\n--y\r\nfile',
  '--x',
  'Content-Disposition: form-data; name="g"; filename="two"',
  '',
  '',
  '--x--',
]
const BODY = Buffer.from(LINES.join('\r\n'))

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-forms-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** The texts and files of what arrives in these pieces, or the code of the refusal. */
async function parse(pieces: readonly Buffer[]): Promise<unknown> {
  const options = {
    folder: await mkdtemp(join(folder, 'form-')),
    maxFiles: 3,
    tooMany: 'too_many_files',
  } as const
  const parser = new FormParser('multipart/form-data; boundary=x', options)
  const hung = sleep(MAX_PARSE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`hangs on ${JSON.stringify(pieces.map(String))}`)
  })
  try {
    const { fields, files } = await Promise.race([feed(parser, pieces), parser.failed, hung])
    const texts = await Promise.all(
      files.map(async ({ filename, path }) => [filename, await readFile(path, 'utf8')]),
    )
    return { fields, texts }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await Promise.race([parser.abort(), hung])
    return error.code
  }
}

async function feed(parser: FormParser, pieces: readonly Buffer[]) {
  for (const piece of pieces)
    if (!parser.write(piece)) await new Promise<void>((resolve) => parser.onDrain(resolve))
  return parser.end()
}

test('FORM-1: a form has the same content however it is split into chunks', async () => {
  const texts = [
    ['one.txt', 'first\r\n--y\r\nfile'],
    ['two', ''],
  ]
  for (let cut = 0; cut <= BODY.length; cut += 1)
    assert.deepEqual(await parse([BODY.subarray(0, cut), BODY.subarray(cut)]), {
      fields: { a: 'text' },
      texts,
    })
})

test('FORM-3: a truncated form is refused, wherever it ends', async () => {
  for (let cut = 0; cut < BODY.length; cut += 1)
    assert.equal(await parse([BODY.subarray(0, cut)]), 'invalid_multipart', String(cut))
})

test('FORM-3: any other form is read or refused', async () => {
  const edit = fc.record({
    at: fc.nat(BODY.length - 1),
    length: fc.nat(30),
    by: fc.constantFrom(
      '',
      '\r\n',
      '--x',
      '--x--',
      '\r\n--x\r\n',
      '\r\n\r\n',
      '\r',
      '-',
      '"',
      '\0',
      '\xff',
      ...LINES,
    ),
  })
  const cases = fc.tuple(fc.array(edit, { maxLength: 5 }), fc.array(fc.nat(BODY.length), { maxLength: 4 }))
  await fc.assert(
    fc.asyncProperty(cases, async ([edits, cuts]) => {
      const bytes = edits.reduce(
        (all, { at, length, by }) =>
          Buffer.concat([all.subarray(0, at), Buffer.from(by, 'latin1'), all.subarray(at + length)]),
        BODY,
      )
      const ends = [...cuts.toSorted((a, b) => a - b), bytes.length]
      await parse(ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)))
    }),
    { numRuns: 500 },
  )
})
