import type { BackupOverview, BackupRun } from '@foyer/protocol/operator-backups'
import type { JobOverview, RetriedJobs } from '@foyer/protocol/operator-jobs'
import type { StorageOverview, StorageSurvey } from '@foyer/protocol/operator-storage'
import type {
  CreateOperatorInviteBody,
  FreezeBody,
  HoldBody,
  LockBody,
  Operator,
  OperatorInvite,
  OperatorLogPage,
  OperatorLogQuery,
  OperatorSpace,
  OperatorSpacesQuery,
  OperatorUser,
  OperatorUsersQuery,
  RestoreSpaceBody,
} from '@foyer/protocol/operators'
import type {
  RefuseRegistrationBody,
  Registration,
  RegistrationSettings,
  RegistrationsQuery,
  UpdateRegistrationBody,
} from '@foyer/protocol/registration'
import type { LoginRules, UpdateLoginRulesBody } from '@foyer/protocol/second-factors'
import type { HealthQuery, ServerHealth, ServerOverview } from '@foyer/protocol/server-health'
import type { ServerSettings } from '@foyer/protocol/server-settings'
import type { StillMissing } from '@foyer/protocol/still-missing'
import type { PublicPages } from '@foyer/protocol/web-rooms'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** The routes for operators. `reason` in the options is kept in the operator log. */
export class Administration {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Makes the caller the operator, with the token of the link that the server printed. */
  claim(token: string, options?: CallOptions): Promise<Operator> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: '/api/operator/claim',
      body: { token },
    })
  }

  list(options?: CallOptions): Promise<Operator[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/operators' })
  }

  grant(userId: string, options?: CallOptions): Promise<Operator> {
    return this.#rest.request({ ...options, method: 'PUT', path: path`/api/operator/operators/${userId}` })
  }

  /** Removes an operator, who may be the caller. The last operator cannot be removed. */
  revoke(userId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/operator/operators/${userId}` })
  }

  /** Newest first. For the next page, pass the last entry's id as `before_id`. */
  log(query: OperatorLogQuery = {}, options?: CallOptions): Promise<OperatorLogPage> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/log', query })
  }

  /** Sorted by username. For the next page, pass the last user's id as `after`. */
  findUsers(query: OperatorUsersQuery = {}, options?: CallOptions): Promise<OperatorUser[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/users', query })
  }

  /** Locks an account: ends the sessions of the user and their bots, and refuses new ones. */
  lockUser(userId: string, body: LockBody = {}, options?: CallOptions): Promise<OperatorUser> {
    const where = path`/api/operator/users/${userId}/lock`
    return this.#rest.request({ ...options, method: 'PUT', path: where, body })
  }

  /** Removes a lost second factor and all passkeys. The user gets a mail. */
  removeSecondFactor(userId: string, options?: CallOptions): Promise<OperatorUser> {
    const where = path`/api/operator/users/${userId}/second-factors`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }

  unlockUser(userId: string, options?: CallOptions): Promise<OperatorUser> {
    const where = path`/api/operator/users/${userId}/lock`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }

  /** Deletes the account, with the same effect as if its owner had deleted it. */
  deleteUser(userId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/operator/users/${userId}` })
  }

  /** Sorted by name. For the next page, pass the last space's id as `after`. */
  findSpaces(query: OperatorSpacesQuery = {}, options?: CallOptions): Promise<OperatorSpace[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/spaces', query })
  }

  /** Freezes a space: its members can only read. */
  freezeSpace(spaceId: string, body: FreezeBody = {}, options?: CallOptions): Promise<OperatorSpace> {
    const where = path`/api/operator/spaces/${spaceId}/freeze`
    return this.#rest.request({ ...options, method: 'PUT', path: where, body })
  }

  unfreezeSpace(spaceId: string, options?: CallOptions): Promise<OperatorSpace> {
    const where = path`/api/operator/spaces/${spaceId}/freeze`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }

  deleteSpace(spaceId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/operator/spaces/${spaceId}` })
  }

  /** Brings back a deleted space with all its content, unless it was purged. */
  restoreSpace(spaceId: string, body: RestoreSpaceBody = {}, options?: CallOptions): Promise<OperatorSpace> {
    const where = path`/api/operator/spaces/${spaceId}/restore`
    return this.#rest.request({ ...options, method: 'POST', path: where, body })
  }

  /**
   * Puts a legal hold on a space: it is not purged, and retention deletes nothing in it. Its members are not notified.
   */
  holdSpace(spaceId: string, body: HoldBody = {}, options?: CallOptions): Promise<OperatorSpace> {
    const where = path`/api/operator/spaces/${spaceId}/hold`
    return this.#rest.request({ ...options, method: 'PUT', path: where, body })
  }

  releaseSpace(spaceId: string, options?: CallOptions): Promise<OperatorSpace> {
    const where = path`/api/operator/spaces/${spaceId}/hold`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }

  /** Returns the settings of the server's environment, without secrets. */
  getSettings(options?: CallOptions): Promise<ServerSettings> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/settings' })
  }

  /** Returns the settings that the server still lacks, with the explanations of `npm run doctor`. */
  getStillMissing(options?: CallOptions): Promise<StillMissing> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/still-missing' })
  }

  /** Returns counts of spaces, accounts, messages and files, and the server's processes. */
  overview(options?: CallOptions): Promise<ServerOverview> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/overview' })
  }

  /** Returns figures of the last `hours`, by default 24. */
  health(query: HealthQuery = {}, options?: CallOptions): Promise<ServerHealth> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/health', query })
  }

  /** Returns the findings of the last survey, and the largest tables of the database. */
  storage(options?: CallOptions): Promise<StorageOverview> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/storage' })
  }

  /** Checks all files in the background. Repeating the call during a survey has no effect. */
  surveyStorage(options?: CallOptions): Promise<StorageSurvey> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/operator/storage/survey' })
  }

  /** Returns counts of background jobs, and the failed jobs. */
  jobs(options?: CallOptions): Promise<JobOverview> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/jobs' })
  }

  /** Retries the oldest 100 failed jobs of a task. */
  retryJobs(task: string, options?: CallOptions): Promise<RetriedJobs> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: '/api/operator/jobs/retry',
      body: { task },
    })
  }

  retryJob(jobId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: path`/api/operator/jobs/${jobId}/retry` })
  }

  deleteJob(jobId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/operator/jobs/${jobId}` })
  }

  backups(options?: CallOptions): Promise<BackupOverview> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/backups' })
  }

  /** Makes a backup in the background. Repeating the call during a backup has no effect. */
  backUp(options?: CallOptions): Promise<BackupRun> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/operator/backups' })
  }

  getRegistration(options?: CallOptions): Promise<RegistrationSettings> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/registration' })
  }

  /** Omitted fields stay unchanged. */
  updateRegistration(body: UpdateRegistrationBody, options?: CallOptions): Promise<RegistrationSettings> {
    return this.#rest.request({ ...options, method: 'PATCH', path: '/api/operator/registration', body })
  }

  getLoginRules(options?: CallOptions): Promise<LoginRules> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/login-rules' })
  }

  /** Omitted fields stay unchanged. */
  updateLoginRules(body: UpdateLoginRulesBody, options?: CallOptions): Promise<LoginRules> {
    return this.#rest.request({ ...options, method: 'PATCH', path: '/api/operator/login-rules', body })
  }

  getPublicPages(options?: CallOptions): Promise<PublicPages> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/public-pages' })
  }

  /** Allows or refuses pages that are read without an account. */
  updatePublicPages(body: PublicPages, options?: CallOptions): Promise<PublicPages> {
    return this.#rest.request({ ...options, method: 'PATCH', path: '/api/operator/public-pages', body })
  }

  /** Lists pending applications, oldest first. For the next page, pass the last application's id as `after`. */
  listRegistrations(query: RegistrationsQuery = {}, options?: CallOptions): Promise<Registration[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/registrations', query })
  }

  /** Turns the application into an account. */
  approveRegistration(registrationId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/operator/registrations/${registrationId}/approve`
    return this.#rest.request({ ...options, method: 'POST', path: where })
  }

  /** Deletes the application. */
  refuseRegistration(
    registrationId: string,
    body: RefuseRegistrationBody = {},
    options?: CallOptions,
  ): Promise<void> {
    const where = path`/api/operator/registrations/${registrationId}/refuse`
    return this.#rest.request({ ...options, method: 'POST', path: where, body })
  }

  /** Newest first. Used up and expired invites are omitted. */
  listInvites(options?: CallOptions): Promise<OperatorInvite[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/operator/invites' })
  }

  createInvite(body: CreateOperatorInviteBody = {}, options?: CallOptions): Promise<OperatorInvite> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/operator/invites', body })
  }

  deleteInvite(inviteId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/operator/invites/${inviteId}` })
  }
}
