import type {
  ChangeEmailSendBody,
  ChangePasswordBody,
  ForgotPasswordBody,
  LoginAnswer,
  LoginBody,
  OwnAddress,
  ResetPasswordBody,
  Session,
  SigninBody,
  TokenBody,
} from '@foyer/protocol/auth'
import type { PasskeyLoginBody } from '@foyer/protocol/passkeys'
import type { Puzzle, PuzzleSolution, SignupPuzzle } from '@foyer/protocol/puzzle'
import type { SessionCredentials } from '../credentials.ts'
import { ApiError, type CallOptions, path, type Rest, type Tokens } from '../rest.ts'

export interface SigninOptions extends CallOptions {
  /** Solves the puzzle of the server, for example in a worker. By default it is solved in this thread. */
  solvePuzzle?: (puzzle: Puzzle, options: Pick<CallOptions, 'signal'>) => Promise<PuzzleSolution>
}

/**
 * Maximum puzzles solved for one sign-up. A second is needed if an attack begins during the first, or the IP address
 * changes.
 */
const MAX_PUZZLES = 2

export class Auth {
  readonly #rest: Rest
  readonly #session: SessionCredentials

  constructor(rest: Rest, session: SessionCredentials) {
    this.#rest = rest
    this.#session = session
  }

  /** Creates an account and logs in to it. Solves a puzzle if the server requires one, which takes seconds. */
  async signin(body: SigninBody, options: SigninOptions = {}): Promise<LoginAnswer> {
    const result = await this.#createAccount(body, options, MAX_PUZZLES)
    this.#session.store(result)
    return result
  }

  /** Returns the puzzle to solve for a new account, or null if none is required. It is valid for this IP address only. */
  getPuzzle(options?: CallOptions): Promise<SignupPuzzle> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/auth/puzzle', anonymous: true })
  }

  login(body: LoginBody, options?: CallOptions): Promise<LoginAnswer> {
    return this.#login('/api/auth/login', body, options)
  }

  /** Logs in with the browser's answer to `Passkeys.prepareLogin()`. */
  loginByPasskey(body: PasskeyLoginBody, options?: CallOptions): Promise<LoginAnswer> {
    return this.#login('/api/auth/passkeys/login', body, options)
  }

  /** Renews the tokens now; rarely needed, since every request renews those that are about to expire. */
  refresh(): Promise<Tokens> {
    return this.#session.refresh()
  }

  /** Ends the session. Forgets the tokens even if the request fails, and throws in that case. */
  async logout(options?: CallOptions): Promise<void> {
    try {
      await this.#rest.request<void>({
        ...options,
        method: 'POST',
        path: '/api/auth/logout',
        idempotent: true,
      })
    } catch (error) {
      const hadEnded = error instanceof ApiError && error.status === 401
      if (!hadEnded) throw error
    } finally {
      this.#session.forget()
    }
  }

  /** Confirms the email address with the token from the mail. */
  verify(body: TokenBody, options?: CallOptions): Promise<void> {
    return this.#post('/api/auth/verify', body, options)
  }

  sendVerification(options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/auth/verify/send' })
  }

  /** Requests a mail with a reset link. The answer does not show whether the email address has an account. */
  forgotPassword(body: ForgotPasswordBody, options?: CallOptions): Promise<void> {
    return this.#post('/api/auth/forgot-password', body, options)
  }

  /** Sets the password with the token from the mail, and ends all other sessions. */
  resetPassword(body: ResetPasswordBody, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/auth/reset-password', body })
  }

  sendPasswordReset(options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/auth/reset-password/send' })
  }

  /** Sets a new password, and ends all other sessions. */
  changePassword(body: ChangePasswordBody, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'PATCH', path: '/api/users/@me/password', body })
  }

  /** Returns the caller's email address, with most letters before the @ hidden. */
  getOwnAddress(options?: CallOptions): Promise<OwnAddress> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/auth/address' })
  }

  /** Sends a mail to the new address. */
  sendEmailChange(body: ChangeEmailSendBody, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/auth/change-email/send', body })
  }

  /** Changes the email address with the token from the mail. */
  changeEmail(body: TokenBody, options?: CallOptions): Promise<void> {
    return this.#post('/api/auth/change-email', body, options)
  }

  listSessions(options?: CallOptions): Promise<Session[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/auth/sessions' })
  }

  deleteSession(sessionId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/auth/sessions/${sessionId}` })
  }

  /** @param puzzles maximum number of puzzles to solve */
  async #createAccount(
    body: SigninBody,
    { solvePuzzle = solveHere, ...options }: SigninOptions,
    puzzles: number,
  ): Promise<LoginAnswer> {
    try {
      return await this.#post<LoginAnswer>('/api/auth/signin', body, options)
    } catch (error) {
      if (puzzles === 0 || !asksForPuzzle(error)) throw error
    }
    const { puzzle } = await this.getPuzzle(options)
    const solved = { ...body, puzzle: puzzle && (await solvePuzzle(puzzle, options)) }
    return this.#createAccount(solved, { solvePuzzle, ...options }, puzzles - 1)
  }

  async #login(path: string, body: unknown, options?: CallOptions): Promise<LoginAnswer> {
    const result = await this.#post<LoginAnswer>(path, body, options)
    this.#session.store(result)
    return result
  }

  /** Sends public requests without a credential, so that an expired one cannot make them fail. */
  #post<T>(path: string, body: unknown, options?: CallOptions): Promise<T> {
    return this.#rest.request<T>({
      ...options,
      method: 'POST',
      path,
      body,
      anonymous: true,
      cookies: this.#session.cookies,
    })
  }
}

/** Imported on demand, because most clients never sign up. */
async function solveHere(puzzle: Puzzle, options: Pick<CallOptions, 'signal'>): Promise<PuzzleSolution> {
  const { solvePuzzle } = await import('../puzzle.ts')
  return solvePuzzle(puzzle, options)
}

function asksForPuzzle(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'puzzle_required' || error.code === 'invalid_puzzle')
}
