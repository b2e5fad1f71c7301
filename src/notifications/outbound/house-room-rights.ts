// Outbound adapter. Who may be in a room: asked of the feature that owns what the room is about.
import type { UserActor } from '../../kernel/actor';
import type { ReadProjects } from '../../evidence';
import type { ReadRuns } from '../../schedule';
import type { Room } from '../domain/room';
import type { RoomRight, RoomRights } from '../ports/room-rights';
import { seen } from './seen';

export class HouseRoomRights implements RoomRights {
  constructor(
    private readonly runs: Pick<ReadRuns, 'one'>,
    private readonly projects: Pick<ReadProjects, 'one'>,
  ) {}

  async of(actor: UserActor, { type, id }: Room): Promise<RoomRight> {
    switch (type) {
      case 'user':
        return id === actor.userId ? 'write' : 'none';
      case 'tenant':
        if (id !== String(actor.tenantId)) return 'none';
        return actor.roles.some((role) => role !== 'user') ? 'write' : 'read';
      case 'run':
        return (await seen(() => this.runs.one(actor, id))) ? 'write' : 'none';
      case 'discussion':
        return (await seen(() => this.projects.one(actor, id))) ? 'write' : 'none';
    }
  }
}
