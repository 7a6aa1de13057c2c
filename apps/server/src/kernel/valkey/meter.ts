import { Gauge } from 'prom-client'
import type { Metrics } from '../metrics.ts'
import type { Valkey } from './valkey.ts'

/** Exposes at /metrics whether Valkey is available. A process without Valkey exposes nothing. */
export function meterValkey({ registry }: Metrics, valkey: Valkey | undefined): void {
  if (valkey === undefined) return
  new Gauge({
    name: 'foyer_valkey_up',
    help: 'Whether limits are counted across all processes, in Valkey, and not separately in each process',
    registers: [registry],
    collect() {
      this.set(valkey.isUp ? 1 : 0)
    },
  })
}
