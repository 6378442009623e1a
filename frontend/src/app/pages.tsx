export const CatalogueRoute = () => null;
export const ModelsRoute = () => null;
export const ModelRoute = () => null;
export const SettingsRoute = () => null;
