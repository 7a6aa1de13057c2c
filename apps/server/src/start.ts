import type pg from 'pg'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { callJobs } from './calls/jobs.ts'
import type { Config } from './config.ts'
import { conversationJobs } from './conversations/jobs.ts'
import { createDeps, type Deps } from './deps.ts'
import { erasureJobs } from './erasure/jobs.ts'
import { exportJobs } from './exports/jobs.ts'
import { renewGrants } from './files/buckets/grants.ts'
import { bucketJobs } from './files/buckets/jobs.ts'
import type { ProbeTimes } from './files/buckets/probe.ts'
import { fileJobs } from './files/objects/jobs.ts'
import { PREVIEW_CONCURRENCY, previewJobs, previewSweepJobs } from './files/previews/jobs.ts'
import { commandJobs } from './integrations/commands/jobs.ts'
import { Copier } from './integrations/follows/copier.ts'
import { followJobs } from './integrations/follows/jobs.ts'
import { logJobs } from './integrations/follows/log-jobs.ts'
import { interactionJobs } from './integrations/interactions/jobs.ts'
import { remoteFollowJobs } from './integrations/remote-follows/jobs.ts'
import { RemoteCopier } from './integrations/remote-follows/remote-copier.ts'
import { upkeepJobs } from './jobs/upkeep.ts'
import { migrateJobs, startWorker } from './jobs/worker.ts'
import { makePartitions } from './kernel/database/journal-partitions.ts'
import { noteStart } from './kernel/database/restores.ts'
import { noteVersion } from './kernel/database/versions.ts'
import { refuseConnection } from './kernel/http/error-answers.ts'
import type { App } from './kernel/http/types.ts'
import type { JobTable } from './kernel/jobs.ts'
import type { PasswordCost } from './kernel/secrets/passwords.ts'
import { keptSecretKey } from './kernel/secrets/secret-key.ts'
import { serverNameOf } from './kernel/server-name.ts'
import { type OpenPool, openPool } from './kernel/sql/pool.ts'
import { type Connection, checkPooled } from './kernel/sql/pooling.ts'
import { portHostOf } from './kernel/tls/settings.ts'
import { openValkey } from './kernel/valkey/open.ts'
import { temporaryMemberJobs } from './members/temporary/jobs.ts'
import { messageJobs } from './messages/jobs.ts'
import { joinMessageJobs } from './messages/join-messages.ts'
import { pinJobs } from './messages/pins/jobs.ts'
import { automodJobs } from './moderation/automod/alerts.ts'
import { doorJobs } from './moderation/door/jobs.ts'
import { surveyJobs } from './operating/administration/storage/jobs.ts'
import { announcementJobs } from './operating/announcements/jobs.ts'
import { backupJobs } from './operating/backups/jobs.ts'
import { type Https, openHttps } from './operating/certificates/https.ts'
import { meterServer } from './operating/operations/metering.ts'
import { keepClaimLink } from './operating/operators/claim-link.ts'
import { operatorJobs } from './operating/operators/jobs.ts'
import { updateJobs } from './operating/updates/jobs.ts'
import { migrateSafely } from './operating/updates/updating.ts'
import { accountJobs } from './people/accounts/jobs.ts'
import { authJobs } from './people/auth/jobs.ts'
import { presenceJobs } from './people/presence/jobs.ts'
import type { PuzzleWork } from './people/registration/puzzles.ts'
import { userJobs } from './people/users/jobs.ts'
import { PUSH_CONCURRENCY, pushJobs } from './push/jobs.ts'
import { raidJobs } from './push/raid-alerts.ts'
import { groupRoleJobs } from './roles/groups/following.ts'
import { roomJobs } from './rooms/jobs.ts'
import { searchJobs } from './search/jobs.ts'
import { spaceImportJobs } from './space-archives/imports/jobs.ts'
import { spaceJobs } from './spaces/jobs.ts'
import { subscribersOf } from './subscribers.ts'
import { threadJobs } from './thread-rooms/jobs.ts'
import { FeedPusher } from './web/web-feeds/pusher.ts'
import { webRoomJobs } from './web/web-rooms/jobs.ts'

/**
 * Connections that arrive while the process is busy wait in the kernel's accept queue, up to net.core.somaxconn. Clients
 * retry further connections only after seconds, with doubling delays.
 */
const MAX_WAITING = 65_535

