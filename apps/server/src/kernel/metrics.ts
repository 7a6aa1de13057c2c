import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const LATENCY_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256]

export type Metrics = ReturnType<typeof createMetrics>

/** What Prometheus reads at /metrics. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
    connections: new Gauge({
      name: 'foyer_gateway_connections',
      help: 'Open gateway connections',
      registers,
    }),
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
    ...createClusterMetrics(registers),
    messageBatch: new Histogram({
      name: 'foyer_message_batch_size',
      help: 'Messages written by one statement',
      buckets: BATCH_BUCKETS,
      registers,
    }),
  }
}

/** Of a process that is one of several. */
function createClusterMetrics(registers: Registry[]) {
  return {
    clusterUp: new Gauge({
      name: 'foyer_cluster_up',
      help: 'Whether other processes are heard through Valkey, and not only through the journal',
      registers,
    }),
    neighbours: new Gauge({
      name: 'foyer_cluster_neighbours',
      help: 'Other processes whose beats are heard',
      registers,
    }),
    lostPublishes: new Counter({
      name: 'foyer_cluster_lost_publishes_total',
      help: 'What could not be published to other processes, which read it from the journal',
      registers,
    }),
    caughtUp: new Counter({
      name: 'foyer_cluster_caught_up_events_total',
      help: 'Events of other processes that were read from the journal',
      registers,
    }),
  }
}
