import type {
  ConfirmSessionBody,
  ConfirmTotpBody,
  OwnSecondFactors,
  ProofBody,
  RecoveryCodes,
  TotpSetup,
} from '@foyer/protocol/second-factors'
import type { CallOptions, Rest } from '../rest.ts'

const root = '/api/users/@me/second-factors'

/** Authenticator app and recovery codes of the caller, which a login needs besides the password. */
export class SecondFactors {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  get(options?: CallOptions): Promise<OwnSecondFactors> {
    return this.#rest.request({ ...options, method: 'GET', path: root })
  }

  /** Creates a secret for an authenticator app. It takes effect with `confirmTotp`. */
  prepareTotp(body: ProofBody, options?: CallOptions): Promise<TotpSetup> {
    return this.#rest.request({ ...options, method: 'POST', path: `${root}/totp`, body })
  }

  /** Confirms the app with its first code. @returns new recovery codes */
  confirmTotp(body: ConfirmTotpBody, options?: CallOptions): Promise<RecoveryCodes> {
    return this.#rest.request({ ...options, method: 'POST', path: `${root}/totp/confirm`, body })
  }

  /** Gives this session a second factor, as a login with a code does. */
  confirmSession(body: ConfirmSessionBody, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: `${root}/confirm-session`, body })
  }

  removeTotp(body: ProofBody, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: `${root}/totp`, body })
  }

  /** Creates new recovery codes. The old ones stop working. */
  renewRecoveryCodes(body: ProofBody, options?: CallOptions): Promise<RecoveryCodes> {
    return this.#rest.request({ ...options, method: 'POST', path: `${root}/recovery-codes`, body })
  }
}