export interface RunningServer {
  /** Address on which the server listens, like `http://127.0.0.1:8080`. */
  url: string
  deps: Deps
  /** Link that makes its user the first operator; undefined if an operator exists, or if the first account becomes one. */
  claimLink: string | undefined
  /** Checks immediately for a changed certificate. */
  reloadCertificate(): Promise<void>
  /** Drains: accepts no new work, finishes running work, and makes clients reconnect. */
  close(): Promise<void>
}

export interface StartOptions {
  config: Config
  connection: pg.ClientConfig
  log: Logger
  /** Returns the reason why the database does not answer, if known. */
  databaseTrouble?: () => string | undefined
  /** Commit of the git checkout that the server was started from. */
  commit?: Promise<string | null>
  /** This and the following options are only for tests, which would otherwise compute or wait for too long. */
  passwordCost?: PasswordCost
  probeTimes?: ProbeTimes
  puzzleWork?: PuzzleWork
  /** Longest pause after rendering a public page, in milliseconds; 20 by default. */
  maxPageRestMs?: number
  /** Interval of the checks for announcements and feeds that must be copied or pushed, in milliseconds; 2000 by default. */
  lookMs?: number
}

/** Connections of the job pool. Each of the three workers keeps one of them to LISTEN. */
const JOB_CONNECTIONS = 7
/** Time limit for a query in the job pool, because the database sets none for the queue's own statements. */
const JOB_QUERY_MS = 60_000

/**
 * Migrates the database and starts the requested services. Everything opened is closed in reverse order, on request or
 * when a later step fails.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  await using opened = new AsyncDisposableStack()
  const { config, log } = options
  const connection = { ...options.connection, pooling: config.databasePooling }
  const directUrl = config.directDatabaseUrl
  const directConnection = directUrl === undefined ? connection : { connectionString: directUrl }
  const jobs = openJobPool(directConnection, log)
  opened.defer(() => jobs.close())
  await prepareDatabase(options, directConnection, jobs.pool)
  const secretKey = config.secretKey ?? (await keptSecretKey(config.dataDir))
  const valkey = await openValkey(config, secretKey, log)
  opened.defer(() => valkey?.close())
  const resumableSince = await noteStart(jobs.pool)
  const deps = createDeps({ ...options, secretKey, connection, directConnection, valkey, resumableSince })
  deps.bus.subscribe(subscribersOf(deps))
  meterServer(deps, jobs.pool)
  opened.defer(() => deps.database.close())
  opened.defer(() => deps.reads.close())
  opened.defer(() => deps.pageThread.close())
  opened.defer(() => deps.closeFiles())
  opened.defer(() => deps.loadGuard.close())
  if (config.databasePooling === 'transaction') await checkPooled(deps.database)
  await deps.tempFolder.sweep()
  await makePartitions(deps.database, Date.now())
  await renewGrants(deps)
  opened.defer(() => deps.closeSearch())
  opened.defer(() => deps.screening.close())
  await deps.cluster?.start()
  opened.defer(() => deps.cluster?.close())
  opened.defer(() => deps.closeVoice())
  await deps.startVoice()
  const { app, url, https } = await listen(deps, opened)
  await deps.healthSampler.start()
  opened.defer(() => deps.healthSampler.close())
  if (config.services.includes('jobs'))
    await startWorkers(deps, { ...options, pool: jobs.pool, url, directConnection }, opened)
  opened.defer(() => {
    app.lifecycle.draining = true
  })
  // A process that only serves the gateway writes no messages to index.
  if (config.services.some((service) => service !== 'gateway')) deps.searchIndexer.lookForMore()
  const claimLink = config.services.includes('api') ? await keepClaimLink(deps, url) : undefined
  app.lifecycle.starting = false
  const running = opened.move()
  return {
    ...{ url, deps, claimLink },
    reloadCertificate: async () => https?.reload(),
    close: () => running.disposeAsync(),
  }
}

/** Migrates the database and its job queue, and records the version. */
async function prepareDatabase(
  { config, log, commit }: StartOptions,
  connection: Connection,
  pool: pg.Pool,
): Promise<void> {
  await migrateSafely({
    ...{ connection, log, days: config.updateSnapshotDays },
    dataDir: config.databaseUrl === undefined ? config.dataDir : undefined,
    migrateQueue: (copy) => migrateQueueOf(copy, log),
  })
  await migrateJobs(pool, log)
  await noteVersion(pool, { version: config.version, commit: (await commit) ?? null })
}

interface Listening {
  app: App
  url: string
  https: Https | undefined
}

