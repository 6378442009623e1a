import { messageOf } from '../lib/problem';

/** Why what was asked for did not happen; nothing while it may. */
export function Fault({
  of,
  small,
}: {
  of: { isError: boolean; error: unknown };
  small?: boolean;
}) {
  if (!of.isError) return null;
  return (
    <p className={small ? 'fault small' : 'fault'} role="alert">
      {messageOf(of.error)}
    </p>
  );
}
