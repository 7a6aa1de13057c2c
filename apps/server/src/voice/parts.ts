import type { VoiceEndReason } from '@foyer/protocol/voice'
import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import type { ConversationFacts } from '#src/conversations/facts.ts'
import type { Cluster } from '#src/kernel/cluster/cluster.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Bus } from '#src/kernel/journal/bus.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import type { Valkey } from '#src/kernel/valkey/valkey.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { createVoiceEngine } from './create-engine.ts'
import type { VoiceEngine } from './engine.ts'
import { VoiceHosts } from './hosts/hosts.ts'
import { meterVoice } from './metrics.ts'
import { VoiceRpc } from './rpc.ts'
import { Endings } from './sessions/endings.ts'
import { LocalHost } from './sessions/host.ts'
import { PermissionWatcher } from './sessions/permission-watcher.ts'
import { type RecheckDeps, Rechecks } from './sessions/rechecks.ts'
import { HostedSessions } from './sessions/sessions.ts'
import { Speaking } from './signals/speaking.ts'
import { endSessions } from './states/ending.ts'
import { takePictures } from './states/pictures.ts'
import { Sweeps } from './sweeps/sweeps.ts'

export interface VoiceParts {
  voiceHosts: VoiceHosts
  /** Undefined in a process without voice. */
  voiceEngine: VoiceEngine | undefined
  /** Undefined in a process without voice. */
  voiceWatcher: PermissionWatcher | undefined
  startVoice: () => Promise<void>
  closeVoice: () => Promise<void>
}

export interface VoicePartsDeps {
  config: Config
  log: Logger
  metrics: Metrics
  bus: Bus
  /** Undefined if there is only one process. */
  valkey: Valkey | undefined
  /** Undefined if there is only one process. */
  cluster: Cluster | undefined
  database: Database
  snapshots: Snapshots
  conversationFacts: ConversationFacts
}

type EndSessions = (sessionIds: readonly string[], reason: VoiceEndReason) => Promise<void>

export function createVoiceParts(deps: VoicePartsDeps): VoiceParts {
  const { config, valkey, cluster } = deps
  const processId = cluster?.processId ?? newId()
  const end: EndSessions = async (ids, reason) =>
    void (await endSessions({ ...deps, voiceHosts }, ids, reason))
  const carrier = config.services.includes('voice') ? createCarrier(deps, end) : undefined
  const local = carrier?.host
  const rpc = valkey && new VoiceRpc({ ...deps, valkey, processId, local })
  const isThere = rpc && ((hostId: string) => rpc.isThere(hostId))
  const remote = rpc && ((hostId: string) => rpc.hostAt(hostId))
  const voiceHosts = new VoiceHosts({ processId, local, remote })
  const sweeps = new Sweeps({ ...deps, processId, isThere, voiceHosts, carried: carrier, endSessions: end })
  return {
    voiceHosts,
    voiceEngine: carrier?.engine,
    voiceWatcher: carrier?.watcher,
    async startVoice() {
      // Only a process that does nothing but voice opens the engine before the first join, because this takes memory.
      if (config.services.every((service) => service === 'voice')) carrier?.engine.open()
      await rpc?.start()
      await sweeps.start()
    },
    async closeVoice() {
      await sweeps.close()
      await carrier?.close()
      rpc?.close()
    },
  }
}

/** Creates the parts of a process with the voice service. */
function createCarrier(deps: VoicePartsDeps, end: EndSessions) {
  const { config, log, metrics } = deps
  const engine = createVoiceEngine({ voice: config.voice, log })
  const sessions = new HostedSessions()
  const endings = new Endings({ log, endSessions: end })
  const takeFrom: RecheckDeps['takePictures'] = (id, taken) => takePictures(deps.database, id, taken)
  const reviews = new Rechecks({ ...deps, engine, sessions, endings, takePictures: takeFrom })
  const watcher = new PermissionWatcher({ ...deps, sessions, reviews })
  const speaking = new Speaking({ ...deps, engine, sessions })
  const host = new LocalHost({
    ...deps,
    ...{ engine, sessions, endings, reviews, takePictures: takeFrom },
    isLoginOver: (session) => watcher.isLoginOver(session),
  })
  meterVoice(metrics, engine)
  return {
    ...{ engine, sessions, endings, reviews, host, watcher },
    async close() {
      watcher.close()
      await reviews.close()
      await engine.drain()
      speaking.close()
      await endings.close()
    },
  }
}
