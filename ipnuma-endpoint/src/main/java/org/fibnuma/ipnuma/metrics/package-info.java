/**
 * The state of a running endpoint as metrics for Prometheus. An {@link org.fibnuma.ipnuma.metrics.EndpointSample} is
 * read from the counters that the endpoint publishes for other processes too: the endpoint's thread does no extra work.
 * {@link org.fibnuma.ipnuma.metrics.EndpointMetrics} formats the samples.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.metrics;
