/** Security keys and passkeys, by the browser's own WebAuthn. */

const WORDS: Record<string, string> = {
  NotAllowedError: 'The key did not answer: it was cancelled, or waited too long.',
  InvalidStateError: 'This key is registered already.',
  SecurityError: 'The browser allows no key at this address. Open the service by its name.',
};

/** Whether this browser can ask keys in the form that the service speaks. */
export const hasKeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

async function answered(asked: Promise<Credential | null>): Promise<string> {
  try {
    return JSON.stringify(await asked);
  } catch (error) {
    const words = error instanceof DOMException ? WORDS[error.name] : undefined;
    throw words === undefined ? error : new Error(words, { cause: error });
  }
}

/** What a key answers to a question of the service, as JSON. */
export const askKey = (options: object): Promise<string> =>
  answered(
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );

/** What a new key answers, as JSON. */
export const makeKey = (options: object): Promise<string> =>
  answered(
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );
