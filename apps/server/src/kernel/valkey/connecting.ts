import { Cluster, Redis, type RedisCommander, type RedisOptions } from 'ioredis'

const DEFAULT_PORT = 6379
const MAX_RETRY_MS = 1000
/** A Valkey that does not answer within this time counts as away. */
const COMMAND_TIMEOUT_MS = 1000
const CONNECT_TIMEOUT_MS = 2000
/** How often the servers of a cluster are asked which of them has what. */
const SLOTS_REFRESH_MS = 5000

/** What one server and a cluster are asked alike. */
export type Commands = RedisCommander<{ type: 'default'; mapping: 'resp2' }>

/** Nothing waits for a server that is away, and nothing is sent twice. */
const bounds = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  // A link does that itself: when it fails here, nobody hears of it but the process, which would end.
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: CONNECT_TIMEOUT_MS,
} as const satisfies RedisOptions

/** Connects to one server, and again whenever that is lost. */
export function connectTo(url: string, enableAutoPipelining = false): Redis {
  return new Redis(url, { ...bounds, retryStrategy: retryAfter, enableAutoPipelining })
}

/**
 * Connects to a cluster through those of its servers that are named. All have the same credentials, and speak TLS or not,
 * as the first of them says.
 */
export function connectToCluster(urls: readonly string[]): Cluster {
  const nodes = urls.map((url) => new URL(url))
  return new Cluster(
    nodes.map(({ hostname, port }) => ({ host: hostname, port: Number(port || DEFAULT_PORT) })),
    {
      redisOptions: { ...bounds, ...credentialsOf(nodes[0]) },
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      clusterRetryStrategy: retryAfter,
      maxRedirections: 4,
      slotsRefreshInterval: SLOTS_REFRESH_MS,
    },
  )
}

/** The address of a server of a cluster, with what is needed to enter it. */
export function urlOfNode(node: string, seed: string): string {
  const url = new URL(seed)
  url.host = node.replace(/^([^:]*:.*):(\d+)$/, '[$1]:$2')
  return url.href
}

function credentialsOf(url: URL | undefined): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  if (url === undefined) return {}
  const { username, password, protocol } = url
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  }
}

function retryAfter(attempt: number): number {
  return Math.min(50 * attempt, MAX_RETRY_MS)
}
