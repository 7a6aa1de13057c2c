import proxyAddr from '@fastify/proxy-addr'
import { accountRoutes } from './accounts/routes.ts'
import { jobAdministrationRoutes } from './administration/jobs/routes.ts'
import { loginRuleRoutes } from './administration/login-rules/routes.ts'
import { overviewRoutes } from './administration/overview/routes.ts'
import { publicPagesRoutes } from './administration/public-pages/routes.ts'
import { registrationRoutes } from './administration/registrations/routes.ts'
import { settingRoutes } from './administration/settings/routes.ts'
import { spaceAdministrationRoutes } from './administration/spaces/routes.ts'
import { stillMissingRoutes } from './administration/still-missing/routes.ts'
import { storageAdministrationRoutes } from './administration/storage/routes.ts'
import { userAdministrationRoutes } from './administration/users/routes.ts'
import { announcementRoutes } from './announcements/routes.ts'
import { botRoutes } from './applications/bots/routes.ts'
import { applicationRoutes } from './applications/routes.ts'
import { objectRoutes } from './attachments/object-routes.ts'
import { attachmentRoutes } from './attachments/routes.ts'
import { auditLogRoutes } from './audit-log/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { heldMessageRoutes } from './automod/held-routes.ts'
import { automodRoutes } from './automod/routes.ts'
import { backupAdministrationRoutes } from './backups/operator-routes.ts'
import { appealRoutes } from './bans/appeals/routes.ts'
import { banRoutes } from './bans/routes.ts'
import { bucketRoutes } from './buckets/routes.ts'
import { callRoutes } from './calls/routes.ts'
import { typingRoutes } from './channels/typing/routes.ts'
import { commandRoutes } from './commands/routes.ts'
import { conversationRoutes } from './conversations/routes.ts'
import type { Deps } from './deps.ts'
import { doorRoutes } from './door/routes.ts'
import { waitingRoutes } from './door/waiting-routes.ts'
import { exportRoutes } from './exports/routes.ts'
import { spaceExportRoutes } from './exports/space/routes.ts'
import { IncomingUploads } from './files/incoming-uploads.ts'
import { findAwaited } from './files/relay.ts'
import { forumRoutes } from './forums/routes.ts'
import { friendRoutes } from './friends/routes.ts'
import { gatewayRoutes } from './gateway/routes.ts'
import { interactionRoutes } from './interactions/routes.ts'
import { inviteRoutes } from './invites/routes.ts'
import { isNearAddress } from './kernel/http/near-addresses.ts'
import { createHttp } from './kernel/http/server.ts'
import type { App } from './kernel/http/types.ts'
import { memberRoutes } from './members/routes.ts'
import { mentionRoutes } from './messages/mentions/routes.ts'
import { pinRoutes } from './messages/pins/routes.ts'
import { reactionRoutes } from './messages/reactions/routes.ts'
import { readStateRoutes } from './messages/read-states/routes.ts'
import { messageRoutes } from './messages/routes.ts'
import { threadRoutes } from './messages/threads/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { instanceRoutes } from './operations/instance-routes.ts'
import { operationRoutes } from './operations/routes.ts'
import { operatorRoutes } from './operators/routes.ts'
import { overwriteRoutes } from './overwrites/routes.ts'
import { presenceRoutes } from './presence/routes.ts'
import { proxyRoutes } from './proxy/routes.ts'
import { pushRoutes } from './push/routes.ts'
import { referenceRoutes } from './reference/routes.ts'
import { moderatorReportRoutes } from './reports/moderator-routes.ts'
import { operatorReportRoutes } from './reports/operator-routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { groupRoleRoutes } from './roles/groups/routes.ts'
import { roleRoutes } from './roles/routes.ts'
import { roomRoutes } from './rooms/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { serverTestRoutes } from './server-tests/routes.ts'
import { spaceImportRoutes } from './space-archives/imports/routes.ts'
import { spaceImageRoutes } from './space-images/routes.ts'
import { spaceRoutes } from './spaces/routes.ts'
import { threadRoomRoutes } from './thread-rooms/routes.ts'
import { userRoutes } from './users/routes.ts'
import { checkRoutes } from './voice/check-routes.ts'
import { liveKitRoutes } from './voice/livekit/routes.ts'
import { voiceRoutes } from './voice/routes.ts'
import { inviteLookup } from './web-client/invite-page.ts'
import { webClientRoutes } from './web-client/routes.ts'
import { webPageRoutes } from './web-pages/routes.ts'
import { webRoomRoutes } from './web-rooms/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Builds the HTTP server: with every feature of the API, or, in a process without it, only with operators' routes. */
export async function buildApp(deps: Deps): Promise<App> {
  const { trustedProxies, rateLimits } = deps.config
  const isTrusted = proxyAddr.compile([...trustedProxies])
  const isExempt = (address: string) => isNearAddress(address) || isTrusted(address, 0)
  const connectionBounds = rateLimits ? { isExempt } : undefined
  const app = createHttp({ ...deps, trustedProxies, connectionBounds })
  const hasApi = deps.config.services.includes('api')
  // Describes the routes registered after it.
  if (hasApi) await referenceRoutes(app, deps.config)
  operationRoutes(app, deps)
  // Runs where LiveKit's sessions are, even in a process without the API.
  liveKitRoutes(app, deps)
  if (hasApi) await apiRoutes(app, deps)
  return app
}

