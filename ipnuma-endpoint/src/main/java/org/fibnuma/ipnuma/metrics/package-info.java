/**
 * The state of a running endpoint as metrics for Prometheus. An {@link org.fibnuma.ipnuma.metrics.EndpointSample} is
 * read from the counters that the endpoint publishes for other processes too, so that its thread does nothing for it;
 * {@link org.fibnuma.ipnuma.metrics.EndpointMetrics} are made of it.
 */
package org.fibnuma.ipnuma.metrics;
