import proxyAddr from '@fastify/proxy-addr'
import { callRoutes } from './calls/routes.ts'
import { typingRoutes } from './channels/typing/routes.ts'
import { conversationRoutes } from './conversations/routes.ts'
import type { Deps } from './deps.ts'
import { exportRoutes } from './exports/routes.ts'
import { spaceExportRoutes } from './exports/space/routes.ts'
import { objectRoutes } from './files/attachments/object-routes.ts'
import { attachmentRoutes } from './files/attachments/routes.ts'
import { bucketRoutes } from './files/buckets/routes.ts'
import { IncomingUploads } from './files/objects/incoming-uploads.ts'
import { findAwaited } from './files/objects/relay.ts'
import { proxyRoutes } from './files/proxy/routes.ts'
import { spaceImageRoutes } from './files/space-images/routes.ts'
import { forumRoutes } from './forums/routes.ts'
import { gatewayRoutes } from './gateway/routes.ts'
import { botRoutes } from './integrations/applications/bots/routes.ts'
import { applicationRoutes } from './integrations/applications/routes.ts'
import { commandRoutes } from './integrations/commands/routes.ts'
import { followRoutes } from './integrations/follows/routes.ts'
import { interactionRoutes } from './integrations/interactions/routes.ts'
import { remoteFollowRoutes } from './integrations/remote-follows/routes.ts'
import { webhookRoutes } from './integrations/webhooks/routes.ts'
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
import { auditLogRoutes } from './moderation/audit-log/routes.ts'
import { heldMessageRoutes } from './moderation/automod/held-routes.ts'
import { automodRoutes } from './moderation/automod/routes.ts'
import { appealRoutes } from './moderation/bans/appeals/routes.ts'
import { banRoutes } from './moderation/bans/routes.ts'
import { doorRoutes } from './moderation/door/routes.ts'
import { waitingRoutes } from './moderation/door/waiting-routes.ts'
import { moderatorReportRoutes } from './moderation/reports/moderator-routes.ts'
import { operatorReportRoutes } from './moderation/reports/operator-routes.ts'
import { reportRoutes } from './moderation/reports/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { jobAdministrationRoutes } from './operating/administration/jobs/routes.ts'
import { loginRuleRoutes } from './operating/administration/login-rules/routes.ts'
import { overviewRoutes } from './operating/administration/overview/routes.ts'
import { publicPagesRoutes } from './operating/administration/public-pages/routes.ts'
import { registrationRoutes } from './operating/administration/registrations/routes.ts'
import { settingRoutes } from './operating/administration/settings/routes.ts'
import { spaceAdministrationRoutes } from './operating/administration/spaces/routes.ts'
import { stillMissingRoutes } from './operating/administration/still-missing/routes.ts'
import { storageAdministrationRoutes } from './operating/administration/storage/routes.ts'
import { userAdministrationRoutes } from './operating/administration/users/routes.ts'
import { announcementRoutes } from './operating/announcements/routes.ts'
import { backupAdministrationRoutes } from './operating/backups/operator-routes.ts'
import { instanceRoutes } from './operating/operations/instance-routes.ts'
import { operationRoutes } from './operating/operations/routes.ts'
import { operatorRoutes } from './operating/operators/routes.ts'
import { serverTestRoutes } from './operating/server-tests/routes.ts'
import { overwriteRoutes } from './overwrites/routes.ts'
import { accountRoutes } from './people/accounts/routes.ts'
import { authRoutes } from './people/auth/routes.ts'
import { friendRoutes } from './people/friends/routes.ts'
import { presenceRoutes } from './people/presence/routes.ts'
import { userRoutes } from './people/users/routes.ts'
import { pushRoutes } from './push/routes.ts'
import { referenceRoutes } from './reference/routes.ts'
import { groupRoleRoutes } from './roles/groups/routes.ts'
import { roleRoutes } from './roles/routes.ts'
import { roomRoutes } from './rooms/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { spaceImportRoutes } from './space-archives/imports/routes.ts'
import { spaceRoutes } from './spaces/routes.ts'
import { threadRoomRoutes } from './thread-rooms/routes.ts'
import { checkRoutes } from './voice/check-routes.ts'
import { liveKitRoutes } from './voice/livekit/routes.ts'
import { voiceRoutes } from './voice/routes.ts'
import { inviteLookup } from './web/web-client/invite-page.ts'
import { webClientRoutes } from './web/web-client/routes.ts'
import { webFeedRoutes } from './web/web-feeds/routes.ts'
import { webPageRoutes } from './web/web-pages/routes.ts'
import { webRoomRoutes } from './web/web-rooms/routes.ts'

/** Builds the HTTP server. A process without the `api` service serves only the routes of operators and of LiveKit. */
export async function buildApp(deps: Deps): Promise<App> {
  const { trustedProxies, rateLimits } = deps.config
  const isTrusted = proxyAddr.compile([...trustedProxies])
  const isExempt = (address: string) => isNearAddress(address) || isTrusted(address, 0)
  const connectionBounds = rateLimits ? { isExempt } : undefined
  const app = createHttp({ ...deps, trustedProxies, connectionBounds })
  const hasApi = deps.config.services.includes('api')
  // Must be registered first: the API reference describes only the routes registered after it.
  if (hasApi) await referenceRoutes(app, deps.config)
  operationRoutes(app, deps)
  // Registered without the API, too: LiveKit calls a process that carries voice, which may not serve the API.
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
  routesOfWebhooks(app, deps)
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

function routesOfWebhooks(app: App, deps: Deps): void {
  webhookRoutes(app, deps)
  followRoutes(app, deps)
  remoteFollowRoutes(app, deps)
}

function roomsOfThreadsRoutes(app: App, deps: Deps): void {
  threadRoomRoutes(app, deps)
  forumRoutes(app, deps)
}

/** Registers the public pages of spaces, their feeds, and the web client. */
async function pageRoutes(app: App, deps: Deps): Promise<void> {
  webPageRoutes(app, { ...deps, publicUrl: deps.config.publicUrl })
  webFeedRoutes(app, { ...deps, publicUrl: deps.config.publicUrl })
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
