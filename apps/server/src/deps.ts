import type { CurrentUser, UpdateCurrentUserBody } from '@foyer/protocol/users'
import type pg from 'pg'
import type { Logger } from 'pino'
import { IndicatorThrottle } from './channels/typing/throttle.ts'
import type { Config } from './config.ts'
import { ConversationFacts } from './conversations/facts.ts'
import { PROBE_TIMES, type ProbeTimes } from './files/buckets/probe.ts'
import { createFileParts, type FileParts } from './files/objects/parts.ts'
import { Previewer } from './files/previews/previewer.ts'
import { createGatewayParts, type GatewayParts } from './gateway/parts.ts'
import { createInteractionParts, type InteractionParts } from './integrations/interactions/parts.ts'
import { WEBHOOK_TURNS } from './integrations/webhooks/execution.ts'
import { WebhookPictures } from './integrations/webhooks/pictures.ts'
import { Cluster } from './kernel/cluster/cluster.ts'
import { Database } from './kernel/database/database.ts'
import { makePartitions } from './kernel/database/journal-partitions.ts'
import { Reads } from './kernel/database/reads.ts'
import { Replica } from './kernel/database/replica.ts'
import { SnapshotReads } from './kernel/database/snapshot-reads.ts'
import { Turns } from './kernel/database/turns.ts'
import { Bus } from './kernel/journal/bus.ts'
import { AttemptLimits } from './kernel/limits/attempt-limits.ts'
import { LoadGuard } from './kernel/limits/load-guard.ts'
import { LocalCounters } from './kernel/limits/local-counters.ts'
import type { RateCounters } from './kernel/limits/rate-limits.ts'
import { createMailer, type Mailer } from './kernel/mail/mail.ts'
import { meterBuild } from './kernel/meters.ts'
import { createMetrics, type Metrics } from './kernel/metrics.ts'
import { Providers } from './kernel/oidc/providers.ts'
import { Credentials } from './kernel/secrets/credentials.ts'
import { type PasswordCost, Passwords } from './kernel/secrets/passwords.ts'
import { SecondFactorRules } from './kernel/secrets/second-factor-rule.ts'
import { TokenSigner } from './kernel/secrets/tokens.ts'
import type { Connection } from './kernel/sql/pooling.ts'
import { meterValkey } from './kernel/valkey/meter.ts'
import { SharedCounters } from './kernel/valkey/shared-counters.ts'
import type { Valkey } from './kernel/valkey/valkey.ts'
import { MessageWriter } from './messages/writer/writer.ts'
import { MessageSensor } from './moderation/door/message-sensor.ts'
import { screenProfile } from './moderation/screening/names.ts'
import { Screening } from './moderation/screening/screening.ts'
import { HealthSampler, type SamplerDeps } from './operating/administration/health/sampler.ts'
import { CurrentAnnouncements } from './operating/announcements/current.ts'
import { firstBecomesOperator } from './operating/operators/claim-link.ts'
import { DeviceMacs } from './people/auth/devices/macs.ts'
import { RecoveryCodeMacs } from './people/auth/second-factors/recovery-codes.ts'
import { Presences } from './people/presence/presences.ts'
import { type PuzzleWork, SignupPuzzles } from './people/registration/puzzles.ts'
import { Registration } from './people/registration/settings.ts'
import { createPushParts, type PushParts } from './push/parts.ts'
import { createSearchParts, type SearchParts } from './search/parts.ts'
import { mayAnnounce, Snapshots } from './spaces/snapshots.ts'
import { ThreadPlaces } from './spaces/thread-places.ts'
import { createVoiceParts, type VoiceParts } from './voice/parts.ts'
import { PageCache } from './web/web-pages/page-cache.ts'
import { PageThread } from './web/web-pages/page-thread.ts'
import { MAX_PAGE_REST_MS } from './web/web-pages/serving.ts'
import { PublicPagesRule } from './web/web-rooms/public-pages.ts'

