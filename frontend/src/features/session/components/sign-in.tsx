import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button';
import { Form } from '../../../components/form';
import { askKey, hasKeys } from '../../../lib/security-keys';
import { doorQueryOptions, type Asked } from '../api/mailed';
import { answerIn, useProvider, type ProviderAnswer } from '../api/providers';
import { isCodeNeeded, keyRequestOf, useSignIn } from '../api/sign-in';
import { AskForLink } from './ask-for-link';
import { CodeField, Door, DoorFault, DoorField } from './door';
import styles from './sign-in.module.css';

/** The one-time code of a sign-in link: `#code=...`, or all that stands after the `#`. */
export function codeIn(hash: string): string | null {
  const text = hash.replace(/^#/, '');
  const named = new URLSearchParams(text).get('code');
  if (named) return named;
  return /^[\w-]{16,100}$/.test(text) ? text : null;
}

/** Takes the code out of the address, so that neither history nor a bookmark keeps it. */
function takeCode(): string | null {
  const code = codeIn(location.hash);
  if (code) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}

/** Takes what the sign-in provider put into the address out of it. */
function takeAnswer(): ProviderAnswer | null {
  const answer = answerIn(location.pathname, location.search);
  if (answer) history.replaceState(history.state, '', '/');
  return answer;
}

function ProviderButton({ by, name }: { by: ProviderAnswer['by']; name: string }) {
  const provider = useProvider(by);
  return (
    <>
      {provider.isError && <DoorFault error={provider.error} />}
      <Button disabled={provider.isPending} onClick={() => provider.mutate()}>
        Sign in with {name}
      </Button>
    </>
  );
}

export function SignIn() {
  const signIn = useSignIn();
  const { mutate } = signIn;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const [isCodeAsked, setCodeAsked] = useState(false);
  const [isKeyAsked, setKeyAsked] = useState(false);
  const key = useMutation({
    mutationFn: async () => askKey(await keyRequestOf({ email, password })),
  });
  const asked = useRef(false);
  const door = useQuery(doorQueryOptions);
  const [wanted, setWanted] = useState<Asked | null>(null);

  useEffect(() => {
    const tryLink = () => {
      const code = takeCode();
      const answer = takeAnswer();
      if (code) mutate({ code });
      else if (answer) mutate(answer);
    };
    if (!asked.current) tryLink();
    asked.current = true;
    window.addEventListener('hashchange', tryLink);
    return () => window.removeEventListener('hashchange', tryLink);
  }, [mutate]);

  const onError = (error: unknown) => {
    if (!isCodeNeeded(error)) return;
    setCodeAsked(true);
    setKeyAsked(error.body.key_request !== undefined && hasKeys());
  };
  const submit = () => mutate({ email, password, ...(isCodeAsked && { otp }) }, { onError });
  const submitKey = () => {
    signIn.reset();
    key.mutate(undefined, { onSuccess: (answer) => mutate({ email, password, otp: answer }) });
  };
  const back = () => {
    signIn.reset();
    key.reset();
    setOtp('');
    setCodeAsked(false);
  };

  if (isCodeAsked) {
    return (
      <Door>
        <div>
          <h1>Enter your code</h1>
          <p className="muted">
            {isKeyAsked && 'Use your security key, or enter the'}
            {!isKeyAsked && 'The'} one-time code that your authenticator app shows, or a recovery
            code.
          </p>
        </div>
        <Form className={`${styles.form} stack gap-12`} onSend={submit}>
          {isKeyAsked && (
            <Button look="primary" disabled={key.isPending || signIn.isPending} onClick={submitKey}>
              Use your security key
            </Button>
          )}
          {key.isError && <DoorFault error={key.error} />}
          <CodeField value={otp} onChange={setOtp} />
          {signIn.isError && !isCodeNeeded(signIn.error) && <DoorFault error={signIn.error} />}
          <Button
            type="submit"
            look={isKeyAsked ? undefined : 'primary'}
            disabled={signIn.isPending}
          >
            Sign in
          </Button>
          <Button look="quiet" onClick={back}>
            Back
          </Button>
        </Form>
      </Door>
    );
  }

  if (wanted !== null) {
    return (
      <Door>
        <AskForLink what={wanted} onBack={() => setWanted(null)} />
      </Door>
    );
  }
  return (
    <Door>
      <div>
        <h1>Sign in</h1>
        <p className="muted">
          Open the sign-in link that Ampacity printed when it started, or use your account.
        </p>
      </div>
      <Form className={`${styles.form} stack gap-12`} onSend={submit}>
        <DoorField label="Email" autoComplete="username" value={email} onChange={setEmail} />
        <DoorField
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        {signIn.isError && <DoorFault error={signIn.error} />}
        <Button type="submit" look="primary" disabled={signIn.isPending}>
          {signIn.isPending ? 'Signing in …' : 'Sign in'}
        </Button>
        {door.data?.openid && <ProviderButton by="openid" name={door.data.openid} />}
        {door.data?.saml && <ProviderButton by="saml" name={door.data.saml} />}
        {door.data?.mail && (
          <Button look="quiet" onClick={() => setWanted('reset')}>
            Forgot your password?
          </Button>
        )}
        {door.data?.sign_up === 'open' && (
          <Button look="quiet" onClick={() => setWanted('sign_up')}>
            Create an account
          </Button>
        )}
      </Form>
    </Door>
  );
}
