import type { IssuerDoors } from './issuer-requests.ts'
import { Provider } from './provider.ts'
import type { ProviderSettings } from './settings.ts'

/** The sign-in providers of the server, in the order of the setting. */
export class Providers {
  readonly #all: readonly Provider[]

  constructor(settings: readonly ProviderSettings[], doors: IssuerDoors) {
    this.#all = settings.map((each) => new Provider(each, doors))
  }

  named(id: string): Provider | undefined {
    return this.#all.find(({ settings }) => settings.id === id)
  }

  of(issuer: string): Provider | undefined {
    return this.#all.find(({ settings }) => settings.issuer === issuer)
  }
}
