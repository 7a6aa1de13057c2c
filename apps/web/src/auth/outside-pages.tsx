import { Route, Switch } from 'wouter'
import { ClaimPage } from './claim-page.tsx'
import { ConfirmPage } from './confirm-page.tsx'
import { ForgotPasswordPage } from './forgot-password-page.tsx'
import { ProviderPage } from './providers/provider-page.tsx'
import { ResetPasswordPage } from './reset-password-page.tsx'

/** Pages to which links in mails and sign-in providers lead, and that of the link for the first operator. */
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
      <Route>
        <ProviderPage />
      </Route>
    </Switch>
  )
}
