import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export const LATENCY_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/**
 * Default metrics to remove: gauges that are named like counters. The sums of `nodejs_active_handles`,
 * `nodejs_active_requests` and `nodejs_active_resources` give the same figures.
 */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

export type Metrics = ReturnType<typeof createMetrics>

/** Figures of the gateway, readable at any time. */
export interface GatewaySources {
  connections: () => number
  /** Connections waiting for their turn to join. */
  joining: () => number
  /** Bytes kept for clients that have not read them. */
  unsentBytes: () => number
  /** Delay of the event loop, in milliseconds. */
  lagMs: () => number
}

/** Creates the metrics that Prometheus reads at /metrics. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'foyer_http_request_seconds',
      help: 'Time to answer a request, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: LATENCY_BUCKETS_SECONDS,
      registers,
    }),
    upgrades: new Counter({
      name: 'foyer_gateway_upgrades_total',
      help: 'Upgrades to the gateway, accepted or refused with an error code',
      labelNames: ['answer'],
      registers,
    }),
    /** Registers the gateway's gauges, which are measured whenever Prometheus reads the metrics. */
    watchGateway: (sources: GatewaySources) => gatewayGauges(sources, registry),
    deliveries: new Counter({
      name: 'foyer_gateway_deliveries_total',
      help: 'Events handed to gateway connections',
      registers,
    }),
    droppedConnections: new Counter({
      name: 'foyer_gateway_slow_closed_total',
      help: 'Connections closed because they read too slowly',
      registers,
    }),
    ...createDeliveryMetrics(registers),
    ...createClusterMetrics(registers),
    messageBatch: new Histogram({
      name: 'foyer_message_batch_size',
      help: 'Messages written by one statement',
      buckets: BATCH_BUCKETS,
      registers,
    }),
  }
}

/** Metrics of deliveries to users who are not connected. */
function createDeliveryMetrics(registers: Registry[]) {
  return {
    pushes: new Counter({
      name: 'foyer_pushes_total',
      help: 'Pushes, by result: sent, gone, later, unanswered, refused or skipped',
      labelNames: ['outcome'],
      registers,
    }),
    mails: new Counter({
      name: 'foyer_mails_total',
      help: 'Mails, by result: sent, refused permanently, or failed and retried later',
      labelNames: ['outcome'],
      registers,
    }),
  }
}

/** Metrics of a process in a cluster. */
function createClusterMetrics(registers: Registry[]) {
  return {
    clusterUp: new Gauge({
      name: 'foyer_cluster_up',
      help: 'Whether events of other processes arrive through Valkey, and not only through the journal',
      registers,
    }),
    neighbours: new Gauge({
      name: 'foyer_cluster_neighbours',
      help: 'Other processes whose heartbeats are received',
      registers,
    }),
    lostPublishes: new Counter({
      name: 'foyer_cluster_lost_publishes_total',
      help: 'Events that could not be published to other processes, which read them from the journal',
      registers,
    }),
    caughtUp: new Counter({
      name: 'foyer_cluster_caught_up_events_total',
      help: 'Events of other processes that were read from the journal',
      registers,
    }),
  }
}

function gatewayGauges(sources: GatewaySources, registry: Registry): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('foyer_gateway_connections', 'Open gateway connections', sources.connections)
  gauge(
    'foyer_gateway_joining',
    'Connections that wait for their turn to identify or resume',
    sources.joining,
  )
  gauge('foyer_gateway_unsent_bytes', 'Bytes kept for clients that have not read them', sources.unsentBytes)
  gauge('foyer_load_lag_seconds', 'How late the event loop is, smoothed', () => sources.lagMs() / 1000)
}
