import type { Tokens } from '@foyer/sdk/rest'
import { loginOf, type TokenStorage } from './tokens.ts'

/**
 * The login of a session, in a storage that all tabs share. If another tab has signed in since, `load` and `end` ignore the
 * tokens of that login.
 */
export class Login {
  readonly #storage: TokenStorage
  #id: string | null

  constructor(storage: TokenStorage) {
    this.#storage = storage
    this.#id = loginOf(storage.load())
  }

  /** Id of the login; null until the user signs in. */
  get id(): string | null {
    return this.#id
  }

  /** True if no other login has stored tokens in this browser since. */
  get isLast(): boolean {
    const stored = loginOf(this.#storage.load())
    return stored === null || stored === this.#id
  }

  /** Returns the current tokens, even if another tab has refreshed them; null once any tab has ended the login. */
  load(): Tokens | null {
    const tokens = this.#storage.load()
    return loginOf(tokens) === this.#id ? tokens : null
  }

  save(tokens: Tokens): void {
    this.#id = loginOf(tokens)
    this.#storage.save(tokens)
  }

  end(): void {
    if (loginOf(this.#storage.load()) === this.#id) this.#storage.save(null)
  }
}
