import { buildUrl } from '#pwa/client/api-client.ts';
import { streamReportedPhoto, streamReportedPreview, streamReportedResult } from '#shared/contract/result-reports.ts';

/** Addresses of the files of a complaint, which only administrators may open. */
export function resultUrl(reportId: string): string {
  return buildUrl(streamReportedResult, { params: { id: reportId } });
}

export function previewUrl(reportId: string): string {
  return buildUrl(streamReportedPreview, { params: { id: reportId } });
}

/** `position`: index among the source photos, from 0. */
export function photoUrl(reportId: string, position: number): string {
  return buildUrl(streamReportedPhoto, { params: { id: reportId, position } });
}
