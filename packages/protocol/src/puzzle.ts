import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from './schema.ts'

/**
 * Work for a client before it may create an account. For each part, it must find a nonce with which the SHA-256 of
 * the part's message, read as a fraction between 0 and 1, is below 1 / tries. Many parts make the total time predictable.
 */
export const Puzzle = Type.Object(
  {
    token: Type.String({ description: 'to be sent back with the nonces' }),
    parts: Type.Integer({ description: 'number of nonces to be found' }),
    tries: Type.Integer({ description: 'tries that a part takes on average' }),
    message_bytes: Type.Integer({ description: 'length of the messages that are hashed, a multiple of 64' }),
    expires_at: Timestamp(),
  },
  { title: 'Puzzle' },
)
export type Puzzle = Static<typeof Puzzle>

export const SignupPuzzle = Type.Object(
  { puzzle: Nullable(Puzzle) },
  { title: 'SignupPuzzle', description: 'null while an account needs none' },
)
export type SignupPuzzle = Static<typeof SignupPuzzle>

/** Maximum parts that a schema accepts. Puzzles have fewer. */
const MAX_PARTS = 128
const MAX_NONCE = 2 ** 32 - 1

export const PuzzleSolution = Type.Object(
  {
    token: Type.String({ maxLength: 256 }),
    nonces: Type.Array(Type.Integer({ minimum: 0, maximum: MAX_NONCE }), {
      maxItems: MAX_PARTS,
      description: 'a nonce for each part, in their order',
    }),
  },
  { title: 'PuzzleSolution' },
)
export type PuzzleSolution = Static<typeof PuzzleSolution>
