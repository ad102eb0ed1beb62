/**
 * The state of a running router as metrics for Prometheus. The control thread takes a
 * {@link org.fibnuma.fibnic.metrics.RouterSample} of the numbers that {@code show} prints. Another thread converts it
 * by {@link org.fibnuma.fibnic.metrics.RouterMetrics}. Workers are not involved.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.metrics;
