import type { Config } from '#src/config.ts'
import { Macs } from '#src/kernel/secrets/macs.ts'
import { PushHosts } from './hosts.ts'
import { type InterestDeps, PushInterest } from './interest.ts'
import { SenderLimits } from './sender-limits.ts'
import { Vapid } from './vapid.ts'

export interface PushParts {
  vapid: Vapid
  pushInterest: PushInterest
  /** Derives the topics of pushes. A push service replaces a browser's older push with the newer one of the same topic. */
  pushTopics: Macs
  pushHosts: PushHosts
  pushLimits: SenderLimits
  pushClosing: AbortSignal
  /** Ends requests to push services. */
  closePushes(): void
}

export function createPushParts(deps: InterestDeps & { config: Config; secretKey: string }): PushParts {
  const { config, secretKey } = deps
  const closing = new AbortController()
  return {
    vapid: new Vapid(secretKey, contactOf(config)),
    pushInterest: new PushInterest(deps),
    pushTopics: new Macs(secretKey, 'foyer push topics'),
    pushHosts: new PushHosts(),
    pushLimits: new SenderLimits(),
    pushClosing: closing.signal,
    closePushes: () => closing.abort(new Error('the server is shutting down')),
  }
}

/** Returns the address at which push services can contact the operator. */
function contactOf({ publicUrl, mailFrom }: Pick<Config, 'publicUrl' | 'mailFrom'>): string {
  if (publicUrl?.startsWith('https:')) return publicUrl
  return `mailto:${/<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom}`
}
