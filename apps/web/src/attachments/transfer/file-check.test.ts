import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Filename } from '@foyer/protocol/attachments'
import { limits, MAX_MESSAGE_FILES, MAX_UPLOAD_BYTES } from '@foyer/protocol/limits'
import { checkFiles, cleanName } from './file-check.ts'

test('files are accepted up to the limit of a message', () => {
  const files = Array.from({ length: MAX_MESSAGE_FILES + 2 }, (_, index) => sized(`${index}.txt`, 1))
  const { accepted, refusals } = checkFiles(files, 3)
  assert.deepEqual(
    accepted.map(({ name }) => name),
    files.slice(0, MAX_MESSAGE_FILES - 3).map(({ name }) => name),
  )
  assert.deepEqual(refusals, ['A message can have up to 10 files. 5 files weren’t added.'])
  assert.deepEqual(checkFiles(files.slice(0, 2), 3).refusals, [])
})

test('a file over the size limit is refused by name and does not count', () => {
  const files = [sized('film.mkv', MAX_UPLOAD_BYTES + 1), sized('a.txt', MAX_UPLOAD_BYTES)]
  const { accepted, refusals } = checkFiles(files, MAX_MESSAGE_FILES - 1)
  assert.deepEqual(
    accepted.map(({ name }) => name),
    ['a.txt'],
  )
  assert.deepEqual(refusals, ['film.mkv is too large. Files can be up to 5 GB.'])
})

test('any file name is changed to one that the server accepts, with the same extension', () => {
  const names = [
    'a/b\\c.png',
    '..',
    ' ',
    '\u202Egnp.exe',
    '\u0000',
    `${'ä'.repeat(400)}.jpeg`,
    '.'.repeat(300),
  ]
  const pattern: unknown = Reflect.get(Filename(), 'pattern')
  assert.ok(typeof pattern === 'string')
  for (const name of names.map(cleanName)) {
    assert.match(name, new RegExp(pattern))
    assert.ok(name.length > 0 && [...name].length <= limits.filenameMax)
  }
  assert.match(cleanName(`${'ä'.repeat(400)}.jpeg`), /ä\.jpeg$/)
  assert.equal(cleanName('Holiday – 2026 (1).png'), 'Holiday – 2026 (1).png')
})

/** A file that claims to have this size. */
function sized(name: string, size: number): File {
  return Object.defineProperty(new File([], name), 'size', { value: size })
}
