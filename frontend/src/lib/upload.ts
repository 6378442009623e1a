import { cookie } from './api';
import { Offline, Problem } from './problem';

export interface Upload<T> {
  done: Promise<T>;
  cancel: () => void;
}

/** Thrown when an upload was stopped by whoever started it. */
export class UploadStopped extends Error {}

/** Sends a file as the body; fetch cannot say how far an upload is, so this is an XHR. */
export function upload<T>(
  path: string,
  file: File,
  onProgress: (fraction: number) => void,
): Upload<T> {
  const request = new XMLHttpRequest();
  const done = new Promise<T>((resolve, reject) => {
    request.upload.onprogress = (event) =>
      onProgress(event.lengthComputable ? event.loaded / event.total : 0);
    request.onload = () => {
      const answer = parsed(request.responseText);
      if (request.status === 202) resolve(answer as T);
      else reject(new Problem(request.status, answer));
    };
    request.onerror = () => reject(new Offline());
    request.onabort = () => reject(new UploadStopped());
  });
  request.open('POST', `/api/v1/${path}?name=${encodeURIComponent(file.name)}`);
  request.setRequestHeader('Content-Type', 'application/octet-stream');
  request.setRequestHeader('X-CSRFToken', cookie('csrftoken'));
  request.send(file);
  return { done, cancel: () => request.abort() };
}

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
