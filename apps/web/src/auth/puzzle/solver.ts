import type { Puzzle } from '@foyer/protocol/puzzle'
import { type Digest, solveParts } from '@foyer/sdk/puzzle'
import { sha256 } from './sha256.ts'

/** The work of one worker. */
export interface PuzzleParts {
  readonly puzzle: Puzzle
  readonly parts: readonly number[]
}

/** Browsers provide no SHA-256 to pages without HTTPS. */
const digest: Digest | undefined = isSecureContext ? undefined : async (bytes) => sha256(bytes)

addEventListener('message', ({ data }: MessageEvent<PuzzleParts>) => {
  solveParts(data.puzzle, data.parts, digest && { digest }).then(
    (nonces) => postMessage(nonces),
    // Thrown outside of the promise, because only then does the page receive an `error` event.
    (error) =>
      setTimeout(() => {
        throw error
      }),
  )
})
