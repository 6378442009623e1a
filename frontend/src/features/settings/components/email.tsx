import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Fault } from '../../../components/fault';
import { date } from '../../../lib/format';
import { emailQueryOptions, useConfirmEmail } from '../api/email';

/** Whether one's address is known to be one's own. */
export function Email() {
  const email = useQuery(emailQueryOptions);
  const confirm = useConfirmEmail();
  if (!email.data) return null;
  const { verified_at, mail, sees_mail } = email.data;
  return (
    <>
      <div className="line apart gap-8-16">
        <span>
          Address{' '}
          {verified_at ? (
            <Chip tone="good">confirmed {date(verified_at)}</Chip>
          ) : (
            <Chip>not confirmed</Chip>
          )}
        </span>
        {confirm.isSuccess && <span role="status">A link is on its way.</span>}
        <Fault of={confirm} />
        {!verified_at && mail && !confirm.isSuccess && (
          <Button disabled={confirm.isPending} onClick={() => confirm.mutate()}>
            Mail me a link
          </Button>
        )}
      </div>
      {sees_mail && (
        <p className="muted">
          You run this service without a server for mail:{' '}
          <Link to="/mail">messages are kept here</Link>.
        </p>
      )}
    </>
  );
}
