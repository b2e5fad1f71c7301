// Port. The way from the classifier, which has no network and no key, to the model that the operator named: a socket among
// the files it is given.
import { token } from '../../kernel/token';

export interface OpenDoor {
  close(): Promise<void>;
}

export interface ModelDoor {
  /**
   * Opens it in this folder, of which the classifier reads, for at most so many questions. Without a model nothing is
   * opened. A door that a dead process left is replaced.
   */
  open(folder: string, mostQuestions: number): Promise<OpenDoor>;
}

export const ModelDoor = token<ModelDoor>('ModelDoor');