async function apiRoutes(app: App, deps: Deps): Promise<void> {
  instanceRoutes(app, deps)
  userRoutes(app, deps)
  authRoutes(app, deps)
  accountRoutes(app, deps)
  exportRoutes(app, deps)
  administrationRoutes(app, deps)
  applicationRoutes(app, deps)
  friendRoutes(app, deps)
  spaceRoutes(app, deps)
  spaceExportRoutes(app, deps)
  spaceImportRoutes(app, deps)
  roomRoutes(app, deps)
  webRoomRoutes(app, deps)
  roleRoutes(app, deps)
  groupRoleRoutes(app, deps)
  overwriteRoutes(app, deps)
  memberRoutes(app, deps)
  moderationRoutes(app, deps)
  botRoutes(app, deps)
  commandRoutes(app, deps)
  interactionRoutes(app, deps)
  inviteRoutes(app, deps)
  spaceImageRoutes(app, deps)
  conversationRoutes(app, deps)
  callRoutes(app, deps)
  messageRoutes(app, deps)
  mentionRoutes(app, deps)
  reactionRoutes(app, deps)
  pinRoutes(app, deps)
  threadRoutes(app, deps)
  roomsOfThreadsRoutes(app, deps)
  webhookRoutes(app, deps)
  voiceRoutes(app, deps)
  checkRoutes(app, deps)
  searchRoutes(app, deps)
  const uploads = new IncomingUploads(deps.database)
  attachmentRoutes(app, { ...deps, uploads })
  proxyRoutes(app, deps)
  bucketRoutes(app, deps)
  readStateRoutes(app, deps)
  typingRoutes(app, deps)
  notificationRoutes(app, deps)
  presenceRoutes(app, deps)
  pushRoutes(app, deps)
  const isAwaited = async (key: string) => (await findAwaited(deps.database, key)) !== undefined
  objectRoutes(app, { own: deps.stores.own, isAwaited, uploads, disk: deps.ownLimits.disk })
  gatewayRoutes(app, deps.config)
  await pageRoutes(app, deps)
}

function roomsOfThreadsRoutes(app: App, deps: Deps): void {
  threadRoomRoutes(app, deps)
  forumRoutes(app, deps)
}

/** Pages for browsers. */
async function pageRoutes(app: App, deps: Deps): Promise<void> {
  webPageRoutes(app, { ...deps, publicUrl: deps.config.publicUrl })
  await webClientRoutes(app, deps.config, { findInvite: inviteLookup(deps) })
}

function administrationRoutes(app: App, deps: Deps): void {
  operatorRoutes(app, deps)
  operatorReportRoutes(app, deps)
  userAdministrationRoutes(app, deps)
  spaceAdministrationRoutes(app, deps)
  registrationRoutes(app, deps)
  loginRuleRoutes(app, deps)
  publicPagesRoutes(app, deps)
  stillMissingRoutes(app, deps)
  settingRoutes(app, deps)
  announcementRoutes(app, deps)
  serverTestRoutes(app, deps)
  overviewRoutes(app, deps)
  storageAdministrationRoutes(app, deps)
  jobAdministrationRoutes(app, deps)
  backupAdministrationRoutes(app, deps)
}

function moderationRoutes(app: App, deps: Deps): void {
  banRoutes(app, deps)
  auditLogRoutes(app, deps)
  automodRoutes(app, deps)
  heldMessageRoutes(app, deps)
  doorRoutes(app, deps)
  waitingRoutes(app, deps)
  reportRoutes(app, deps)
  moderatorReportRoutes(app, deps)
  appealRoutes(app, deps)
}
