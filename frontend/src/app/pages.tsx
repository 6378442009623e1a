import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { AuditPage } from '../features/audit/components/audit-page';
import { CataloguePage } from '../features/catalogue/components/catalogue-page';
import type { ModelSearch } from '../features/models/address';
import { ModelPage } from '../features/models/components/model-page';
import { MethodPage } from '../features/models/components/method-page';
import { PaperPage } from '../features/models/components/paper-page';
import { OutlookPage } from '../features/outlook/components/outlook-page';
import { useSignOut } from '../features/session/api/sign-out';
import { MailPage } from '../features/settings/components/mail-page';
import { SettingsPage } from '../features/settings/components/settings-page';

const catalogue = getRouteApi('/catalogue');
const model = getRouteApi('/method/models/$modelId');
const paper = getRouteApi('/method/papers/$paperId');

export function CatalogueRoute() {
  const search = catalogue.useSearch();
  const navigate = catalogue.useNavigate();
  return (
    <CataloguePage
      search={search}
      onSearch={(next) => void navigate({ search: next, resetScroll: false })}
    />
  );
}

export const AuditRoute = AuditPage;
export const MailRoute = MailPage;
export const OutlookRoute = OutlookPage;
export const MethodRoute = MethodPage;

export function PaperRoute() {
  return <PaperPage paperId={paper.useParams().paperId} />;
}

export function ModelRoute() {
  const { modelId } = model.useParams();
  const navigate = model.useNavigate();
  const onSearch = useCallback(
    (next: ModelSearch) => void navigate({ search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  return <ModelPage modelId={modelId} search={model.useSearch()} onSearch={onSearch} />;
}

export function SettingsRoute() {
  const signOut = useSignOut();
  return <SettingsPage onSignOut={() => signOut.mutate()} />;
}
