/**
 * {@code fibnuma bench report}: the figures of the papers, the papers' values beside ours.
 * <pre>
 *   ThesisForwarding, ThesisRoundTrip, ThesisMemcached, PauseTimes, TurnAdditionFigures, Dcqcn -> Figure
 *   Figure, Measurements (child processes) -> MeasuredFigure -> Report -> HtmlPage, MarkdownPage, JSON
 *                                                            -> FigurePlot -> SVG
 * </pre>
 * A figure has the values of a paper, the commands that measure it, and how their JSON becomes values. Each command
 * runs once. If it fails, its figures are in the report with the reason.
 */
@org.fibnuma.core.Internal
package org.fibnuma.bench.report;
