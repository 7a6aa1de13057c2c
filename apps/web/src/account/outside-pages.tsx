import { Route, Switch } from 'wouter'
import { ClaimPage } from '#src/auth/claim-page.tsx'
import { ConfirmPage } from '#src/auth/confirm-page.tsx'
import { ForgotPasswordPage } from '#src/auth/forgot-password-page.tsx'
import { ProviderPage } from '#src/auth/providers/provider-page.tsx'
import { ResetPasswordPage } from '#src/auth/reset-password-page.tsx'
import { NeededPage } from './two-step/needed-page.tsx'
import { WayBackPage } from './way-back/way-back-page.tsx'

/**
 * Pages opened by links in mails, by sign-in providers, and by the link for the first operator. `/second-factor` is for users
 * who need a second factor.
 */
export function OutsidePages() {
  return (
    <Switch>
      <Route path="/claim">
        <ClaimPage />
      </Route>
      <Route path="/verify">
        <ConfirmPage purpose="verify" />
      </Route>
      <Route path="/change-email">
        <ConfirmPage purpose="change-email" />
      </Route>
      <Route path="/reset-password">
        <ResetPasswordPage />
      </Route>
      <Route path="/forgot-password">
        <ForgotPasswordPage />
      </Route>
      <Route path="/second-factor">
        <NeededPage />
      </Route>
      <Route path="/way-back">
        <WayBackPage />
      </Route>
      <Route>
        <ProviderPage />
      </Route>
    </Switch>
  )
}
