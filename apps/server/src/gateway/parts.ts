import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { RateWindows } from '#src/kernel/limits/rate-windows.ts'
import type { Presences } from '#src/people/presence/presences.ts'
import { RelatedUsers } from '#src/people/presence/related-users.ts'
import { defaultBacklogBytes } from './connections/backlogs.ts'
import { ConnectionLimits } from './connections/connection-limits.ts'
import { JoinQueue } from './connections/join-queue.ts'
import { UserTurns } from './connections/user-turns.ts'
import { EventHolds } from './fan-out/event-holds.ts'
import { Hub, type HubDeps } from './fan-out/hub.ts'
import { RecentEventsReader } from './fan-out/recent-events.ts'
import { Listeners } from './listeners/listeners.ts'
import { MembershipsReader } from './listeners/memberships.ts'
import { MemberLists, type MemberListsDeps } from './member-lists/member-lists.ts'
import { REQUEST_WINDOW_MS } from './member-lists/member-requests.ts'
import { PresenceRouting, type PresenceRoutingDeps } from './presence/routing.ts'
import { Watchers, type WatchersDeps } from './presence/watchers.ts'
import { type GatewayDeps, GatewayServer } from './server.ts'

export interface GatewayParts {
  gateway: GatewayServer
  hub: Hub
  presenceRouting: PresenceRouting
  memberLists: MemberLists
}

type GatewayPartsDeps = Omit<
  GatewayDeps & HubDeps & MemberListsDeps & PresenceRoutingDeps & WatchersDeps,
  | keyof ReturnType<typeof createReaders>
  | 'listeners'
  | 'eventHolds'
  | 'hub'
  | 'watchers'
  | 'memberLists'
  | OwnSettings
> & { config: Config; presences: Presences }

/** Dependencies that are made here or taken from the configuration. */
type OwnSettings = 'version' | 'trustedProxies' | 'backlogBytes' | 'relatedUsers'

export function createGatewayParts(deps: GatewayPartsDeps): GatewayParts {
  const routing = { listeners: new Listeners(), eventHolds: new EventHolds() }
  const hub = new Hub({ ...deps, ...routing })
  const relatedUsers = new RelatedUsers(deps.database)
  const watchers = new Watchers({ ...deps, ...routing, relatedUsers })
  const presenceRouting = new PresenceRouting({ ...deps, ...routing, watchers })
  const memberLists = new MemberLists({ ...deps, ...routing, watchers })
  const { version, trustedProxies, gatewayBacklogBytes } = deps.config
  const settings = { version, trustedProxies, backlogBytes: gatewayBacklogBytes ?? defaultBacklogBytes() }
  const parts = { ...routing, ...createReaders(deps), ...settings, hub, watchers, memberLists }
  return { gateway: new GatewayServer({ ...deps, ...parts }), hub, presenceRouting, memberLists }
}

function createReaders({ database, log, config }: { database: Database; log: Logger; config: Config }) {
  return {
    membershipsReader: new MembershipsReader(database),
    recentEvents: new RecentEventsReader(database),
    joinQueue: new JoinQueue(),
    identifyTurns: new UserTurns(),
    lateTurns: new UserTurns(),
    memberTurns: new UserTurns(),
    memberRequests: new RateWindows(REQUEST_WINDOW_MS),
    connectionLimits: config.rateLimits ? new ConnectionLimits(log) : undefined,
  }
}
