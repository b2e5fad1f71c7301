// Survey-collaboration: surveys that many fill at once. The front door.
export { SurveyCollaborationModule } from './survey-collaboration.module';
export { EndAbandoned } from './usecases/end-abandoned';
