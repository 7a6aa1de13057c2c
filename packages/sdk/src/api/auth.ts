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
import type { SessionCredentials } from '../credentials.ts'
import { ApiError, type CallOptions, path, type Rest, type Tokens } from '../rest.ts'

export class Auth {
  readonly #rest: Rest
  readonly #session: SessionCredentials

  constructor(rest: Rest, session: SessionCredentials) {
    this.#rest = rest
    this.#session = session
  }

  /** Creates an account and is signed in to it. */
  async signin(body: SigninBody, options?: CallOptions): Promise<LoginAnswer> {
    const result = await this.#post<LoginAnswer>('/api/auth/signin', body, options)
    this.#session.store(result)
    return result
  }

  async login(body: LoginBody, options?: CallOptions): Promise<LoginAnswer> {
    const result = await this.#post<LoginAnswer>('/api/auth/login', body, options)
    this.#session.store(result)
    return result
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

  /** Confirms the address with the token of the mail. */
  verify(body: TokenBody, options?: CallOptions): Promise<void> {
    return this.#post('/api/auth/verify', body, options)
  }

  sendVerification(options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/auth/verify/send' })
  }

  /** Says nothing about whether the address has an account. */
  forgotPassword(body: ForgotPasswordBody, options?: CallOptions): Promise<void> {
    return this.#post('/api/auth/forgot-password', body, options)
  }

  /** Sets the password with the token of the mail, and ends all other sessions. */
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

  /** As its owner recognizes it: most letters before the @ are left out. */
  getOwnAddress(options?: CallOptions): Promise<OwnAddress> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/auth/address' })
  }

  /** Sends a mail to the new address. */
  sendEmailChange(body: ChangeEmailSendBody, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/auth/change-email/send', body })
  }

  /** Changes the address with the token of the mail. */
  changeEmail(body: TokenBody, options?: CallOptions): Promise<void> {
    return this.#post('/api/auth/change-email', body, options)
  }

  listSessions(options?: CallOptions): Promise<Session[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/auth/sessions' })
  }

  deleteSession(sessionId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/auth/sessions/${sessionId}` })
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
