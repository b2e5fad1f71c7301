// Inbound. The version of this program, as the server shows it.
export class OwnVersion {
  constructor(readonly text: string) {}
}
