/**
 * The state of a running router as metrics for Prometheus. The control thread takes a
 * {@link org.fibnuma.fibnic.metrics.RouterSample} of plain numbers, the same that {@code show} prints; another thread
 * makes {@link org.fibnuma.fibnic.metrics.RouterMetrics} of it. Workers do nothing for it.
 */
package org.fibnuma.fibnic.metrics;
