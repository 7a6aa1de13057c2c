import type { Puzzle, PuzzleSolution } from '@foyer/protocol/puzzle'
import { PuzzleMessage, solvesPart } from '@foyer/protocol/puzzle-work'

/** Returns the SHA-256 of the bytes. The caller may change the bytes after the call. */
export type Digest = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>

export interface SolvingOptions {
  signal?: AbortSignal | undefined
  digest?: Digest
}

/** Attempts per batch, so that their digests run in parallel. */
const BATCH = 8

/** Solves the puzzle, which takes seconds of computing. */
export async function solvePuzzle(puzzle: Puzzle, options?: SolvingOptions): Promise<PuzzleSolution> {
  const parts = Array.from({ length: puzzle.parts }, (_, part) => part)
  return { token: puzzle.token, nonces: await solveParts(puzzle, parts, options) }
}

/** Returns a nonce for each of these parts. Several workers can share the parts of a puzzle. */
export async function solveParts(
  puzzle: Pick<Puzzle, 'token' | 'tries' | 'message_bytes'>,
  parts: readonly number[],
  { signal, digest = nativeDigest }: SolvingOptions = {},
): Promise<number[]> {
  const seed = await digest(new TextEncoder().encode(puzzle.token))
  const nonces: number[] = []
  for (const part of parts) {
    const message = new PuzzleMessage(seed, part, puzzle.message_bytes)
    nonces.push(await solvePart(message, puzzle.tries, { signal, digest }))
  }
  return nonces
}

async function solvePart(
  message: PuzzleMessage,
  tries: number,
  { signal, digest }: SolvingOptions & { digest: Digest },
): Promise<number> {
  for (let first = 0; ; first += BATCH) {
    signal?.throwIfAborted()
    const batch = Array.from({ length: BATCH }, (_, index) => digest(message.at(first + index)))
    const found = (await Promise.all(batch)).findIndex((each) => solvesPart(each, tries))
    if (found >= 0) return first + found
  }
}

async function nativeDigest(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}
