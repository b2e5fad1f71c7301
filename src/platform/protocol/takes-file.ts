// Platform, protocol. Which operations take a file (multipart/form-data); every other one takes JSON only.
import { type CanActivate, type ExecutionContext, SetMetadata, UnsupportedMediaTypeException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';

const TAKES_FILE = 'horarium:takes-file';

export const TakesFile = (): MethodDecorator => SetMetadata(TAKES_FILE, true);

export const MULTIPART = 'multipart/form-data';

/** A form that nobody reads would look like a body without fields, and each field would be called missing. */
export class FileDoors implements CanActivate {
  private readonly reflector = new Reflector();

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    if (context.getType() !== 'http' || http.getRequest<Request>().is(MULTIPART) === false) return true;
    if (http.getRequest<Request>().is(MULTIPART) === null) return true;
    if (this.reflector.get<boolean | undefined>(TAKES_FILE, context.getHandler()) === true) return true;
    http.getResponse<Response>().setHeader('Connection', 'close');
    throw new UnsupportedMediaTypeException('This takes no files; send the body with Content-Type: application/json.');
  }
}
