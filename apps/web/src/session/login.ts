import type { Tokens } from '@foyer/sdk/rest'
import { loginOf, type TokenStorage } from './tokens.ts'

/**
 * The login that a session lives on, in a storage that all tabs share: what another tab has put there may be of another
 * login, which is neither used nor touched.
 */
export class Login {
  readonly #storage: TokenStorage
  #id: string | null

  constructor(storage: TokenStorage) {
    this.#storage = storage
    this.#id = loginOf(storage.load())
  }

  /** Null until somebody signs in. */
  get id(): string | null {
    return this.#id
  }

  /** Whether what the browser keeps is of this login, or of none. */
  get isLast(): boolean {
    const stored = loginOf(this.#storage.load())
    return stored === null || stored === this.#id
  }

  /** Its tokens, as they were refreshed last; null once it is over, in whichever tab. */
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
