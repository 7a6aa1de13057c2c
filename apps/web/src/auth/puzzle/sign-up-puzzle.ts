import type { SigninBody } from '@foyer/protocol/auth'
import type { Puzzle, PuzzleSolution } from '@foyer/protocol/puzzle'
import type { Client } from '@foyer/sdk/client'

type Solve = (puzzle: Puzzle, options: { signal?: AbortSignal | undefined }) => Promise<PuzzleSolution>

/** Time before a puzzle expires at which a new one replaces it. */
const MARGIN_MS = 60_000

/** Solves a puzzle while the user fills in the form, and a new one shortly before it expires. */
export class SignUpPuzzle {
  readonly #client: Pick<Client, 'auth'>
  readonly #solve: Solve
  readonly #ending = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Null if no puzzle is required, or if loading it failed. The sign-up loads a new puzzle if the server demands one. */
  #solution: Promise<PuzzleSolution | null> = Promise.resolve(null)
  #isSolved = true

  constructor(client: Pick<Client, 'auth'>, solve: Solve) {
    this.#client = client
    this.#solve = solve
  }

  /** False while the puzzle is being solved. */
  get isSolved(): boolean {
    return this.#isSolved
  }

  begin(): void {
    this.#isSolved = false
    const solution = this.#loadAndSolve().catch(() => null)
    this.#solution = solution
    void solution.then(() => {
      if (this.#solution === solution) this.#isSolved = true
    })
  }

  /** Creates the account with the solution. If the server demands another puzzle, it is solved first. */
  async signUp(body: SigninBody, onWork: () => void): Promise<void> {
    if (!this.#isSolved) onWork()
    const { signal } = this.#ending
    const puzzle = await this.#solution
    // The user may have left the form.
    signal.throwIfAborted()
    const solvePuzzle = (next: Puzzle) => {
      onWork()
      const solution = this.#solve(next, { signal })
      // Kept in case the user tries again with another username.
      this.#solution = solution.catch(() => null)
      return solution
    }
    await this.#client.auth.signin({ ...body, puzzle }, { solvePuzzle, signal })
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#ending.abort()
  }

  async #loadAndSolve(): Promise<PuzzleSolution | null> {
    const { signal } = this.#ending
    const { puzzle } = await this.#client.auth.getPuzzle({ signal })
    if (puzzle === null || signal.aborted) return null
    const leftMs = Date.parse(puzzle.expires_at) - Date.now() - MARGIN_MS
    this.#timer = setTimeout(() => this.begin(), Math.max(MARGIN_MS, leftMs))
    return this.#solve(puzzle, { signal })
  }
}