/** All parts of the server. Each declares the parts that it needs. */
export interface Deps extends FileParts, GatewayParts, InteractionParts, PushParts, SearchParts, VoiceParts {
  config: Config
  log: Logger
  metrics: Metrics
  bus: Bus
  /** Undefined for a single process. */
  valkey: Valkey | undefined
  /** Undefined for a single process. */
  cluster: Cluster | undefined
  database: Database
  /** Returns the reason why the database does not answer, if known. */
  databaseTrouble: (() => string | undefined) | undefined
  probeTimes: ProbeTimes
  /** Large reads, such as history and searches. They run on the replica if it is up to date. */
  reads: Reads
  /** Long reads, each from one snapshot of the database, on a connection of its own. */
  snapshotReads: SnapshotReads
  signer: TokenSigner
  credentials: Credentials
  rateCounters: RateCounters | undefined
  loadGuard: LoadGuard
  attempts: AttemptLimits
  passwords: Passwords
  recoveryCodeMacs: RecoveryCodeMacs
  deviceMacs: DeviceMacs
  /** Rule for which users need a second factor. */
  secondFactorRules: SecondFactorRules
  publicPages: PublicPagesRule
  /** The pages that people without an account read. */
  webPages: PageCache
  /** Renders the pages that `webPages` does not have. */
  pageThread: PageThread
  /** Longest pause after rendering a page. */
  maxPageRestMs: number
  currentAnnouncements: CurrentAnnouncements
  /** The rules for new accounts. */
  registration: Registration
  signupPuzzles: SignupPuzzles
  /** Sign-in providers. */
  providers: Providers
  mailer: Mailer
  snapshots: Snapshots
  threadPlaces: ThreadPlaces
  conversationFacts: ConversationFacts
  messageWriter: MessageWriter
  indicatorThrottle: IndicatorThrottle
  screening: Screening
  messageSensor: MessageSensor
  healthSampler: HealthSampler
  /** Refuses names and texts that spaces of the user do not allow. */
  screenProfile: (user: CurrentUser, changes: UpdateCurrentUserBody) => Promise<void>
  presences: Presences
  webhookPictures: WebhookPictures
  webhookTurns: Turns
  previewer: Previewer
}

/** Parts that the caller of `createDeps` has opened. */
interface Given {
  config: Config
  log: Logger
  secretKey: string
  connection: Connection
  /** Connection to PostgreSQL itself, not to a pooler. */
  directConnection: Connection
  valkey?: Valkey | undefined
  databaseTrouble?: (() => string | undefined) | undefined
  passwordCost?: PasswordCost | undefined
  probeTimes?: ProbeTimes | undefined
  puzzleWork?: PuzzleWork | undefined
  maxPageRestMs?: number | undefined
  /** Time before which clients cannot resume, in milliseconds since 1970: see `noteStart`. */
  resumableSince: number
}

/** Builds the parts. Parts that follow events are subscribed afterwards, by subscribers.ts. */
export function createDeps(given: Given): Deps {
  const { config, log, valkey, databaseTrouble, resumableSince, probeTimes = PROBE_TIMES } = given
  const bus = new Bus((error) => log.error({ err: error }, 'a listener of the bus failed'))
  const database = createDatabase(given.connection, log, bus)
  const metrics = createMetrics()
  meterBuild(metrics, config.version)
  meterValkey(metrics, valkey)
  const cluster =
    valkey &&
    new Cluster({ valkey, bus, database, metrics, log, hasGateway: config.services.includes('gateway') })
  const signer = new TokenSigner(given.secretKey)
  const credentials = new Credentials({ database, signer, bus })
  const counters = valkey === undefined ? new LocalCounters() : new SharedCounters(valkey, given.secretKey)
  const rateCounters = config.rateLimits ? counters : undefined
  const loadGuard = new LoadGuard()
  const files = createFileParts({ config, secretKey: given.secretKey, database, bus })
  const base = { ...files, config, log, metrics, bus, valkey, cluster, database, signer, loadGuard }
  const screening = new Screening({ ...base, counters, origin: config.publicUrl })
  const presences = new Presences({ bus, database, log, valkey })
  const cached = { credentials, ...createRules({ database, bus }), ...createPlaces({ database, bus }) }
  const voice = createVoiceParts({ ...base, ...cached })
  const push = createPushParts({ ...base, ...given, ...cached })
  const parts = { presences, screening, rateCounters, databaseTrouble, probeTimes, resumableSince }
  const deps = { ...base, ...cached, ...voice, ...push, ...parts }
  const replicaConnection = replicaConnectionOf(config)
  const search = createSearchParts({ ...given, replicaConnection })
  return {
    ...deps,
    ...createInteractionParts({ ...deps, secretKey: given.secretKey }),
    ...createAuthParts(given, base, counters),
    ...search,
    snapshotReads: new SnapshotReads(given.directConnection),
    reads: createReads({ ...deps, replicaConnection }),
    // `onWritten` runs after the senders are answered.
    messageWriter: new MessageWriter({
      ...deps,
      onWritten: (places) => search.searchIndexer.note(places),
      mayAnnounce: (place) => mayAnnounce(deps.snapshots, place),
    }),
    indicatorThrottle: new IndicatorThrottle(counters),
    webhookPictures: new WebhookPictures(deps),
    webhookTurns: new Turns(WEBHOOK_TURNS),
    previewer: new Previewer(deps),
    pageThread: new PageThread(given),
    maxPageRestMs: given.maxPageRestMs ?? MAX_PAGE_REST_MS,
    messageSensor: new MessageSensor({ ...base, counters }),
    screenProfile: (user, changes) => screenProfile(deps, user, changes),
    ...createLiveParts(deps),
  }
}

