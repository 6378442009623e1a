import { api, body } from './api';
import { freeTitle } from './free-title';
import type { JsonObject } from './pointer';
import type { Design, Study } from './types';

export interface NewDesign {
  title: string;
  kind: string;
  spec: JsonObject;
}

/** Adds a design to a study, by a title that none of its designs has. */
export async function createDesign(studyId: string, design: NewDesign): Promise<Design> {
  const params = { path: { study_id: studyId } };
  const study = await body<Study>(api.GET('/api/v1/studies/{study_id}', { params }));
  const titles = study.designs.map(({ title }) => title);
  return body<Design>(
    api.POST('/api/v1/studies/{study_id}/designs', {
      params,
      body: { ...design, title: freeTitle(design.title, titles) },
    }),
  );
}
