import { ChangeEmailSendBody, ForgotPasswordBody, ResetPasswordBody, TokenBody } from '@foyer/protocol/auth'
import { Type } from 'typebox'
import { givenCredential } from '#src/kernel/http/authentication.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, accountCare } from '#src/kernel/http/types.ts'
import { changeEmail, sendEmailChange } from './actions/email-change.ts'
import { forgotPassword, resetPassword, sendPasswordReset } from './actions/password-reset.ts'
import { sendVerification, verifyEmail } from './actions/verification.ts'
import { clientOf } from './client.ts'
import type { AuthRouteDeps } from './deps.ts'
import { linkHostOf } from './link-host.ts'
import { demandPasswords } from './password-login.ts'
import { sessionOf } from './session-of.ts'

const tags = ['Authentication']
const response = { 204: Type.Null() }

/** Routes that request mails, and the routes of their links. */
export function mailLinkRoutes(app: App, deps: AuthRouteDeps): void {
  verificationRoutes(app, deps)
  passwordResetRoutes(app, deps)
  emailChangeRoutes(app, deps)
}

function verificationRoutes(app: App, deps: AuthRouteDeps): void {
  app.post(
    '/api/auth/verify/send',
    {
      config: { ...accountCare, limits: ['mailSending', 'signin'] },
      schema: { tags, summary: 'Send Verification Mail', response },
    },
    async (request, reply) => {
      await sendVerification(deps, request.caller.user, linkHostOf(request, deps.config))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/auth/verify',
    {
      config: { access: 'public', limits: ['signin'] },
      schema: { tags, summary: 'Verify Email Address', body: TokenBody, response },
    },
    async (request, reply) => {
      const { token } = await readBody(request)
      await verifyEmail(deps, token)
      return reply.code(204).send(null)
    },
  )
}

function passwordResetRoutes(app: App, deps: AuthRouteDeps): void {
  app.post(
    '/api/auth/forgot-password',
    {
      config: { access: 'public', limits: ['login'] },
      schema: { tags, summary: 'Forgot Password', body: ForgotPasswordBody, response },
    },
    async (request, reply) => {
      demandPasswords(deps.config)
      const { email } = await readBody(request)
      await forgotPassword(deps, email, linkHostOf(request, deps.config))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/auth/reset-password/send',
    {
      config: { ...accountCare, limits: ['mailSending', 'login'] },
      schema: { tags, summary: 'Send Password Reset Mail', response },
    },
    async (request, reply) => {
      demandPasswords(deps.config)
      await sendPasswordReset(deps, request.caller.user.id, linkHostOf(request, deps.config))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/auth/reset-password',
    {
      config: { access: 'public', limits: ['login'] },
      schema: { tags, summary: 'Reset Password', body: ResetPasswordBody, response },
    },
    async (request, reply) => {
      demandPasswords(deps.config)
      const body = await readBody(request)
      const caller = await deps.credentials.authenticate(givenCredential(request.headers), request.ip)
      await resetPassword(deps, body, { caller, client: clientOf(request, deps.config) })
      return reply.code(204).send(null)
    },
  )
}

function emailChangeRoutes(app: App, deps: AuthRouteDeps): void {
  app.post(
    '/api/auth/change-email/send',
    {
      config: { ...accountCare, limits: ['mailSending', 'login'] },
      schema: { tags, summary: 'Send Email Change Mail', body: ChangeEmailSendBody, response },
    },
    async (request, reply) => {
      const body = await readBody(request)
      await sendEmailChange(deps, sessionOf(request), body, linkHostOf(request, deps.config))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/auth/change-email',
    {
      config: { access: 'public', limits: ['login'] },
      schema: { tags, summary: 'Change Email Address', body: TokenBody, response },
    },
    async (request, reply) => {
      const { token } = await readBody(request)
      await changeEmail(deps, token, clientOf(request, deps.config))
      return reply.code(204).send(null)
    },
  )
}
