import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DesignBadge } from '../../../components/design-badge';
import { Icon } from '../../../components/icon';
import { Empty, Failed, Loading } from '../../../components/query-state';
import { modelQueryOptions, PLAN } from '../../../lib/models';
import { Problem, type Fault } from '../../../lib/problem';
import type { StudyDocument } from '../../../lib/types';
import { faultGroups, type FaultGroup } from '../faults';
import styles from './not-yet.module.css';

interface NotYetProps {
  studyId: string;
  document: StudyDocument | undefined;
  error: unknown;
}

function Group({ studyId, group }: { studyId: string; group: FaultGroup }) {
  return (
    <section className={styles.group} aria-label={group.letter ?? group.title}>
      <h3>
        {group.letter && <DesignBadge letter={group.letter} />} {group.title}
      </h3>
      <ul>
        {group.faults.map(({ at, label, code, message }) => (
          <li key={`${at} ${code} ${message}`}>
            <Link to="/studies/$studyId/designs" params={{ studyId }} search={{ at }}>
              <span className={styles.label}>{label}</span> <span>{message}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FaultsProps {
  studyId: string;
  document: StudyDocument;
  faults: readonly Fault[];
}

function Faults({ studyId, document, faults }: FaultsProps) {
  const plan = useQuery(modelQueryOptions(PLAN));
  if (plan.isPending) return <Loading minHeight={320} />;
  const groups = faultGroups(faults, plan.data?.params_schema ?? {}, document);
  return (
    <div className={styles.all} role="alert">
      <h2>
        <Icon name="warning" size={20} />
        {faults.length === 1
          ? 'This study cannot be compared yet: one input needs attention.'
          : `This study cannot be compared yet: ${faults.length} inputs need attention.`}
      </h2>
      {groups.map((group) => (
        <Group key={group.prefix} studyId={studyId} group={group} />
      ))}
    </div>
  );
}

/** Why a study cannot be compared: every fault by its field, each a link to it. */
export function NotYet({ studyId, document, error }: NotYetProps) {
  if (document && error instanceof Problem && error.faults.length > 0) {
    return <Faults studyId={studyId} document={document} faults={error.faults} />;
  }
  return (
    <div>
      <Failed error={error} minHeight={160} />
      <Empty minHeight={40}>
        <Link to="/studies/$studyId/designs" params={{ studyId }}>
          Go to the designs
        </Link>
      </Empty>
    </div>
  );
}
