import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import ipaddr from 'ipaddr.js'
import type { Config } from '#src/config.ts'
import { isLoopback } from '#src/operators/claim-link.ts'

/** A feature that people cannot use yet, and the setting that it takes. */
export interface Missing {
  what: string
  says: string
  remedy: string
}

type Given = Pick<Config, 'smtpUrl' | 'dataDir' | 'voice' | 'publicUrl'>

/**
 * Returns what a server for people elsewhere still lacks, as far as its settings show. The doctor looks closer.
 * @param own addresses of this machine
 */
export function stillMissing(config: Given, own = ownAddresses()): Missing[] {
  const isPublic = config.publicUrl !== undefined && !isLoopback(new URL(config.publicUrl).hostname)
  if (!isPublic) return []
  const all = [missingMail(config), missingEncryption(config), missingAddress(config.voice, own)]
  return all.filter((missing) => missing !== undefined)
}

/** Returns a line for the log. */
export function lineOf({ what, says, remedy }: Missing): string {
  return `${what}: ${says} → ${remedy}`
}

export function missingMail({ smtpUrl, dataDir }: Pick<Config, 'smtpUrl' | 'dataDir'>): Missing | undefined {
  if (smtpUrl !== undefined) return undefined
  return {
    what: 'mail',
    says: `SMTP_URL is not set: mails are saved as files in ${join(dataDir, 'mailbox')}`,
    remedy: 'set SMTP_URL, so that people can confirm addresses and reset passwords',
  }
}

function missingEncryption({ publicUrl = '' }: Pick<Config, 'publicUrl'>): Missing | undefined {
  if (publicUrl.startsWith('https:')) return undefined
  return {
    what: 'voice and push',
    says: 'browsers allow the microphone, notifications and passkeys only over HTTPS',
    remedy: 'set PUBLIC_URL to an https address; with a public name, Foyer gets the certificate by itself',
  }
}

/** Voice reaches people by addresses that browsers connect to directly. */
function missingAddress(
  { publicIps, livekit }: Config['voice'],
  own: readonly string[],
): Missing | undefined {
  if (livekit !== undefined || publicAddressIn([...publicIps, ...own]) !== undefined) return undefined
  return { what: 'voice', ...onlyPrivateAddresses }
}

export const onlyPrivateAddresses = {
  says: 'only private addresses are announced to clients: nobody outside this network can connect',
  remedy: 'set PUBLIC_IP to the public address of this network',
}

export function publicAddressIn(addresses: readonly string[]): string | undefined {
  return addresses.find((address) => ipaddr.parse(address.split('%')[0] ?? '').range() === 'unicast')
}

export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
}
