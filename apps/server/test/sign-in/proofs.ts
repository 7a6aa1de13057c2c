import { send } from '../scenes/accounts.ts'
import type { TestServer } from '../server.ts'
import { SignInBrowser } from './browser.ts'
import type { SignedIn, SignInScene } from './scene.ts'

export const PROOFS = '/api/users/@me/proofs'

type Owner = Pick<SignedIn, 'headers'>

/** A proof of identity that a person has started in a new browser, and not yet finished at the provider. */
export interface BegunProof {
  browser: SignInBrowser
  proof: string
  url: string
}

export async function beginProof(
  server: TestServer,
  { headers }: Owner,
  provider = 'main',
): Promise<BegunProof> {
  const begun = await send(server, 'POST', `${PROOFS}/providers/${provider}/start`, { headers })
  if (begun.status !== 200) throw new Error(`no proof begun: ${begun.status} ${begun.text}`)
  const browser = new SignInBrowser()
  browser.take(begun.headers)
  const { proof, url }: { proof: string; url: string } = JSON.parse(begun.text)
  return { browser, proof, url }
}

/** Signs in again at the provider. @returns the proof, and the address of the page to which the server redirects */
export async function proveAs(
  { server }: Pick<SignInScene, 'server'>,
  owner: Owner,
  account: string,
): Promise<{ proof: string; page: URL }> {
  const { browser, proof, url } = await beginProof(server, owner)
  return { proof, page: await browser.follow(url, account) }
}
