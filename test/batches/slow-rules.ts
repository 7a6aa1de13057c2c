/**
 * Tests of rules that only `bin/check` runs: they take more than half of the time of all tests of rules, and few changes
 * affect them. For each group, `bin/test` runs quicker tests of the feature, unless the comment says otherwise.
 */
export const SLOW_RULES = [
  // Killed processes and full disks. Quicker: the tests of the feature itself.
  'apps/server/src/**/{kills,crashes}.test.ts',
  'apps/server/src/**/{full-disk,full-disks}.test.ts',

  // Operators' tools on databases of their own. Quicker: backups/backups, updates/updates, command-line/command-line.
  'apps/server/src/operating/backups/{damage,repairs,refusals,bucket-backups,restored-server}.test.ts',
  'apps/server/src/operating/backups/{operator-routes,schedule,interferences}.test.ts',
  'apps/server/src/operating/updates/{embedded,other-databases,rollback}.test.ts',
  'apps/server/src/operating/command-line/embedded.test.ts',
  'apps/server/src/operating/doctor/doctor.test.ts',
  'apps/server/src/operating/operations/signals.test.ts',
  'apps/server/src/kernel/secrets/secret-key.test.ts',

  // Starting PostgreSQL a dozen times, and losing it. No quicker test, but every run starts PostgreSQL once.
  'apps/server/src/postgres/*.test.ts',
  'apps/server/src/kernel/database/{power-cut,replica,database-away}.test.ts',

  // Servers of several processes, and Valkey that goes away. Quicker: messages/{messages,nonces,uploads} and kernel/valkey.
  'apps/server/src/**/{processes,page-processes,slow-mode-processes}.test.ts',
  'apps/server/src/kernel/cluster/cut-off.test.ts',
  'apps/server/src/messages/writer/writers.test.ts',
  'apps/server/src/people/presence/hiding.test.ts',
  'apps/server/src/voice/hosts/hosts.test.ts',

  // Certificates from an ACME server.
  'apps/server/src/operating/certificates/acme.test.ts',

  // Plans of queries over 100,000 members, threads, posts and messages. Quicker: members/members, thread-rooms/thread-lists,
  // thread-rooms/thread-remains, forums/posts and exports/account/account.
  'apps/server/src/{forums/state-lists,thread-rooms/thread-crowds,search/lags}.test.ts',
  'apps/server/src/{members/large-space,exports/account/costs}.test.ts',

  // Bodies, floods and crowds of the size of the limits. Quicker: kernel/http/bodies/bodies, gateway/connections/admission,
  // gateway/joining. Only these prove MEMBER-9, ADMISSION-10 and GATEWAY-20.
  'apps/server/src/kernel/http/bodies/{body-memory,long-bodies}.test.ts',
  'apps/server/src/integrations/webhooks/flood.test.ts',
  'apps/server/src/gateway/connections/{misuse,floods}.test.ts',
  'apps/server/src/gateway/joining/{large-accounts,image-weights}.test.ts',
  'apps/server/src/gateway/fan-out/crowds.test.ts',
  'apps/server/src/people/auth/one-time.test.ts',

  // Whole garbage collections until nothing is left, which take seconds in the large heap of a batch of `bin/test`. Quicker:
  // gateway/fan-out/delivery, which reads the same frames.
  'apps/server/src/gateway/connections/inflaters.test.ts',

  // Tests that wait for time limits of 5 to 15 s.
  'apps/server/src/kernel/http/open-connections.test.ts',
  'apps/server/src/kernel/tls/front.test.ts',
  'apps/server/src/kernel/outgoing/bounds.test.ts',
  'apps/server/src/integrations/follows/slow-storage.test.ts',
  'apps/server/src/search/timeouts.test.ts',
  'apps/server/src/people/auth/oidc/silent-providers.test.ts',

  // Tests that wait seconds for another server, or for its requests. Quicker: remote-follows/{access,bounds,hostile}.
  'apps/server/src/integrations/remote-follows/{following,retries,week-away}.test.ts',

  // Random changes and requests. Quicker: gateway/access/agreement, and the tests that name each rule.
  'apps/server/src/{search,voice}/agreement.test.ts',
  'apps/server/src/web/web-pages/outside-readers.test.ts',
  'apps/server/src/web/web-pages/random-states.test.ts',
  'apps/server/src/gateway/**/{conversation-agreement,room-list-agreement}.test.ts',
  'apps/server/src/reference/fuzz.test.ts',

  // Voice over WebRTC for as long as its time limits. Quicker: voice/states, voice/sfu/media, voice/sfu/tcp/media-by-tcp,
  // voice/sdk.
  'apps/server/src/voice/sessions/permission-watcher.test.ts',
  'apps/server/src/voice/sfu/{leaving,hostile}.test.ts',
  'apps/server/src/voice/sfu/video/hostile-peers.test.ts',
  'apps/server/src/voice/sfu/tcp/tcp-port.test.ts',
  'apps/server/src/voice/sweeps/*.test.ts',
  'apps/server/src/voice/embedded/engine.test.ts',
  'apps/server/src/voice/engines.test.ts',

  // Real and failing storages. Quicker: buckets/buckets, files/sweep, kernel/storage/folder-store and s3-client.
  'apps/server/src/files/buckets/{updates,probe,real-storage}.test.ts',
  'apps/server/src/kernel/storage/{memory,s3-store,signed-urls,object-store}.test.ts',
  'apps/server/src/**/{file-failures,failing-storage,hostile-storage}.test.ts',
  'apps/server/src/files/objects/{copies,faults}.test.ts',

  // Hostile pictures, pages and archives, each of many kinds. Quicker: kernel/media/types, previews/previews,
  // space-archives/imports.
  'apps/server/src/kernel/media/hostile.test.ts',
  'apps/server/src/files/previews/hostile.test.ts',
  'apps/server/src/space-archives/hostile-{archives,forums,spaces,threads,values}.test.ts',

  // Costs of hundreds of requests, and of hostile texts. Quicker: kernel/http/rate-limits, moderation/screening/matching.
  'apps/server/src/{messages/page-cost,rooms/change-cost,moderation/screening/matching/cost}.test.ts',

  // The packed SDK, for which a project is compiled for each way to use it.
  'apps/server/src/integrations/interactions/packed-sdk.test.ts',
]
