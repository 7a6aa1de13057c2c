import { Readable } from 'node:stream'
import {
  AuditLogEntry,
  AuditLogEntryParams,
  AuditLogFilter,
  AuditLogPage,
  AuditLogQuery,
} from '@foyer/protocol/audit-log'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { App } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessEntry, exportAuditLog, readAuditLog } from './actions.ts'
import { type UndoDeps, undoChange } from './undo.ts'

type Deps = UndoDeps & { snapshots: Snapshots }

const tags = ['Audit log']
const base = '/api/spaces/:spaceId/audit-log'

export function auditLogRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  exportRoute(app, deps)
  undoRoute(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'List Audit Log Entries',
    params: SpaceParams,
    querystring: AuditLogQuery,
    response: { 200: AuditLogPage },
  }
  app.get(base, { schema }, async ({ caller, params, query }) => {
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ViewAuditLog')
    return readAuditLog(deps.database, access, query)
  })
}

function exportRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Export Audit Log',
    description: 'All entries in JSON Lines, newest first.',
    params: SpaceParams,
    querystring: AuditLogFilter,
    response: { 200: Type.Unsafe<Readable>({ type: 'string' }) },
  }
  app.get(`${base}/export`, { schema }, async ({ caller, params, query }, reply) => {
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ViewAuditLog')
    return reply
      .type('application/jsonl; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit-log.jsonl"')
      .send(Readable.from(exportAuditLog(deps, access, query)))
  })
}

function undoRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Undo Change',
    params: AuditLogEntryParams,
    response: { 200: AuditLogEntry },
  }
  app.post(`${base}/:entryId/undo`, { schema }, async ({ caller, params }) => {
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ViewAuditLog')
    return undoChange(deps, access, await accessEntry(deps.database, access, params.entryId))
  })
}
