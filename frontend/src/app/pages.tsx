import { getRouteApi } from '@tanstack/react-router';
import { CataloguePage } from '../features/catalogue/components/catalogue-page';
import { ModelPage } from '../features/models/components/model-page';
import { ModelsPage } from '../features/models/components/models-page';
import { useSignOut } from '../features/session/api/sign-out';
import { SettingsPage } from '../features/settings/components/settings-page';

const catalogue = getRouteApi('/catalogue');
const model = getRouteApi('/models/$modelId');

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

export const ModelsRoute = ModelsPage;

export function ModelRoute() {
  return <ModelPage modelId={model.useParams().modelId} />;
}

export function SettingsRoute() {
  const signOut = useSignOut();
  return <SettingsPage onSignOut={() => signOut.mutate()} />;
}
