/**
 * Metrics for Prometheus: values under the names of their metrics, and the text of a scrape with the state of the JVM.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.service.metrics;
