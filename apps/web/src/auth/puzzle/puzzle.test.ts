import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Puzzle } from '@foyer/protocol/puzzle'
import { PuzzleMessage, solvesPart } from '@foyer/protocol/puzzle-work'
import { type Digest, solveParts } from '@foyer/sdk/puzzle'
import { sha256 } from './sha256.ts'
import { inOrder, sharesOf } from './workers.ts'

const puzzle: Puzzle = {
  token: 'a token',
  parts: 5,
  tries: 20,
  message_bytes: 256,
  expires_at: new Date().toISOString(),
}

function nativeSha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest()
}

test('PUZZLE-9: SHA-256 without HTTPS is that of Node, for every length around the blocks', () => {
  const bytes = Uint8Array.from({ length: 400 }, (_, index) => (index * 37) % 256)
  for (let length = 0; length <= bytes.length; length += 1) {
    // Not at the beginning of its buffer.
    const part = bytes.subarray(bytes.length - length)
    assert.deepEqual(Buffer.from(sha256(part)), Buffer.from(nativeSha256(part)), `${length} bytes`)
  }
})

for (const [name, digest] of [
  ['with HTTPS', undefined],
  ['without HTTPS', (async (bytes) => sha256(bytes)) satisfies Digest],
] as const)
  test(`PUZZLE-9: workers ${name} solve a puzzle together, each part once`, async () => {
    for (const workers of [1, 2, 3, 5]) {
      const shares = sharesOf(puzzle.parts, workers)
      assert.deepEqual(shares.flat().sort(), [0, 1, 2, 3, 4])
      const solved = await Promise.all(shares.map((parts) => solveParts(puzzle, parts, digest && { digest })))
      const nonces = inOrder(shares, solved)
      assert.equal(nonces.length, puzzle.parts)
      const seed = nativeSha256(Buffer.from(puzzle.token))
      for (const [part, nonce] of nonces.entries()) {
        const message = new PuzzleMessage(seed, part, puzzle.message_bytes).at(nonce)
        assert.ok(solvesPart(nativeSha256(message), puzzle.tries), `part ${part}, ${workers} workers`)
      }
    }
  })

test('PUZZLE-9: an aborted puzzle is not solved further', async () => {
  const aborted = AbortSignal.abort()
  await assert.rejects(solveParts({ ...puzzle, tries: 2 ** 21 }, [0], { signal: aborted }), /abort/i)
})