async function listen(deps: Deps, opened: AsyncDisposableStack): Promise<Listening> {
  const { port } = deps.config
  opened.defer(() => deps.presences.close())
  opened.defer(() => deps.messageWriter.close())
  opened.defer(() => deps.webhookPictures.close())
  const app = await buildApp(deps)
  app.lifecycle.starting = true
  opened.defer(() => app.close())
  if (deps.config.services.includes('gateway')) deps.gateway.attach(app.server)
  else app.server.on('upgrade', (_request, socket) => refuseConnection(socket, 'not_found'))
  opened.defer(() => deps.gateway.drain())
  deps.cluster?.onForgotten(() => deps.gateway.sendAway())
  const url = await app.listen({ port, host: portHostOf(deps.config), backlog: MAX_WAITING })
  const https = await openHttps(deps, app)
  opened.defer(() => https?.close())
  return { app, url, https }
}

interface WorkerParts extends Pick<StartOptions, 'lookMs'> {
  pool: pg.Pool
  url: string
  directConnection: Connection
}

async function startWorkers(
  deps: Deps,
  { pool, url, directConnection, lookMs }: WorkerParts,
  opened: AsyncDisposableStack,
): Promise<void> {
  const tables = jobTables(deps, deps.config.publicUrl ?? url)
  const copier = new Copier(deps, lookMs)
  opened.defer(() => copier.close())
  const remoteCopier = new RemoteCopier(deps, lookMs)
  opened.defer(() => remoteCopier.close())
  const pusher = new FeedPusher(deps, lookMs)
  opened.defer(() => pusher.close())
  const worker = await startWorker({ pool, log: deps.log }, [
    ...tables,
    followJobs(deps, [copier, pusher]),
    remoteFollowJobs(remoteCopier),
    updateJobs({ ...deps, directConnection }),
  ])
  opened.defer(() => worker.stop())
  await startPushes(deps, pool, opened)
  if (deps.config.linkPreviews) await startPreviews(deps, pool, opened)
}

function jobTables(deps: Deps, publicUrl: string): JobTable[] {
  const mailing = { ...deps, publicUrl, serverName: serverNameOf({ ...deps.config, publicUrl }) }
  return [
    upkeepJobs(deps),
    userJobs(deps),
    accountJobs(deps),
    operatorJobs(deps),
    announcementJobs(deps),
    presenceJobs(deps),
    temporaryMemberJobs(deps),
    roomJobs(deps),
    webRoomJobs(deps),
    logJobs(deps),
    spaceJobs(deps),
    erasureJobs(deps),
    conversationJobs(deps),
    messageJobs(deps),
    joinMessageJobs(deps),
    automodJobs(deps),
    doorJobs(deps),
    raidJobs(deps),
    searchJobs(deps),
    pinJobs(deps),
    threadJobs(deps),
    callJobs(deps),
    fileJobs(deps),
    backupJobs(deps),
    surveyJobs(deps),
    bucketJobs(deps),
    previewSweepJobs(deps),
    commandJobs(deps),
    interactionJobs(deps),
    groupRoleJobs(deps),
    authJobs(mailing),
    exportJobs(mailing),
    spaceImportJobs(deps),
  ]
}

/** Previews wait for other hosts, so they have workers of their own. */
async function startPreviews(deps: Deps, pool: pg.Pool, opened: AsyncDisposableStack): Promise<void> {
  const worker = await startWorker({ pool, log: deps.log }, [previewJobs(deps)], PREVIEW_CONCURRENCY)
  opened.defer(() => worker.stop())
  opened.defer(() => deps.previewer.close())
}

/** Pushes wait for push services, so they have workers of their own. */
async function startPushes(deps: Deps, pool: pg.Pool, opened: AsyncDisposableStack): Promise<void> {
  const worker = await startWorker({ pool, log: deps.log }, [pushJobs(deps)], PUSH_CONCURRENCY)
  opened.defer(() => worker.stop())
  opened.defer(() => deps.closePushes())
}

/** Migrates the job queue in the copy of the database on which an update is tested. */
async function migrateQueueOf(copy: Connection, log: Logger): Promise<void> {
  const jobs = openJobPool(copy, log)
  try {
    await migrateJobs(jobs.pool, log)
  } finally {
    await jobs.close()
  }
}

function openJobPool(connection: Connection, log: Logger): OpenPool {
  return openPool({ query_timeout: JOB_QUERY_MS, ...connection, max: JOB_CONNECTIONS }, (error) =>
    log.error({ err: error }, 'the job queue lost its database'),
  )
}
