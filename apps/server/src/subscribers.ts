import type { Deps } from './deps.ts'
import { SweepRequests } from './files/objects/jobs.ts'
import { PreviewRequests } from './files/previews/jobs.ts'
import { CopyRequests, EndRequests } from './integrations/follows/jobs.ts'
import type { Subscriber, Subscribers } from './kernel/journal/bus.ts'
import { PushRequests } from './push/requests.ts'

/**
 * Lists every part that follows events, in the order in which they receive each event. Access control depends on this
 * order: a part that reads a cache comes after it.
 */
export function subscribersOf(deps: Deps): Subscribers {
  return {
    caches: [
      deps.credentials,
      deps.secondFactorRules,
      deps.publicPages,
      deps.registration,
      deps.currentAnnouncements,
      deps.snapshots,
      deps.threadPlaces,
      deps.screening,
      deps.messageSensor,
      deps.conversationFacts,
      deps.downloadFacts,
      deps.webPages,
      deps.pushInterest,
      // These decide by the caches above, which have dropped stale values by then.
      ...present(deps.voiceWatcher),
      deps.interactionPolls,
      deps.presenceRouting,
      deps.memberLists,
    ],
    workers: [
      new SweepRequests(deps),
      ...present(deps.config.linkPreviews ? new PreviewRequests(deps) : undefined),
      new PushRequests(deps),
      new CopyRequests(deps),
      new EndRequests(deps),
    ],
    deliverers: [deps.hub],
  }
}

function present(subscriber: Subscriber | undefined): Subscriber[] {
  return subscriber === undefined ? [] : [subscriber]
}
