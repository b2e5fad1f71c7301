// Inbound. The page on which people fill a survey together: /surveys/{id}. The same bytes for everyone: who may see a
// survey is decided when the page asks for it. Nothing comes from elsewhere.
import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Public } from '../../platform/auth';
import { SurveyNotFoundError } from '../domain/errors';

const FOLDER = join(__dirname, '..', '..', '..', 'console', 'survey');

const ASSETS: Readonly<Record<string, readonly [type: string, read: () => Buffer]>> = {
  'survey.css': ['text/css; charset=utf-8', () => readFileSync(join(FOLDER, 'survey.css'))],
  'survey.mjs': ['text/javascript; charset=utf-8', () => readFileSync(join(FOLDER, 'survey.mjs'))],
  'control.mjs': ['text/javascript; charset=utf-8', () => readFileSync(join(FOLDER, 'control.mjs'))],
  'socket.io.js': ['text/javascript; charset=utf-8', () => readFileSync(socketIoClient())],
};

@Public()
@ApiExcludeController()
@Controller('surveys')
export class SurveyPageController {
  private readonly read = new Map<string, Buffer>();

  @Get('assets/:name')
  asset(@Param('name') name: string, @Res() response: Response): void {
    const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (asset === undefined) throw new SurveyNotFoundError(name);
    const [type, read] = asset;
    this.answer(response, name, type, read);
  }

  @Get(':id')
  page(@Res() response: Response): void {
    this.answer(response, 'index.html', 'text/html; charset=utf-8', () => readFileSync(join(FOLDER, 'index.html')));
  }

  private answer(response: Response, name: string, type: string, read: () => Buffer): void {
    const bytes = this.read.get(name) ?? read();
    this.read.set(name, bytes);
    // A new version of the house must not meet an old page.
    response.setHeader('Content-Type', type).setHeader('Cache-Control', 'no-cache').end(bytes);
  }
}

/** The client of the very version that the server speaks. */
function socketIoClient(): string {
  return join(require.resolve('socket.io/package.json'), '..', 'client-dist', 'socket.io.min.js');
}
