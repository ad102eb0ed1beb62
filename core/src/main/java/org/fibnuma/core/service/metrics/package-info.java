/**
 * Metrics for Prometheus: values under the names of their metrics, and the text of a scrape with the state of the JVM.
 */
package org.fibnuma.core.service.metrics;
