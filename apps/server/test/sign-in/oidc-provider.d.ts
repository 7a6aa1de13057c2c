/** The part of the certified provider that tests use. The package has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface Client {
    backchannelLogout(subject: string, session: string): Promise<void>
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    readonly Client: { find(id: string): Promise<Client | undefined> }
  }
}
