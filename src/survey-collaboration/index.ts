// Survey-collaboration: surveys that many fill at once. The front door.
export { SurveyCollaborationModule } from './survey-collaboration.module';
export { AttendSurvey } from './usecases/attend-survey';
export { EndAbandoned } from './usecases/end-abandoned';