/** The rules and announcements of operators, for the whole server. */
function createRules(base: Pick<Deps, 'database' | 'bus'>) {
  return {
    secondFactorRules: new SecondFactorRules(base),
    publicPages: new PublicPagesRule(base),
    currentAnnouncements: new CurrentAnnouncements(base),
  }
}

function createPlaces(base: Pick<Deps, 'database' | 'bus'>) {
  return {
    snapshots: new Snapshots(base),
    threadPlaces: new ThreadPlaces(base),
    conversationFacts: new ConversationFacts(base),
    webPages: new PageCache(base.bus.freshness),
  }
}

type LiveDeps = Parameters<typeof createGatewayParts>[0] & Omit<SamplerDeps, 'countConnections'>

function createLiveParts(deps: LiveDeps): GatewayParts & Pick<Deps, 'healthSampler'> {
  const parts = createGatewayParts(deps)
  const countConnections = () => parts.gateway.connections
  return { ...parts, healthSampler: new HealthSampler({ ...deps, countConnections }) }
}

function replicaConnectionOf({ readDatabaseUrl }: Config): pg.ClientConfig | undefined {
  return readDatabaseUrl === undefined ? undefined : { connectionString: readDatabaseUrl }
}

function createReads({
  database,
  log,
  replicaConnection,
}: Pick<Deps, 'database' | 'log'> & ReplicaGiven): Reads {
  if (replicaConnection === undefined) return new Reads(database)
  const onError = (error: Error) => log.warn({ err: error }, 'the connection to the replica failed')
  const replica = new Replica({ primary: database, connection: replicaConnection, onError })
  return new Reads(database, replica, (place) =>
    log.warn(`history and search are now read from the ${place}`),
  )
}

interface ReplicaGiven {
  replicaConnection: pg.ClientConfig | undefined
}

function createDatabase(connection: pg.ClientConfig, log: Logger, bus: Bus): Database {
  const database: Database = new Database({
    connection,
    onError: (error) => log.error({ err: error }, 'the database connection failed'),
    onCommit: (events) => bus.emit(events),
    onMissingPartition: async () => {
      log.error('the journal has no partition for the current time: its upkeep failed, or a clock is wrong')
      // The partition for the current time is made first. If that fails, the second attempt of the caller fails, too.
      await makePartitions(database, Date.now()).catch((error: unknown) =>
        log.error({ err: error }, 'not all partitions of the journal could be made'),
      )
    },
  })
  return database
}

type AuthParts = Pick<
  Deps,
  | 'attempts'
  | 'passwords'
  | 'recoveryCodeMacs'
  | 'deviceMacs'
  | 'mailer'
  | 'registration'
  | 'signupPuzzles'
  | 'providers'
>

function createAuthParts(
  { config, log, secretKey, passwordCost, puzzleWork }: Given,
  {
    metrics,
    database,
    bus,
    outgoing,
    trusted,
  }: Pick<Deps, 'metrics' | 'database' | 'bus' | 'outgoing' | 'trusted'>,
  counters: RateCounters,
): AuthParts {
  const start = { ...config, firstBecomesOperator: firstBecomesOperator(config) }
  const registration = new Registration({ database, bus }, start)
  return {
    registration,
    providers: new Providers(config.oidcProviders, { trusted, outgoing }),
    signupPuzzles: new SignupPuzzles({
      ...{ database, log, registration, secretKey },
      counters: config.rateLimits ? counters : undefined,
      work: puzzleWork,
    }),
    attempts: new AttemptLimits(counters),
    passwords: new Passwords(passwordCost),
    recoveryCodeMacs: new RecoveryCodeMacs(secretKey),
    deviceMacs: new DeviceMacs(secretKey),
    mailer: createMailer({ ...config, log, metrics }),
  }
}
