// What nobody keeps any more is ended at its instant, and nothing is asked while nobody is there.
import { alice, aSurvey, bob, later, NOON } from '../../support/surveys/survey-builder';
import { entered, line, Stage } from './stage';

let stage: Stage;
const survey = aSurvey();

beforeEach(async () => {
  stage = new Stage();
  await stage.books.repository.add(alice, survey);
});

const look = (seconds: number): Promise<Date | null> => stage.endAbandoned.run((stage.books.now = later(seconds)));
const join = (actor = bob, session = 'page-1'): Promise<unknown> =>
  stage.attend.join(actor, survey.id, line(session), 0, entered);

test('where nobody is, it names no instant', async () => {
  expect(await stage.endAbandoned.run(NOON)).toBeNull();
});

test('whoever comes first rouses it; later ones are in its view already', async () => {
  await join();
  await join(alice);
  expect(stage.roused).toBe(1);
});

test('it looks again at the first end, and at the latest in the life of a lock', async () => {
  await join();
  await stage.take.run(bob, survey.id, 'name', 'page-1');
  expect(await look(0)).toEqual(later(30));
  stage.books.now = later(20);
  await stage.attend.keepAlive();
  await stage.take.run(bob, survey.id, 'name', 'page-1');
  expect(await look(30)).toEqual(later(50));
  stage.books.now = later(45);
  await stage.attend.keepAlive();
  await stage.take.run(bob, survey.id, 'name', 'page-1');
  expect(await look(46)).toEqual(later(75));
});

test('a lock that nobody renews ends at its instant, and is told of once', async () => {
  await join();
  await stage.take.run(bob, survey.id, 'name', 'page-1');
  stage.books.now = later(25);
  await stage.attend.keepAlive();
  stage.room.heard();
  await look(29);
  expect(stage.room.heard()).toEqual([]);
  await look(30);
  await look(30);
  expect(stage.room.heard()).toEqual(['name is free: expired']);
});

test('a line that broke rouses it, and what it held is ended after the grace', async () => {
  await join();
  await stage.take.run(bob, survey.id, 'name', 'page-1');
  await stage.attend.lose('line of page-1');
  expect(stage.roused).toBe(2);
  stage.room.heard();
  expect(await look(1)).toEqual(later(5));
  expect(await look(5)).toBeNull();
  expect(stage.room.heard()).toEqual(['name is free: disconnected', 'bob: leave']);
});

test('a line that nobody hung on rouses nobody', async () => {
  await stage.attend.lose('line of nobody');
  expect(stage.roused).toBe(0);
});
