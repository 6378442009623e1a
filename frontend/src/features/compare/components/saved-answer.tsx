import { useQuery } from '@tanstack/react-query';
import { AnswerBrief } from '../../../components/answer-brief';
import { Loading } from '../../../components/query-state';
import { documentQueryOptions } from '../../../lib/studies';
import { savedQueryOptions } from '../api/evaluate';
import { NotYet } from './not-yet';

/** What a study comes to as it is saved, beside its inputs; nothing where it has no designs. */
export function SavedAnswer({ studyId }: { studyId: string }) {
  const document = useQuery(documentQueryOptions(studyId));
  const saved = useQuery(savedQueryOptions(studyId, document.data));
  const failure = document.error ?? saved.error;
  if (document.data?.designs.length === 0) return null;
  if (failure) return <NotYet studyId={studyId} document={document.data} error={failure} />;
  if (!saved.data) return <Loading minHeight={240} />;
  return <AnswerBrief comparison={saved.data} label="Designs" isOld={saved.isPlaceholderData} />;
}
